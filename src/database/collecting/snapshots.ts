// Ratings: daily snapshots per listing and storefront, and averages without totals.

import sql, { type Sql } from "sql-template-tag";
import type { RatingAverage } from "../../domain/review/rating-average.ts";
import type { Histogram, Snapshot } from "../../domain/review/snapshot.ts";
import type { Day } from "../../lib/timestamp.ts";
import { readByApp, readListings } from "../cluster/coordinator.ts";
import { type Db, queryFirstRow, queryRows, queryValues } from "../query.ts";
import { type Parameter, parameter, unnest } from "../sql.ts";
import { toArrayText } from "../values.ts";
import { raiseListingVersion } from "./listings.ts";

type SnapshotRow = Omit<Snapshot, "histogram"> & { histogram: number[] | null };

const columns = sql`listing_id as "listingId", region, day, average, total, histogram`;

type Saved = { inserted: number; updated: number };

/** Each region and day once. The latest reading of a day counts: a second one replaces the first. */
export function saveSnapshots(
  db: Db,
  save: {
    listingId: string;
    snapshots: readonly Omit<Snapshot, "listingId">[];
    capturedAt: Date;
  },
): Promise<Saved> {
  const { listingId } = save;
  const rows = unnest("given", save.snapshots, {
    region: ["text", ({ region }) => region],
    day: ["date", ({ day }) => day],
    average: ["double precision", ({ average }) => average],
    total: ["bigint", ({ total }) => total],
    histogram: ["text", ({ histogram }) => histogram && toArrayText(histogram)],
  });
  const insert = sql`insert into snapshots as s (listing_id, region, day, average, total, histogram,
      captured_at)
    select ${listingId}, region, day, average, total, histogram::bigint[], ${save.capturedAt} from ${rows}
    on conflict (listing_id, region, day) do update set average = excluded.average,
      total = excluded.total, histogram = excluded.histogram, captured_at = excluded.captured_at
    where (s.average, s.total, s.histogram)
      is distinct from (excluded.average, excluded.total, excluded.histogram)`;
  return saveDays(db, { name: "saveSnapshots", listingId, insert });
}

/** Returns how many days were new, and how many had other values. */
async function saveDays(
  db: Db,
  { name, listingId, insert }: { name: string; listingId: string; insert: Sql },
): Promise<Saved> {
  const counts = (await queryFirstRow(db, name)<Saved>`
    with saved as (${insert} returning xmax = 0 as is_new)
    select count(*) filter (where is_new)::int as inserted,
      count(*) filter (where not is_new)::int as updated
    from saved`) ?? { inserted: 0, updated: 0 };
  if (counts.inserted + counts.updated > 0) await raiseListingVersion(db, { listingId });
  return counts;
}

type AsOf = { listingId: string; day: Day | null; withHistogram: boolean };

/** The newest snapshot of each region that is not younger than `day`; null means any day. */
export async function listSnapshotsAsOf(db: Db, query: AsOf): Promise<Snapshot[]> {
  const [found = []] = await listSnapshotsAsOfEach(db, [query]);
  return found;
}

/** The answer of `listSnapshotsAsOf` to each of them. */
export async function listSnapshotsAsOfEach(
  db: Db,
  queries: readonly AsOf[],
): Promise<Snapshot[][]> {
  if (queries.length === 0) return [];
  const parts = await readByApp(db, queries, (part) => listSnapshotsOf(db, part));
  return parts.flat();
}

async function listSnapshotsOf(db: Db, queries: readonly AsOf[]): Promise<Snapshot[][]> {
  const listingIds = parameter(queries.map(({ listingId }) => listingId));
  // Region by region, so that each is one lookup of the index.
  const found = await readListings(db, "listSnapshotsAsOf", { listingIds, tables: ["snapshots"] })<
    SnapshotRow & { number: number }
  >`
    select q.number::integer, s.*
    from unnest(${listingIds}::uuid[], ${queries.map(({ day }) => day)}::date[],
        ${queries.map(({ withHistogram }) => withHistogram)}::boolean[])
      with ordinality q (listing_id, day, with_histogram, number)
    cross join lateral (
      with recursive regions (region) as (
        (select min(region) from snapshots where listing_id = q.listing_id)
        union all
        select (select min(s.region) from snapshots s
          where s.listing_id = q.listing_id and s.region > r.region)
        from regions r where r.region is not null
      )
      select s.* from regions r cross join lateral (
        select ${columns} from snapshots
        where listing_id = q.listing_id and region = r.region and (q.day is null or day <= q.day)
          and (not q.with_histogram or histogram is not null or total = 0)
        order by day desc limit 1
      ) s where r.region is not null
    ) s`;
  const lists: Snapshot[][] = queries.map(() => []);
  for (const { number, ...row } of found) {
    lists[number - 1]?.push({ ...row, histogram: toHistogram(row.histogram) });
  }
  return lists;
}

/**
 * Snapshots of the storefronts that the workspace follows, and averages of the days without one, by storefront and day,
 * for exports.
 */
