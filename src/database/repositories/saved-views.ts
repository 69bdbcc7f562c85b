// The views of reviews that a workspace keeps.
import type { SavedView } from "../../domain/review-work.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/** By name. */
export function listSavedViews(db: Db, workspaceId: string): Promise<SavedView[]> {
  return queryRows(
    db,
    "listSavedViews",
    `select id, name, query, feed_token_hash is not null as "hasFeed" from saved_views where workspace_id = $1 order by lower(name), id`,
    [workspaceId],
  );
}

/** A view of the same name is replaced. False when the workspace has `countMax` others. */
export async function saveView(
  db: Db,
  view: Omit<SavedView, "hasFeed"> & { workspaceId: string; createdAt: Date; countMax: number },
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

/** Without a hash the feed ends. False without such a view. */
export async function setViewFeed(
  db: Db,
  view: { workspaceId: string; id: string; tokenHash: Buffer | null },
): Promise<boolean> {
  const count = await execute(
    db,
    "setViewFeed",
    "update saved_views set feed_token_hash = $3 where workspace_id = $1 and id = $2",
    [view.workspaceId, view.id, view.tokenHash],
  );
  return count === 1;
}

export function findViewByFeed(
  db: Db,
  tokenHash: Buffer,
): Promise<(Omit<SavedView, "hasFeed"> & { workspaceId: string; createdAt: Date }) | null> {
  return queryFirstRow(
    db,
    "findViewByFeed",
    `select id, name, query, workspace_id as "workspaceId", created_at as "createdAt"
     from saved_views where feed_token_hash = $1`,
    [tokenHash],
  );
}
