// The views of reviews that a workspace keeps.
import sql from "sql-template-tag";
import type { Channel } from "../../domain/channel.ts";
import type { SavedView } from "../../domain/review-work.ts";
import { channelColumns } from "../delivery/channels.ts";
import { changesRow, type Db, queryRows } from "../query.ts";

/** By name. */
export function listSavedViews(db: Db, workspaceId: string): Promise<SavedView[]> {
  const statement = sql`select v.id, v.name, v.query,
      exists (select from shared_links l where l.view_id = v.id) as "hasLinks"
    from saved_views v where v.workspace_id = ${workspaceId} order by lower(v.name), v.id`;
  return queryRows(db, "listSavedViews", statement);
}

/** A view of the same name is replaced. False when the workspace has `countMax` others. */
export function saveView(
  db: Db,
  view: Omit<SavedView, "hasLinks"> & { workspaceId: string; createdAt: Date; countMax: number },
): Promise<boolean> {
  const statement = sql`insert into saved_views (id, workspace_id, name, query, created_at)
    select ${view.id}, ${view.workspaceId}, ${view.name}, ${view.query}, ${view.createdAt}
    where (select count(*) from saved_views where workspace_id = ${view.workspaceId}
      and name <> ${view.name}) < ${view.countMax}
    on conflict (workspace_id, name) do update set query = excluded.query`;
  return changesRow(db, "saveView", statement);
}

/** False without such a view. */
export function updateSavedView(
  db: Db,
  view: Pick<SavedView, "id" | "name" | "query"> & { workspaceId: string },
): Promise<boolean> {
  const statement = sql`update saved_views set name = ${view.name}, query = ${view.query}
    where workspace_id = ${view.workspaceId} and id = ${view.id}`;
  return changesRow(db, "updateSavedView", statement);
}

export function deleteSavedView(
  db: Db,
  view: { workspaceId: string; id: string },
): Promise<boolean> {
  const statement = sql`delete from saved_views where workspace_id = ${view.workspaceId}
      and id = ${view.id}`;
  return changesRow(db, "deleteSavedView", statement);
}

/** Channels that follow a saved view. */
export function listChannelsOfView(
  db: Db,
  view: { workspaceId: string; id: string },
): Promise<Channel[]> {
  const statement = sql`select ${channelColumns} from channels where workspace_id = ${view.workspaceId}
      and view_id = ${view.id} order by id`;
  return queryRows(db, "listChannelsOfView", statement);
}
