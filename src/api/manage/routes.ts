// The routes by which programs set up a workspace: those of the table of operations, and the whole set-up in one document. A
// new one has all that write-handler.ts promises.
import { nouns } from "../../operations/operations.ts";
import { deliveryList } from "./delivery-list.ts";
import type { ManageRoute } from "./manage-route.ts";
import { routesOfNoun } from "./operation-routes.ts";
import { setupRoutes } from "./setup-routes.ts";

export const manageRoutes: readonly ManageRoute[] = [
  ...nouns.flatMap(routesOfNoun),
  deliveryList,
  ...setupRoutes,
];
