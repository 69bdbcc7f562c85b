// The apps of a workspace as it sees them, and which rows of their listings it may read.
import sql, { type Sql } from "sql-template-tag";
import type { StoreId } from "../../domain/store/store-id.ts";
import { type Db, queryRows } from "../query.ts";
import { type Parameter, parameter } from "../sql.ts";

export type FollowedApp = {
  id: string;
  listingId: string;
  name: string;
  store: StoreId;
  externalAppId: string;
  /** URL; "" until the store named it. */
  iconUrl: string;
  countries: string[];
  /** Regions of the listing that the workspace sees; null is all of it. */
  regions: string[] | null;
  /** Changes with the app, its reviews, ratings and analysis. */
  version: string;
  /** Whether the workspace has topics of its own: pages look for them only then. */
  hasOwnTopics: boolean;
};

/** In the order they were added; null ids are all of the workspace. */
export function listFollowedApps(
  db: Db,
  query: { workspaceId: string; ids: readonly string[] | null },
): Promise<FollowedApp[]> {
  const { workspaceId, ids } = query;
  const columns = sql`id, listing_id as "listingId", name, store, external_app_id as "externalAppId",
    icon_url as "iconUrl", countries, regions, version,
    exists (select from own_topics where workspace_id = ${workspaceId}) as "hasOwnTopics"`;
  const source = sql`select ${columns} from followed_apps where workspace_id = ${workspaceId}`;
  return ids === null
    ? queryRows(db, "listFollowedApps")`${source} order by id`
    : queryRows(db, "listFollowedAppsById")`${source} and id = any(${ids}::uuid[]) order by id`;
}

// Where the rows of a workspace's apps are, as parameters of a statement: so that it names the listings that it
// reads, and its plan depends on nothing else. Access is checked beside it: every statement names the workspace.
// The columns of each listing are read in a `lateral` with `offset 0`: joined, a plan from when there was little
// goes through the rows of all listings.

/** As `listFollowedApps` found it. */
export type ScopedApp = Pick<FollowedApp, "id" | "listingId" | "regions">;

export type AppScope = { workspaceId: string; apps: readonly ScopedApp[] };

/** Rollups have a row for each region, and one for the whole listing. */
const wholeListing = "";

/** The listings that a statement reads, and where it has them. */
export type ScopedRows = { listingIds: Parameter; rows: Sql };

/** Each region that counts for the workspace, as `s (listing_id, region)`, with its app `a`. */
export function scopeRollups({ workspaceId, apps }: AppScope): ScopedRows {
  const pairs = apps.flatMap(({ listingId, regions }) =>
    (regions ?? [wholeListing]).map((region) => ({ listingId, region })),
  );
  const listingIds = parameter(pairs.map(({ listingId }) => listingId));
  const rows = sql`unnest(${listingIds}::uuid[], ${pairs.map(({ region }) => region)}::text[])
      s (listing_id, region)
    join apps a on a.workspace_id = ${workspaceId} and a.listing_id = s.listing_id`;
  return { listingIds, rows };
}

/** Each listing as `s (listing_id, region_list)`, with its app `a` and `followed.regions`, null for all of it. */
export function scopeListings({ workspaceId, apps }: AppScope): ScopedRows {
  const listingIds = parameter(apps.map(({ listingId }) => listingId));
  const rows = sql`unnest(${listingIds}::uuid[], ${listRegions(apps)}::text[]) s (listing_id, region_list)
    join apps a on a.workspace_id = ${workspaceId} and a.listing_id = s.listing_id
    cross join lateral (select string_to_array(nullif(s.region_list, '*'), '/') as regions) followed`;
  return { listingIds, rows };
}

/** The region of a review `r`. */
export const regionColumn = sql`coalesce(r.language_hint, nullif(r.country, ''), 'und')`;

/** For each app its regions with slashes between them, which no region has; `*` is all of the listing. */
export function listRegions(apps: readonly Pick<ScopedApp, "regions">[]): string[] {
  return apps.map(({ regions }) => regions?.join("/") ?? "*");
}
