// Feeds that are held back, because a page of theirs looked odd: their effect on their source, the incidents of operators,
// and full feeds that can testify.
import sql, { type Sql } from "sql-template-tag";
import {
  ownKinds,
  type SourceKind,
  type SuspicionKind,
} from "../../domain/feed/page-quarantine.ts";
import { lastingKinds, type OddFeeds, type SourceKey } from "../../domain/feed/source-trust.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { changesRow, type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/** For so long an operator's word counts: by then all feeds have been read. */
const acceptedMs = 7 * dayMs;

const scopeOf = ({ workspaceId }: Pick<SourceKey, "workspaceId">): string => workspaceId ?? "";
/** Listings of the scope, and those that all share. */
const isInScope = (scope: string): Sql =>
  sql`(l.workspace_id is null or l.workspace_id::text = ${scope})`;
const isHeld = sql`f.quarantined_page is not null
  and f.quarantined_page->>'kind' <> all(${[...ownKinds]})`;

/**
 * Counts the other feeds of the source that looked odd within the last day, seen from one of its feeds. A feed that has been held back for
 * longer is an app of its own kind; one that passes now and then shows a layout that is tried on a part of the requests.
 *
 * @throws Error when counting gives no row, which is a bug
 */
export async function readOddFeeds(
  db: Db,
  feed: SourceKey & { listingId: string; region: string; now: Date },
): Promise<OddFeeds> {
  const { store, source, listingId, region, now } = feed;
  const scope = scopeOf(feed);
  const since = new Date(now.getTime() - dayMs);
  const acceptedSince = new Date(now.getTime() - acceptedMs);
  const found = await queryFirstRow(db, "readOddFeeds")<OddFeeds>`select
      count(*) filter (where f.listing_id = ${listingId})::int as "ownCount",
      count(distinct f.listing_id) filter (where f.listing_id <> ${listingId})::int as "otherAppCount",
      (array_agg(f.quarantined_page->>'reason' order by held.since))[1] as reason,
      ${source} = 'public' and exists (select from learned_shapes where state in ('shadow', 'proposed')
        and starts_with(name, ${storeTraits[store].shapePrefix})) as "isShapeTried",
      array(select kind from accepted_incidents where store = ${store} and source = ${source}
        and scope in ('', ${scope}) and accepted_at > ${acceptedSince}) as "acceptedKinds"
    from feeds f join listings l on l.id = f.listing_id
    cross join lateral (select case when ${isHeld} then (f.quarantined_page->>'since')::timestamptz
      else f.odd_at end as since) held
    where f.store = ${store} and (f.quarantined_page is not null or f.odd_at is not null)
      and f.is_official = ${source !== "public"}
      and held.since > ${since} and not (f.listing_id = ${listingId} and f.region = ${region})
      and ${isInScope(scope)}`;
  if (!found) throw new Error("counting gave no row");
  return found;
}

/** Whether ratings of other apps of the store looked odd within the last day. */
export async function hasOddRatings(
  db: Db,
  listing: { id: string; store: StoreId; workspaceId: string | null; now: Date },
): Promise<boolean> {
  const since = new Date(listing.now.getTime() - dayMs);
  const found = await queryFirstRow(db, "hasOddRatings")`select from feeds f
    join listings l on l.id = f.listing_id
    where f.store = ${listing.store} and f.quarantined_reading is not null
      and f.listing_id <> ${listing.id} and ${isInScope(scopeOf(listing))}
      and (f.quarantined_reading->>'since')::timestamptz > ${since} limit 1`;
  return found !== null;
}

/** Since when pages of the source look odd; null where none does. */
export async function readOddSince(db: Db, { store }: { store: StoreId }): Promise<Date | null> {
  const found = await queryFirstRow(db, "readOddSince")<{ since: Date | null }>`
    select min((f.quarantined_page->>'since')::timestamptz) as since from feeds f
    where f.store = ${store} and ${isHeld} and f.quarantined_page->>'source' = 'public'`;
  return found?.since ?? null;
}

/** A page of the feed looked odd to the crawl of another one. */
export async function noteOddFeed(
  db: Db,
  feed: { listingId: string; region: string; now: Date },
): Promise<void> {
  await execute(db, "noteOddFeed")`update feeds set odd_at = ${feed.now}
    where listing_id = ${feed.listingId} and kind = 'reviews' and region = ${feed.region}`;
}

/** Pages that looked odd are explained: a shape that reads them is in use. */
export async function forgetOddFeeds(db: Db, { store }: { store: StoreId }): Promise<void> {
  await execute(db, "forgetOddFeeds")`update feeds set odd_at = null
    where store = ${store} and odd_at is not null and not is_official`;
}

type WitnessFeed = { listingId: string; region: string };

/**
 * Feeds of the source with many reviews on their first page, for a look at how its pages are now: of the same region
 * first, because stores change their pages country by country, and those that are held back last.
 */
