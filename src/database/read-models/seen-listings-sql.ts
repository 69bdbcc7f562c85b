// Where the rows of a workspace's apps are, as parameters of a statement: so that it names the listings that it
// reads, and its plan depends on nothing else. Access is checked beside it: every statement names the workspace.
// What is read of each listing stands in a `lateral` with `offset 0`: joined, a plan from when there was little
// goes through the rows of all listings.
import type { FollowedApp } from "./followed-apps.ts";

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
