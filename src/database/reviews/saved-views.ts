// The views of reviews that a workspace keeps.
import type { Channel } from "../../domain/channel.ts";
import type { SavedView } from "../../domain/review-work.ts";
import { channelColumns } from "../delivery/channels.ts";
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

/** The link reads the query that the view has now. False without such a view. */
export async function openViewFeed(
  db: Db,
  feed: {
    workspaceId: string;
    id: string;
    tokenHash: Buffer;
    madeBy: string;
    madeAt: Date;
    endsAt: Date;
  },
): Promise<boolean> {
  const count = await execute(
    db,
    "openViewFeed",
    `update saved_views set feed_token_hash = $3, feed_query = query, feed_made_by = $4, feed_made_at = $5,
       feed_ends_at = $6, feed_used_at = null
     where workspace_id = $1 and id = $2`,
    [feed.workspaceId, feed.id, feed.tokenHash, feed.madeBy, feed.madeAt, feed.endsAt],
  );
  return count === 1;
}

/** Ends the link of one view, or all links that a user made. Returns how many views there are. */
export function endViewFeeds(
  db: Db,
  feed: { workspaceId: string } & ({ id: string } | { madeBy: string }),
): Promise<number> {
  const [id, madeBy] = "id" in feed ? [feed.id, null] : [null, feed.madeBy];
  return execute(
    db,
    "endViewFeeds",
    `update saved_views set feed_token_hash = null, feed_query = null, feed_made_by = null, feed_made_at = null,
       feed_ends_at = null, feed_used_at = null
     where workspace_id = $1 and (id = $2 or feed_made_by = $3)`,
    [feed.workspaceId, id, madeBy],
  );
}

export type FoundFeed = {
  id: string;
  name: string;
  query: string;
  workspaceId: string;
  createdAt: Date;
};

/** null for a link that is none, or that has ended. */
export function findViewByFeed(
  db: Db,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<FoundFeed | null> {
  return queryFirstRow(
    db,
    "findViewByFeed",
    `select id, name, feed_query as query, workspace_id as "workspaceId", created_at as "createdAt"
     from saved_views where feed_token_hash = $1 and feed_ends_at > $2`,
    [tokenHash, now],
  );
}

/** Writes nothing when the last use is newer than `notSince`: readers ask often. */
export async function noteFeedUse(
  db: Db,
  use: { id: string; now: Date; notSince: Date },
): Promise<void> {
  await execute(
    db,
    "noteFeedUse",
    `update saved_views set feed_used_at = $2
     where id = $1 and (feed_used_at is null or feed_used_at < $3)`,
    [use.id, use.now, use.notSince],
  );
}

type ViewFeed = {
  viewId: string;
  /** null: the account was deleted. */
  madeBy: string | null;
  madeAt: Date;
  endsAt: Date;
  usedAt: Date | null;
};

export function listViewFeeds(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<ViewFeed[]> {
  return queryRows(
    db,
    "listViewFeeds",
    `select v.id as "viewId", u.name as "madeBy", v.feed_made_at as "madeAt", v.feed_ends_at as "endsAt",
       v.feed_used_at as "usedAt"
     from saved_views v left join users u on u.id = v.feed_made_by
     where v.workspace_id = $1 and v.feed_token_hash is not null and v.feed_ends_at > $2
     order by v.feed_made_at, v.id`,
    [workspaceId, now],
  );
}
