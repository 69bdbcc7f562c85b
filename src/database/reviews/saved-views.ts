// The views of reviews that a workspace keeps.
import sql from "sql-template-tag";
import type { SavedView } from "../../domain/review/saved-view.ts";
import { changesRow, type Db, queryFirstRow, queryRows } from "../query.ts";
import { nextVersion } from "../sql.ts";

const columns = sql`v.id, v.workspace_id as "workspaceId", v.name, v.query, v.settings_version as version,
  exists (select from shared_links l where l.view_id = v.id) as "hasLinks"`;

/** By name. */
export function listSavedViews(db: Db, workspaceId: string): Promise<SavedView[]> {
  return queryRows(db, "listSavedViews")`select ${columns} from saved_views v
    where v.workspace_id = ${workspaceId} order by lower(v.name), v.id`;
}

export function findSavedView(
  db: Db,
  query: { workspaceId: string | null; id: string },
): Promise<SavedView | null> {
  return queryFirstRow(db, "findSavedView")`select ${columns} from saved_views v
      where v.id = ${query.id}
      and (${query.workspaceId}::uuid is null or v.workspace_id = ${query.workspaceId})`;
}

/** A view of the same name is replaced. */
export function saveView(
  db: Db,
  view: Pick<SavedView, "id" | "workspaceId" | "name" | "query"> & { createdAt: Date },
): Promise<boolean> {
  const now = view.createdAt;
  return changesRow(db, "saveView")`insert into saved_views as v
      (id, workspace_id, name, query, created_at, settings_version)
    values (${view.id}, ${view.workspaceId}, ${view.name}, ${view.query}, ${now}, ${now.getTime()})
    on conflict (workspace_id, name) do update
      set query = excluded.query, settings_version = ${nextVersion(now, sql`v`)}`;
}

/** False without such a view. */
export function updateSavedView(
  db: Db,
  view: Pick<SavedView, "id" | "workspaceId" | "name" | "query"> & { now: Date },
): Promise<boolean> {
  return changesRow(db, "updateSavedView")`update saved_views
      set name = ${view.name}, query = ${view.query}, settings_version = ${nextVersion(view.now)}
    where workspace_id = ${view.workspaceId} and id = ${view.id}`;
}

export function deleteSavedView(
  db: Db,
  view: { workspaceId: string; id: string },
): Promise<boolean> {
  return changesRow(db, "deleteSavedView")`delete from saved_views
      where workspace_id = ${view.workspaceId} and id = ${view.id}`;
}
