// The route of the dashboard that streams reviews into a file.
import type { Route } from "../../dashboard-api/contract/route.ts";
import type { feedExport } from "./feed-export.ts";

export type ExportRoutes = {
  "GET /workspaces/:workspace/reviews/export": Route<Blob, never, typeof feedExport>;
};
