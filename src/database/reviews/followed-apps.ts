// The apps of a workspace as it sees them, and which rows of their listings it may read.
import type { StoreId } from "../../domain/store-id.ts";
import { type Db, queryRows } from "../query.ts";

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
  /** Another one after every change of the app, its reviews, ratings and analysis. */
  version: string;
  /** Whether the workspace has topics of its own: pages look for them only then. */
  hasOwnTopics: boolean;
};

/** In the order they were added; null ids are all of the workspace. */
export function listFollowedApps(
  db: Db,
  query: { workspaceId: string; ids: readonly string[] | null },
): Promise<FollowedApp[]> {
  const columns = `id, listing_id as "listingId", name, store, external_app_id as "externalAppId",
    icon_url as "iconUrl", countries, regions, version,
    exists (select from own_topics where workspace_id = $1) as "hasOwnTopics"`;
  return query.ids === null
    ? queryRows(
        db,
        "listFollowedApps",
        `select ${columns} from followed_apps where workspace_id = $1 order by id`,
        [query.workspaceId],
      )
    : queryRows(
        db,
        "listFollowedAppsById",
        `select ${columns} from followed_apps
         where workspace_id = $1 and id = any($2::uuid[]) order by id`,
        [query.workspaceId, query.ids],
      );
}

// Where the rows of a workspace's apps are, as parameters of a statement: so that it names the listings that it
// reads, and its plan depends on nothing else. Access is checked beside it: every statement names the workspace.
// The columns of each listing are read in a `lateral` with `offset 0`: joined, a plan from when there was little
// goes through the rows of all listings.

/** As `listFollowedApps` found it. */
export type SeenApp = Pick<FollowedApp, "id" | "listingId" | "regions">;

export type SeenScope = { workspaceId: string; apps: readonly SeenApp[] };

/** Rollups have a row for each region, and one for the whole listing. */
const wholeListing = "";

/** `$1` to `$3` of a statement with `seenRollups`. */
export function rollupValues({ workspaceId, apps }: SeenScope): [string, string[], string[]] {
  const pairs = apps.flatMap(({ listingId, regions }) =>
    (regions ?? [wholeListing]).map((region) => ({ listingId, region })),
  );
  return [workspaceId, pairs.map(({ listingId }) => listingId), pairs.map(({ region }) => region)];
}

/** Each region that counts for the workspace, as `s (listing_id, region)`, with its app `a`. */
export const seenRollups = `unnest($2::uuid[], $3::text[]) s (listing_id, region)
     join apps a on a.workspace_id = $1 and a.listing_id = s.listing_id`;

/** `$1` to `$3` of a statement with `seenListings`. */
export function listingValues({ workspaceId, apps }: SeenScope): [string, string[], string[]] {
  return [workspaceId, apps.map(({ listingId }) => listingId), listRegions(apps)];
}

/** For each app its regions with slashes between them, which no region has; `*` is all of the listing. */
export function listRegions(apps: readonly Pick<SeenApp, "regions">[]): string[] {
  return apps.map(({ regions }) => regions?.join("/") ?? "*");
}

/** Each listing as `s (listing_id, region_list)`, with its app `a` and `seen.regions`, null for all of it. */
export const seenListings = `unnest($2::uuid[], $3::text[]) s (listing_id, region_list)
     join apps a on a.workspace_id = $1 and a.listing_id = s.listing_id
     cross join lateral (select string_to_array(nullif(s.region_list, '*'), '/') as regions) seen`;
