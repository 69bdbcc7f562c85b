// Layout incidents: the same oddity in several feeds of a store at a time. One feed may confirm its own oddity; a change
// of the store's layout would confirm itself in each of them, so nothing of that kind is saved while it lasts.
import type { SuspicionKind } from "../../domain/page-quarantine.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { changesRow, type Db, execute, queryFirstRow, queryRows } from "../query.ts";

type IncidentKey = { store: StoreId; kind: SuspicionKind };

type LayoutIncident = IncidentKey & {
  /** The oddity of the first page, in words. */
  reason: string;
  since: Date;
  /** When an operator said that such pages are right; null while they are held back. */
  acceptedAt: Date | null;
  /** How many feeds, of how many listings, are held back by it. */
  feedCount: number;
  listingCount: number;
};

/** With the feed that is being read, in three feeds or in those of two apps. */
const otherFeedsMin = 2;
const otherListingsMin = 1;

/**
 * Returns the incident of an oddity that a page of a feed has just shown; begins an incident when enough other feeds
 * are held back by the same kind.
 */
export async function noteOddPage(
  db: Db,
  odd: IncidentKey & { listingId: string; region: string; reason: string; now: Date },
): Promise<{ isOpen: boolean; acceptedAt: Date | null }> {
  const { store, kind, listingId, region, reason, now } = odd;
  await execute(db, "beginLayoutIncident")`insert into layout_incidents (store, kind, reason, since)
    select ${store}, ${kind}, ${reason}, ${now} from feeds
    where store = ${store} and quarantined_page is not null and quarantined_page->>'kind' = ${kind}
      and not (listing_id = ${listingId} and region = ${region})
    having count(*) >= ${otherFeedsMin}
      or count(distinct listing_id) filter (where listing_id <> ${listingId}) >= ${otherListingsMin}
    on conflict do nothing`;
  const found = await queryFirstRow(db, "findLayoutIncident")<Pick<LayoutIncident, "acceptedAt">>`
    select accepted_at as "acceptedAt" from layout_incidents
    where store = ${store} and kind = ${kind}`;
  return { isOpen: found !== null, acceptedAt: found?.acceptedAt ?? null };
}

/** A feed that was held back shows a page without the oddity: the layout is right again, or the parser is. */
export async function endLayoutIncident(
  db: Db,
  end: IncidentKey & { acceptedBefore: Date },
): Promise<void> {
  await execute(db, "endLayoutIncident")`delete from layout_incidents
    where store = ${end.store} and kind = ${end.kind}
      and (accepted_at is null or accepted_at < ${end.acceptedBefore})`;
}

/** The oldest first. */
export function listLayoutIncidents(db: Db): Promise<LayoutIncident[]> {
  return queryRows(db, "listLayoutIncidents")<LayoutIncident>`select i.store, i.kind, i.reason,
      i.since, i.accepted_at as "acceptedAt",
      count(f.listing_id)::int as "feedCount", count(distinct f.listing_id)::int as "listingCount"
    from layout_incidents i left join feeds f
      on f.store = i.store and f.quarantined_page is not null and f.quarantined_page->>'kind' = i.kind
    group by i.store, i.kind order by i.since, i.kind`;
}

type HeldFeed = { externalAppId: string; region: string; since: Date; reason: string };

/** Feeds that are held back by the kind, at most `limit`. */
export function listHeldFeeds(db: Db, held: IncidentKey & { limit: number }): Promise<HeldFeed[]> {
  return queryRows(db, "listHeldFeeds")<HeldFeed>`select l.external_app_id as "externalAppId",
      f.region, f.quarantined_page->>'reason' as reason,
      (f.quarantined_page->>'since')::timestamptz as since
    from feeds f join listings l on l.id = f.listing_id
    where f.store = ${held.store} and f.quarantined_page is not null
      and f.quarantined_page->>'kind' = ${held.kind}
    order by since, 1, 2 limit ${held.limit}`;
}

/** Returns whether there is such an incident. */
export function acceptLayoutIncident(
  db: Db,
  accept: IncidentKey & { now: Date },
): Promise<boolean> {
  return changesRow(db, "acceptLayoutIncident")`update layout_incidents
    set accepted_at = ${accept.now} where store = ${accept.store} and kind = ${accept.kind}`;
}

/** Forgets the incident and the pages that are held back by it. Returns whether there was one. */
export async function rejectLayoutIncident(db: Db, { store, kind }: IncidentKey): Promise<boolean> {
  await execute(db, "forgetHeldPages")`update feeds set quarantined_page = null
    where store = ${store} and quarantined_page is not null and quarantined_page->>'kind' = ${kind}`;
  return changesRow(db, "deleteLayoutIncident")`delete from layout_incidents
    where store = ${store} and kind = ${kind}`;
}
