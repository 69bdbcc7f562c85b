// Apps: what a workspace follows. Every query that serves a user names the workspace.
import type { App } from "../../domain/listing.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

// Until the name is read from the store, the app is shown with its id there.
const columns = `a.id, a.workspace_id as "workspaceId", a.listing_id as "listingId",
  coalesce(a.name, l.name, l.external_app_id) as name, l.store,
  l.external_app_id as "externalAppId", coalesce(l.icon_url, '') as "iconUrl", l.facts,
  l.credential_id as "credentialId", a.countries, a.languages, a.added_at as "addedAt"`;
const source = "apps a join listings l on l.id = a.listing_id";

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
export async function insertApp(db: Db, app: NewApp): Promise<boolean> {
  const count = await execute(
    db,
    "insertApp",
    `insert into apps (id, workspace_id, listing_id, name, countries, languages, added_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [app.id, app.workspaceId, app.listingId, app.name, app.countries, app.languages, app.addedAt],
  );
  return count === 1;
}

/** In the order they were added. A null workspace means all of them: for the operator alone. */
export function listApps(db: Db, scope: { workspaceId: string | null }): Promise<App[]> {
  return queryRows(
    db,
    "listApps",
    `select ${columns} from ${source} where $1::uuid is null or a.workspace_id = $1 order by a.id`,
    [scope.workspaceId],
  );
}

export function findApp(
  db: Db,
  scope: { id: string; workspaceId: string | null },
): Promise<App | null> {
  return queryFirstRow(
    db,
    "findApp",
    `select ${columns} from ${source} where a.id = $1 and ($2::uuid is null or a.workspace_id = $2)`,
    [scope.id, scope.workspaceId],
  );
}

/** The apps of one listing, of any workspace. */
export function listAppsOfListing(db: Db, listingId: string): Promise<App[]> {
  return queryRows(
    db,
    "listAppsOfListing",
    `select ${columns} from ${source} where a.listing_id = $1 order by a.id`,
    [listingId],
  );
}

/** Whether the workspace follows that app of that store, whatever the source. */
export async function isAppFollowed(
  db: Db,
  app: { workspaceId: string; store: string; externalAppId: string },
): Promise<boolean> {
  const found = await queryFirstRow(
    db,
    "isAppFollowed",
    `select 1 as one from ${source}
     where a.workspace_id = $1 and l.store = $2 and l.external_app_id = $3`,
    [app.workspaceId, app.store, app.externalAppId],
  );
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
  },
): Promise<void> {
  await queryRows(
    db,
    "updateApp",
    `update apps set name = case when $3::boolean then $4 else name end, countries = $5, languages = $6,
       version = version + 1
     where id = $1 and workspace_id = $2`,
    [
      app.id,
      app.workspaceId,
      app.name !== undefined,
      app.name ?? null,
      app.countries,
      app.languages,
    ],
  );
}

/** Deletes matches of own topics in reviews that the new listing lacks: pages read no review that is not there. */
export async function setAppListing(
  db: Db,
  move: { id: string; listingId: string },
): Promise<void> {
  await queryRows(
    db,
    "setAppListing",
    "update apps set listing_id = $2, version = version + 1 where id = $1",
    [move.id, move.listingId],
  );
  const others = await queryRows<{ id: string }>(
    db,
    "listOwnTopicsOfOthers",
    `select distinct o.review_id as id from own_topic_reviews o where o.app_id = $1 and not exists (
       select from reviews r where r.listing_id = $2 and r.id = o.review_id
     )`,
    [move.id, move.listingId],
  );
  await queryRows(
    db,
    "deleteOwnTopicsOfOthers",
    "delete from own_topic_reviews where app_id = $1 and review_id = any($2::uuid[])",
    [move.id, others.map(({ id }) => id)],
  );
}

export async function deleteApp(db: Db, id: string): Promise<void> {
  await queryRows(db, "deleteApp", "delete from apps where id = $1", [id]);
}

/** Regions that the apps of a listing follow, each once. */
export async function listFollowedRegions(
  db: Db,
  listingId: string,
): Promise<{ countries: string[]; languages: string[] }> {
  const found = await queryFirstRow<{ countries: string[]; languages: string[] }>(
    db,
    "listFollowedRegions",
    `select
       array(select distinct unnest(countries) from apps where listing_id = $1 order by 1) as countries,
       array(select distinct unnest(languages) from apps where listing_id = $1 order by 1) as languages`,
    [listingId],
  );
  return found ?? { countries: [], languages: [] };
}
