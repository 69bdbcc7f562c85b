// The apps that a page is about: the selected ones, or all of the workspace.
import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";

/**
 * @throws AppError `not_found` for an id that is not an app of the workspace; `field` names the input field of the ids
 */
export async function selectApps(
  database: Pick<Database, "findApp" | "listApps">,
  selection: { workspaceId: string; field: string; ids: readonly string[] | null },
): Promise<App[]> {
  const { workspaceId, field, ids } = selection;
  if (ids === null) return database.listApps({ workspaceId });
  const apps: App[] = [];
  for (const id of ids) apps.push(await requireApp(database, { field, id, workspaceId }));
  return apps;
}
