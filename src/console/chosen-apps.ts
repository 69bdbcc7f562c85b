// The apps that a page is about: those that were chosen, or all of the workspace.
import type { Keep } from "../keep/keep.ts";
import { requireApp } from "../manage/apps.ts";
import type { App } from "../reviews/listing.ts";

/** @throws AppError `not_found` for an id that is no app of the workspace; `field` names where it stood */
export async function chooseApps(
  keep: Pick<Keep, "findApp" | "listApps">,
  choice: { workspaceId: string; field: string; ids: readonly string[] | null },
): Promise<App[]> {
  const { workspaceId, field, ids } = choice;
  if (ids === null) return keep.listApps({ workspaceId });
  const apps: App[] = [];
  for (const id of ids) apps.push(await requireApp(keep, { field, id, workspaceId }));
  return apps;
}