export async function listRatingsOfApp(
  db: Db,
  query: {
    app: { id: string; listingId: string; workspaceId: string };
    after: Pick<Snapshot, "region" | "day">;
    limit: number;
  },
): Promise<(Omit<Snapshot, "listingId" | "total"> & { total: number | null })[]> {
  const { app, after } = query;
  const found = await queryRows(db, "listRatingsOfApp")<
    Omit<SnapshotRow, "listingId" | "total"> & { total: number | null }
  >`select s.region, s.day, s.average, s.total, s.histogram
    from apps a cross join (
      select region, day, average, total, histogram from snapshots where listing_id = ${app.listingId}
      union all
      select region, day, average, null, null from rating_averages r where listing_id = ${app.listingId}
        and not exists (
        select from snapshots t where t.listing_id = ${app.listingId} and t.region = r.region
          and t.day = r.day
      )
    ) s
    where a.id = ${app.id} and a.workspace_id = ${app.workspaceId} and a.listing_id = ${app.listingId}
      and (s.region, s.day) > (${after.region}, ${after.day}::date)
      and (s.region = '' or s.region = any(a.countries))
    order by s.region, s.day limit ${query.limit}`;
  return found.map((row) => ({ ...row, histogram: toHistogram(row.histogram) }));
}

// int8 arrays come as arrays of text from the driver.
function toHistogram(counts: readonly (number | string)[] | null): Histogram | null {
  if (!counts) return null;
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = counts.map(Number);
  return [one, two, three, four, five];
}

/** Snapshots of the days of apps of one workspace, oldest first; `mondaysOnly` thins a range of years. Without histograms these are null. */
export function listSnapshotDays(
  db: Db,
  query: {
    apps: readonly NamedApp[];
    from: Day;
    to: Day;
    mondaysOnly: boolean;
    withHistogram: boolean;
  },
): Promise<Snapshot[]> {
  const { from, to, mondaysOnly, withHistogram } = query;
  const apps = writeApps(query.apps);
  return readListings(db, "listSnapshotDays", { ...apps, tables: ["snapshots"] })`
    select p.listing_id as "listingId", s.region, s.day, s.average,
      s.total, case when ${withHistogram}::boolean then s.histogram::double precision[] end as histogram
    from ${apps.rows}
    cross join lateral (
      select * from snapshots s where s.listing_id = p.listing_id
        and (s.region = '' or s.region = any(a.countries)) and s.day between ${from}::date and ${to}::date
        and (not ${mondaysOnly}::boolean or extract(isodow from s.day) = 1) offset 0
    ) s
    order by s.day, s.region`;
}

type NamedApp = { id: string; listingId: string; workspaceId: string };

/** Each app as `a` and its listing as `p.listing_id`; without apps of other workspaces. */
function writeApps(apps: readonly NamedApp[]): { listingIds: Parameter; rows: Sql } {
  const listingIds = parameter(apps.map(({ listingId }) => listingId));
  const rows = sql`unnest(${apps.map(({ id }) => id)}::uuid[],
        ${apps.map(({ workspaceId }) => workspaceId)}::uuid[], ${listingIds}::uuid[])
      p (id, workspace_id, listing_id)
    join apps a on a.id = p.id and a.workspace_id = p.workspace_id and a.listing_id = p.listing_id`;
  return { listingIds, rows };
}

// Averages of ratings by day without their number, as the Play Console exports them. Snapshots come before them.

/** Each region and day once. */
export function saveRatingAverages(
  db: Db,
  save: { listingId: string; averages: readonly RatingAverage[] },
): Promise<Saved> {
  const { listingId } = save;
  const rows = unnest("given", save.averages, {
    region: ["text", ({ region }) => region],
    day: ["date", ({ day }) => day],
    average: ["double precision", ({ average }) => average],
  });
  const insert = sql`insert into rating_averages as a (listing_id, region, day, average)
    select ${listingId}, * from ${rows}
    on conflict (listing_id, region, day) do update set average = excluded.average
    where a.average <> excluded.average`;
  return saveDays(db, { name: "saveRatingAverages", listingId, insert });
}

/** For each app those of the whole app, else of the only storefront that it follows; the oldest day first. */
export function listRatingAverages(
  db: Db,
  query: { apps: readonly NamedApp[]; from: Day; to: Day },
): Promise<{ appId: string; day: Day; average: number }[]> {
  const { from, to } = query;
  const apps = writeApps(query.apps);
  return readListings(db, "listRatingAverages", { ...apps, tables: ["rating_averages"] })`
    select distinct on (p.id, r.day) p.id as "appId", r.day, r.average
    from ${apps.rows} join rating_averages r on r.listing_id = p.listing_id
    where r.day between ${from} and ${to} and (r.region = '' or a.countries = array[r.region])
    order by p.id, r.day, r.region`;
}

/** Months like `202610` of which the whole app has averages. */
export async function listRatingAverageMonths(
  db: Db,
  listingId: string,
): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues(db, "listRatingAverageMonths")<string>`
      select distinct to_char(day, 'YYYYMM') as month from rating_averages where listing_id = ${listingId} and region = ''`,
  );
}
