// Apps: what a workspace follows. Every query that serves a user names the workspace.
import sql, { type Sql } from "sql-template-tag";
import { causeOfRatingDrop } from "../../domain/channel/announced-cause.ts";
import type { App } from "../../domain/feed/listing.ts";
import { changesRow, type Db, queryFirstRow, queryRows, queryValues } from "../query.ts";
import { nextRowVersion, nextVersion } from "../sql.ts";

// Until the name is read from the store, the app is shown with its id there.
const columns = sql`a.id, a.workspace_id as "workspaceId", a.listing_id as "listingId",
  coalesce(a.name, l.name, l.external_app_id) as name, l.store,
  l.external_app_id as "externalAppId", coalesce(l.icon_url, '') as "iconUrl", l.facts,
  l.credential_id as "credentialId", a.countries, a.languages, a.added_at as "addedAt",
  a.settings_version as version`;
const source = sql`apps a join listings l on l.id = a.listing_id`;

export type NewApp = {
  id: string;
  workspaceId: string;
  listingId: string;
  /** null: the store's name is shown. */
  name: string | null;
  countries: readonly string[];
  languages: readonly string[];
  addedAt: Date;
};

/** False when the workspace already follows that listing. */
export function insertApp(db: Db, app: NewApp): Promise<boolean> {
  return changesRow(db, "insertApp")`insert into apps (id, workspace_id, listing_id, name,
      countries, languages, added_at, settings_version)
    values (${app.id}, ${app.workspaceId}, ${app.listingId}, ${app.name}, ${app.countries},
      ${app.languages}, ${app.addedAt}, ${app.addedAt.getTime()}) on conflict do nothing`;
}

/** In the order they were added. A null workspace means all of them: for the operator alone. */
export function listApps(db: Db, scope: { workspaceId: string | null }): Promise<App[]> {
  return queryRows(db, "listApps")`select ${columns} from ${source}
    where ${scope.workspaceId}::uuid is null or a.workspace_id = ${scope.workspaceId} order by a.id`;
}

export function findApp(
  db: Db,
  scope: { id: string; workspaceId: string | null },
): Promise<App | null> {
  return queryFirstRow(db, "findApp")`select ${columns} from ${source} where a.id = ${scope.id}
      and (${scope.workspaceId}::uuid is null or a.workspace_id = ${scope.workspaceId})`;
}

/** The apps of one listing, of any workspace. */
export function listAppsOfListing(db: Db, listingId: string): Promise<App[]> {
  return queryRows(db, "listAppsOfListing")`select ${columns} from ${source}
    where a.listing_id = ${listingId} order by a.id`;
}

/** Whether the workspace follows that app of that store, whatever the source. */
export async function isAppFollowed(
  db: Db,
  app: { workspaceId: string; store: string; externalAppId: string },
): Promise<boolean> {
  const found = await queryFirstRow(db, "isAppFollowed")`select 1 as one from ${source}
    where a.workspace_id = ${app.workspaceId} and l.store = ${app.store}
      and l.external_app_id = ${app.externalAppId}`;
  return found !== null;
}

/** The fields of an app that users may change. The caller sets the feeds of the listing accordingly. */
export async function updateApp(
  db: Db,
  app: {
    id: string;
    workspaceId: string;
    /** undefined: stays. null: the store's name. */
    name: string | null | undefined;
    countries: readonly string[];
    languages: readonly string[];
    /** The time of a change by people, which raises the version of the settings. */
    now?: Date;
  },
): Promise<void> {
  const version = app.now ? nextVersion(app.now) : sql`settings_version`;
  await queryRows(db, "updateApp")`update apps
    set name = case when ${app.name !== undefined}::boolean then ${app.name ?? null} else name end,
      countries = ${app.countries}, languages = ${app.languages}, version = ${nextRowVersion},
      settings_version = ${version}
    where id = ${app.id} and workspace_id = ${app.workspaceId}`;
}

/** Deletes matches of own topics in reviews that the new listing lacks: pages read no review that is not there. */
export async function setAppListing(
  db: Db,
  move: { id: string; listingId: string },
): Promise<void> {
  const { id, listingId } = move;
  await queryRows(db, "setAppListing")`update apps
    set listing_id = ${listingId}, version = ${nextRowVersion} where id = ${id}`;
  const reviewIds = await queryValues(db, "listOwnTopicsOfOthers")<string>`
    select distinct o.review_id from own_topic_reviews o where o.app_id = ${id} and not exists (
      select from reviews r where r.listing_id = ${listingId} and r.id = o.review_id
    )`;
  await queryRows(db, "deleteOwnTopicsOfOthers")`delete from own_topic_reviews
    where app_id = ${id} and review_id = any(${reviewIds}::uuid[])`;
}

export async function deleteApp(db: Db, id: string): Promise<void> {
  // On a Citus no foreign key deletes these, and a backup with them could not be restored.
  await queryRows(db, "deleteDropsOfApp")`delete from channel_causes
    where cause = ${causeOfRatingDrop(id)} and channel_id in (select c.id
      from apps a join channels c on c.workspace_id = a.workspace_id where a.id = ${id})`;
  await queryRows(db, "deleteApp")`delete from apps where id = ${id}`;
}

type FollowedRegions = { countries: string[]; languages: string[]; line: string | null };

/** Regions that the apps of a listing follow, each once, and the workspace in whose line it waits. */
export async function listFollowedRegions(db: Db, listingId: string): Promise<FollowedRegions> {
  const found = await queryFirstRow(db, "listFollowedRegions")<FollowedRegions>`
    select array(select distinct unnest(countries) from apps where listing_id = ${listingId} order by 1) as countries,
    array(select distinct unnest(languages) from apps where listing_id = ${listingId} order by 1) as languages,
    (${selectLine(sql`${listingId}`)}) as line`;
  return found ?? { countries: [], languages: [], line: null };
}

/**
 * The workspace in whose line a listing waits: the follower with the fewest apps, so that one that follows many can't
 * take lists of others into its long line.
 */
export const selectLine = (listingId: Sql): Sql =>
  sql`select a.workspace_id from apps a where a.listing_id = ${listingId}
  order by (select count(*) from apps where workspace_id = a.workspace_id), a.workspace_id limit 1`;
