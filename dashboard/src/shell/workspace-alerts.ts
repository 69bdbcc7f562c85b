// The current failures in this workspace. The navigation and the overview share one query, refetched while the page
// is visible.
import { useApiQuery } from "../api/workspace.ts";

const refetchEveryMs = 30_000;

export function useWorkspaceAlerts() {
  return useApiQuery("GET /workspaces/:workspace/alerts", {}, { refetchEveryMs });
}
