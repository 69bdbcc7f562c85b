// Loaded by every test file: the tables of the core have the rows of the features, as in every process of the product.
import { installRoutes } from "../../src/app/feature-routes.ts";
import { installFeatures } from "../../src/app/features.ts";

installFeatures();
await installRoutes();
