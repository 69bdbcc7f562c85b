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
  query: { app: App; from: Day; to: Day },
): Promise<RatingDay[]> {
  const { app, from, to } = query;
  const { listingId, countries } = app;
  const dayCount = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  const before = await database.listSnapshotsAsOf({
    listingId,
    day: addDays(from, -1),
    withHistogram: false,
  });
  const mondaysOnly = dayCount > everyDayMax;
  const snapshots = await database.listSnapshotDays({ app, from, to, mondaysOnly });
  const newest = new Map<string, Snapshot>(before.map((one) => [one.region, one]));
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

/** Before the first snapshot what a Play Console export tells: averages, without the number of ratings. */
export async function readRatingHistory(
  database: Pick<Database, "listSnapshotDays" | "listSnapshotsAsOf" | "listRatingAverages">,
  query: { app: App; from: Day; to: Day },
): Promise<RatingHistoryDay[]> {
  const { app, from, to } = query;
  const days = await readRatingDays(database, query);
  const asOf = { listingId: app.listingId, day: addDays(from, -1), withHistogram: false };
  if ((await database.listSnapshotsAsOf(asOf)).length > 0) return days;
  const averages = await database.listRatingAverages({ app, from, to });
  const [first] = days;
  const earlier = averages.filter(({ day }) => first === undefined || day < first.day);
  return [...earlier.map((one) => ({ ...one, total: null })), ...days];
}
