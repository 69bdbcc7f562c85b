// An app's all-time rating day by day: the totals over its storefronts as of each day that has a snapshot. The
// newest snapshot of a storefront counts until there is a newer one.
import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type Histogram, type Snapshot, sumSnapshots } from "../../domain/review/snapshot.ts";
import { addDays, type Day, dayMs } from "../../lib/timestamp.ts";

/** The day's all-time average; days without a snapshot are left out. */
export type RatingDay = { day: Day; average: number; total: number };

/** `total` is null where a Play Console export has only the average. */
export type RatingHistoryDay = { day: Day; average: number; total: number | null };

// Beyond it a chart has too few pixels for every day.
export const everyDayMax = 400;

export async function readRatingDays(
  database: Pick<Database, "listSnapshotDays" | "listSnapshotsAsOf">,
  { app, from, to }: { app: App; from: Day; to: Day },
): Promise<RatingDay[]> {
  const asOf = { listingId: app.listingId, day: addDays(from, -1), withHistogram: false };
  const before = await database.listSnapshotsAsOf(asOf);
  const snapshots = await listDays(database, { apps: [app], from, to });
  return sumDays({ before, snapshots, countries: app.countries });
}

/** With histograms, of some storefronts each by itself, else of all together; by day, or as of Mondays. */
export async function readRatingHistory(
  database: Pick<Database, "listSnapshotDays" | "listSnapshotsAsOf" | "listRatingAverages">,
  query: {
    app: Pick<App, "id" | "workspaceId" | "listingId" | "countries">;
    from: Day;
    to: Day;
    mondaysOnly: boolean;
    regions: readonly string[] | null;
  },
): Promise<(HistoryDay & { region: string | null })[]> {
  const { app, from, to, mondaysOnly, regions } = query;
  const read = { apps: [app], from, to, mondaysOnly, withHistogram: true };
  const asOf = { listingId: app.listingId, day: addDays(from, -1), withHistogram: false };
  const before = await database.listSnapshotsAsOf(asOf);
  const snapshots = await database.listSnapshotDays(read);
  if (regions === null) {
    const averages = await database.listRatingAverages(read);
    const days = joinDays({ before, snapshots, averages, countries: app.countries });
    return days.map((day) => ({ ...day, region: null }));
  }
  const history = regions.flatMap((region) => {
    const isOwn = (one: Snapshot): boolean => one.region === region;
    const own = { before: before.filter(isOwn), snapshots: snapshots.filter(isOwn) };
    return sumDays({ ...own, countries: [region] }).map((day) => ({ ...day, region }));
  });
  return history.sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
}

/**
 * The rating days of each app. Days before the first snapshot come from Play Console exports: averages, without the
 * number of ratings.
 */
export async function readRatingHistories(
  database: Pick<Database, "listSnapshotDays" | "listRatingAverages">,
  query: {
    /** With the snapshots as of the day before `from`. */
    apps: readonly { app: App; before: readonly Snapshot[] }[];
    from: Day;
    to: Day;
  },
): Promise<RatingHistoryDay[][]> {
  const { from, to } = query;
  const snapshots = await listDays(database, { apps: query.apps.map(({ app }) => app), from, to });
  const unread = query.apps.filter(({ before }) => before.length === 0).map(({ app }) => app);
  const averages =
    unread.length === 0 ? [] : await database.listRatingAverages({ apps: unread, from, to });
  return query.apps.map(({ app: { id, listingId, countries }, before }) =>
    joinDays({
      before,
      snapshots: snapshots.filter((one) => one.listingId === listingId),
      averages: averages.filter(({ appId }) => appId === id),
      countries,
    }).map(({ day, average, total }) => ({ day, average, total })),
  );
}

type HistoryDay = RatingHistoryDay & { histogram: Histogram | null };
type ReadDays = {
  before: readonly Snapshot[];
  snapshots: readonly Snapshot[];
  countries: readonly string[];
};

function joinDays(read: ReadDays & { averages: readonly RatingAverageDay[] }): HistoryDay[] {
  const days = sumDays(read);
  const first = read.before.length > 0 ? "" : days[0]?.day;
  const earlier = read.averages.filter(({ day }) => first === undefined || day < first);
  return [
    ...earlier.map(({ day, average }) => ({ day, average, total: null, histogram: null })),
    ...days,
  ];
}

type RatingAverageDay = { day: Day; average: number };

function listDays(
  database: Pick<Database, "listSnapshotDays">,
  query: { apps: readonly App[]; from: Day; to: Day },
): Promise<Snapshot[]> {
  const dayCount = (Date.parse(query.to) - Date.parse(query.from)) / dayMs + 1;
  const mondaysOnly = dayCount > everyDayMax;
  return database.listSnapshotDays({ ...query, mondaysOnly, withHistogram: false });
}

function sumDays({
  before,
  snapshots,
  countries,
}: ReadDays): (RatingDay & { histogram: Histogram | null })[] {
  const newest = new Map<string, Snapshot>(before.map((one) => [one.region, one]));
  const days: ReturnType<typeof sumDays> = [];
  for (const [index, snapshot] of snapshots.entries()) {
    newest.set(snapshot.region, snapshot);
    const { day } = snapshot;
    if (snapshots[index + 1]?.day === day) continue;
    const sum = sumSnapshots([...newest.values()], countries);
    if (!sum) continue;
    const { average, total, histogram } = sum;
    days.push({ day, average, total, histogram });
  }
  return days;
}
