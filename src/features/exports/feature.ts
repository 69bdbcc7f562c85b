// Reviews, daily ratings and whole workspaces as files, recorded in the audit log before their first byte.
import { appNoun } from "../../operations/app.ts";
import { workspaceNoun } from "../../operations/workspace.ts";
import type { Feature } from "../feature.ts";
import { exportRatings, exportReviews, exportReviewsOfApp, exportWorkspace } from "./operations.ts";

export const exports: Feature = {
  name: "exports",
  nouns: [
    { noun: appNoun, operations: [exportReviewsOfApp, exportRatings] },
    { noun: workspaceNoun, operations: [exportReviews, exportWorkspace] },
  ],
  loadEndpoints: async () => [(await import("./endpoint.ts")).exportEndpoint],
  loadRoutes: async () => (await import("./routes.ts")).exportRoutes,
};