export function listWitnessFeeds(
  db: Db,
  feed: SourceKey & {
    listingId: string;
    region: string;
    /** One app looks odd: it does not testify. */
    isOnTrial: boolean;
    now: Date;
    limit: number;
  },
): Promise<WitnessFeed[]> {
  const { store, source, listingId, region, isOnTrial, now, limit } = feed;
  const since = new Date(now.getTime() - dayMs);
  return queryRows(db, "listWitnessFeeds")<WitnessFeed>`
    select f.listing_id as "listingId", f.region
    from feeds f join listings l on l.id = f.listing_id
    where f.store = ${store} and f.kind = 'reviews' and f.is_official = ${source !== "public"}
      and f.head_count >= 3 and f.baseline_at is not null and l.removed_at is null
      and not (f.listing_id = ${listingId} and f.region = ${region}) and ${isInScope(scopeOf(feed))}
      and not (${isOnTrial} and exists (select from feeds o where o.listing_id = f.listing_id
        and (o.odd_at > ${since} or o.quarantined_page is not null)))
    order by f.region <> ${region}, f.quarantined_page is not null, f.head_count desc,
      f.listing_id, f.region
    limit ${limit}`;
}

export type IncidentKey = {
  store: StoreId;
  source: SourceKind;
  scope: string;
  kind: SuspicionKind;
};

export type LayoutIncident = IncidentKey & {
  /** The oddity of the first page, in words. */
  reason: string;
  since: Date;
  /** When an operator said that such pages are right; null while they are held back. */
  acceptedAt: Date | null;
  /** How many feeds, of how many listings, are held back by it. */
  feedCount: number;
  listingCount: number;
  /** The one listing that it is about; null where it is about several. */
  listingId: string | null;
};

/**
 * Oddities that time doesn't confirm, and those of three feeds or two apps, the oldest first. Private listings are
 * counted by their workspace.
 */
export function listLayoutIncidents(db: Db): Promise<LayoutIncident[]> {
  return queryRows(db, "listLayoutIncidents")<LayoutIncident>`
    select f.store, f.quarantined_page->>'source' as source, owner.scope, f.quarantined_page->>'kind' as kind,
      (array_agg(f.quarantined_page->>'reason' order by f.quarantined_page->>'since'))[1] as reason,
      min((f.quarantined_page->>'since')::timestamptz) as since, a.accepted_at as "acceptedAt",
      count(*)::int as "feedCount", count(distinct f.listing_id)::int as "listingCount",
      case when count(distinct f.listing_id) = 1 then min(f.listing_id::text) end as "listingId"
    from feeds f join listings l on l.id = f.listing_id
    cross join lateral (select coalesce(l.workspace_id::text, '') as scope) owner
    left join accepted_incidents a on a.store = f.store and a.scope = owner.scope
      and a.source = f.quarantined_page->>'source' and a.kind = f.quarantined_page->>'kind'
    where ${isHeld}
    group by 1, 2, 3, 4, a.accepted_at
    having count(*) > 2 or count(distinct f.listing_id) > 1
      or f.quarantined_page->>'kind' <> all(${[...lastingKinds]})
    order by since, kind`;
}

type HeldFeed = { externalAppId: string; region: string; since: Date; reason: string };

const isOfIncident = ({ store, source, kind }: IncidentKey): Sql =>
  sql`f.store = ${store} and f.quarantined_page is not null
    and f.quarantined_page->>'source' = ${source} and f.quarantined_page->>'kind' = ${kind}`;
const isOfScope = ({ scope }: IncidentKey): Sql =>
  sql`l.id = f.listing_id and coalesce(l.workspace_id::text, '') = ${scope}`;

/** Feeds that are held back by the incident, at most `limit`. */
export function listHeldFeeds(db: Db, held: IncidentKey & { limit: number }): Promise<HeldFeed[]> {
  return queryRows(db, "listHeldFeeds")<HeldFeed>`select l.external_app_id as "externalAppId",
      f.region, f.quarantined_page->>'reason' as reason,
      (f.quarantined_page->>'since')::timestamptz as since
    from feeds f join listings l on ${isOfScope(held)}
    where ${isOfIncident(held)}
    order by since, 1, 2 limit ${held.limit}`;
}

/** Returns whether there is such an incident. */
export function acceptLayoutIncident(
  db: Db,
  accept: IncidentKey & { now: Date },
): Promise<boolean> {
  const { store, source, scope, kind, now } = accept;
  return changesRow(db, "acceptLayoutIncident")`
    insert into accepted_incidents (store, source, scope, kind, accepted_at)
    select ${store}, ${source}, ${scope}, ${kind}, ${now}
    where exists (select from feeds f join listings l on ${isOfScope(accept)}
      where ${isOfIncident(accept)})
    on conflict (store, source, scope, kind) do update set accepted_at = excluded.accepted_at`;
}

/** Forgets the pages that are held back by it, and that it was accepted. Returns whether there was one. */
export async function rejectLayoutIncident(db: Db, incident: IncidentKey): Promise<boolean> {
  const { store, source, scope, kind } = incident;
  await execute(db, "deleteAcceptedIncident")`delete from accepted_incidents
    where store = ${store} and source = ${source} and scope = ${scope} and kind = ${kind}`;
  const heldCount = await execute(db, "forgetHeldPages")`update feeds f set quarantined_page = null
    from listings l where ${isOfScope(incident)} and ${isOfIncident(incident)}`;
  return heldCount > 0;
}
