// An app's all-time rating day by day: the totals over its storefronts as of each day that has a snapshot. The
// newest snapshot of a storefront counts until there is a newer one.
import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/listing.ts";
import { type Snapshot, sumSnapshots } from "../../domain/snapshot.ts";
import { addDays, type Day, dayMs } from "../../lib/timestamp.ts";
import type { RatingDay, RatingHistoryDay } from "../contract/overview.ts";

// Beyond it a chart has too few pixels for every day.
const everyDayMax = 400;

export async function readRatingDays(
  database: Pick<Database, "listSnapshotDays" | "listSnapshotsAsOf">,
  { app, from, to }: { app: App; from: Day; to: Day },
): Promise<RatingDay[]> {
  const asOf = { listingId: app.listingId, day: addDays(from, -1), withHistogram: false };
  const before = await database.listSnapshotsAsOf(asOf);
  const snapshots = await listDays(database, { apps: [app], from, to });
  return sumDays({ before, snapshots, countries: app.countries });
}

/** Of each app. Before the first snapshot what a Play Console export tells: averages, without the number of ratings. */
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
  return query.apps.map(({ app, before }) => {
    const { id, listingId, countries } = app;
    const ofApp = snapshots.filter((one) => one.listingId === listingId);
    const days = sumDays({ before, snapshots: ofApp, countries });
    const [first] = days;
    const earlier = averages.filter(
      ({ appId, day }) => appId === id && (first === undefined || day < first.day),
    );
    return [...earlier.map(({ day, average }) => ({ day, average, total: null })), ...days];
  });
}

type SnapshotDay = Omit<Snapshot, "histogram">;

function listDays(
  database: Pick<Database, "listSnapshotDays">,
  query: { apps: readonly App[]; from: Day; to: Day },
): Promise<SnapshotDay[]> {
  const dayCount = (Date.parse(query.to) - Date.parse(query.from)) / dayMs + 1;
  return database.listSnapshotDays({ ...query, mondaysOnly: dayCount > everyDayMax });
}

function sumDays(of: {
  before: readonly Snapshot[];
  snapshots: readonly SnapshotDay[];
  countries: readonly string[];
}): RatingDay[] {
  const { snapshots, countries } = of;
  const newest = new Map<string, Snapshot>(of.before.map((one) => [one.region, one]));
  const days: RatingDay[] = [];
  for (const [index, snapshot] of snapshots.entries()) {
    newest.set(snapshot.region, { ...snapshot, histogram: null });
    const { day } = snapshot;
    if (snapshots[index + 1]?.day === day) continue;
    const sum = sumSnapshots([...newest.values()], countries);
    if (sum) days.push({ day, average: sum.average, total: sum.total });
  }
  return days;
}
