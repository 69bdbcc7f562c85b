// The views that a workspace keeps, and its audit log.
import type { Database } from "../../database/database.ts";
import type { SavedView as SavedViewRow } from "../../domain/review/saved-view.ts";
import type { changeView, createView } from "../../operations/view.ts";
import type * as requests from "./requests.ts";
import type { Carries, Changes, Json, Nothing, Owned, Route } from "./route.ts";

export type SavedView = Owned<SavedViewRow>;

export type AuditEntry = Json<Awaited<ReturnType<Database["listWorkspaceAudit"]>>[number]>;

export type ViewRoutes = {
  "GET /workspaces/:workspace/views": Route<{ views: SavedView[] }>;
  /** A view of the same name is replaced. */
  "POST /workspaces/:workspace/views": Carries<{ views: SavedView[] }, typeof createView>;
  "PATCH /workspaces/:workspace/views/:view": Changes<Nothing, typeof changeView>;
  "DELETE /workspaces/:workspace/views/:view": Route<Nothing>;
  /** Owner. The newest first; `before` is the id of the last entry of the page before. */
  "GET /workspaces/:workspace/audit": Route<
    { entries: AuditEntry[]; hasMore: boolean },
    never,
    typeof requests.auditPage
  >;
};
