// Reviews, daily ratings and whole workspaces from files, which say how they were read.
import { appNoun } from "../../operations/app.ts";
import { workspaceNoun } from "../../operations/workspace.ts";
import type { Feature } from "../feature.ts";
import { importRatings, importReviews, importReviewsByApp, importWorkspace } from "./operations.ts";

export const imports: Feature = {
  name: "imports",
  nouns: [
    { noun: appNoun, operations: [importReviews, importRatings] },
    { noun: workspaceNoun, operations: [importWorkspace, importReviewsByApp] },
  ],
  loadRoutes: async () => (await import("./routes.ts")).importRoutes,
  loadFileReport: async () => (await import("./import-report.ts")).importReport,
};
