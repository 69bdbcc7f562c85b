// The views of reviews that a workspace keeps.
import type { Channel } from "../../domain/channel.ts";
import type { SavedView } from "../../domain/review-work.ts";
import { channelColumns } from "../delivery/channels.ts";
import { type Db, execute, queryRows } from "../query.ts";

/** By name. */
export function listSavedViews(db: Db, workspaceId: string): Promise<SavedView[]> {
  return queryRows(
    db,
    "listSavedViews",
    `select v.id, v.name, v.query, exists (select from shared_links l where l.view_id = v.id) as "hasLinks"
     from saved_views v where v.workspace_id = $1 order by lower(v.name), v.id`,
    [workspaceId],
  );
}

/** A view of the same name is replaced. False when the workspace has `countMax` others. */
export async function saveView(
  db: Db,
  view: Omit<SavedView, "hasLinks"> & { workspaceId: string; createdAt: Date; countMax: number },
): Promise<boolean> {
  const count = await execute(
    db,
    "saveView",
    `insert into saved_views (id, workspace_id, name, query, created_at)
     select $1, $2, $3, $4, $5
     where (select count(*) from saved_views where workspace_id = $2 and name <> $3) < $6
     on conflict (workspace_id, name) do update set query = excluded.query`,
    [view.id, view.workspaceId, view.name, view.query, view.createdAt, view.countMax],
  );
  return count === 1;
}

/** False without such a view. */
export async function updateSavedView(
  db: Db,
  view: Pick<SavedView, "id" | "name" | "query"> & { workspaceId: string },
): Promise<boolean> {
  const count = await execute(
    db,
    "updateSavedView",
    "update saved_views set name = $3, query = $4 where workspace_id = $1 and id = $2",
    [view.workspaceId, view.id, view.name, view.query],
  );
  return count === 1;
}

export async function deleteSavedView(
  db: Db,
  view: { workspaceId: string; id: string },
): Promise<boolean> {
  const count = await execute(
    db,
    "deleteSavedView",
    "delete from saved_views where workspace_id = $1 and id = $2",
    [view.workspaceId, view.id],
  );
  return count === 1;
}

/** Channels that follow a saved view. */
export function listChannelsOfView(
  db: Db,
  view: { workspaceId: string; id: string },
): Promise<Channel[]> {
  return queryRows(
    db,
    "listChannelsOfView",
    `select ${channelColumns} from channels where workspace_id = $1 and view_id = $2 order by id`,
    [view.workspaceId, view.id],
  );
}
