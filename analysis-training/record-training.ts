// Writes trained-with.json for the weights in the folder of the first argument. Run by `npm run train` after the decisions.
import process from "node:process";
import { recordTraining } from "./trained-with.ts";

recordTraining(process.argv[2] ?? ".");
