// Figures of the apps themselves, of all workspaces: ratings, and reviews by sentiment. Read from rollups and snapshots
// every few minutes at most, whatever the interval of scrapes.
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../database/database.ts";
import type { FollowedApp } from "../database/reviews/followed-apps.ts";
import type { DayCounts } from "../database/reviews/review-counts.ts";
import { reviewLimits } from "../domain/review.ts";
import { type Snapshot, sumSnapshots } from "../domain/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import { createKeptValue } from "../lib/kept-value.ts";
import { dayOf, minuteMs } from "../lib/timestamp.ts";

const keptMs = 5 * minuteMs;

/** Beyond it series would be too many for a Prometheus of usual size: the newest workspaces are left out. */
const appsMax = 500;

type AppMetricsDeps = {
  clock: Clock;
  database: Pick<
    Database,
    "countDateRanges" | "listFollowedApps" | "listSnapshotsAsOfEach" | "listWorkspaces"
  >;
};

/**
 * Returns a function that reads them all.
 *
 * @throws AppError `unavailable` from it; the figures stay as they were read last
 */
export function createAppMetrics(registry: Registry, deps: AppMetricsDeps): () => Promise<void> {
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({
      name: `starpost_app_${name}`,
      help,
      labelNames: ["app", "name", "store", label],
      registers: [registry],
    });
  const rating = gauge(
    "rating",
    "All-time average of a storefront, or of `all` together.",
    "region",
  );
  const ratings = gauge("ratings_total", "All-time number of ratings by stars.", "stars");
  const reviews = gauge(
    "reviews_total",
    "Stored reviews by sentiment; `none` without.",
    "sentiment",
  );
  return createKeptValue({ clock: deps.clock, keptMs }, async () => {
    const apps = await readApps(deps);
    for (const one of [rating, ratings, reviews]) one.reset();
    for (const { app, snapshots, counts } of apps) {
      const { id, name, store, countries } = app;
      const of = { app: id, name, store };
      const sum = sumSnapshots(snapshots, countries);
      if (sum) rating.set({ ...of, region: "all" }, sum.average);
      for (const { region, average } of snapshots) {
        if (countries.includes(region)) rating.set({ ...of, region }, average);
      }
      for (const [index, count] of (sum?.histogram ?? []).entries()) {
        ratings.set({ ...of, stars: index + 1 }, count);
      }
      const { positive, neutral, negative, mixed, total } = counts;
      const none = total - positive - neutral - negative - mixed;
      for (const [sentiment, count] of Object.entries({
        positive,
        neutral,
        negative,
        mixed,
        none,
      })) {
        reviews.set({ ...of, sentiment }, count);
      }
    }
  });
}

type AppFigures = { app: FollowedApp; snapshots: Snapshot[]; counts: DayCounts };

async function readApps({ clock, database }: AppMetricsDeps): Promise<AppFigures[]> {
  const day = dayOf(clock.now());
  const found: AppFigures[] = [];
  for (const { id: workspaceId } of await database.listWorkspaces()) {
    if (found.length >= appsMax) break;
    const followed = await database.listFollowedApps({ workspaceId, ids: null });
    const apps = followed.slice(0, appsMax - found.length);
    const ranges = apps.map((app) => ({ app, from: `${reviewLimits.yearMin}-01-01`, to: day }));
    const counts = await database.countDateRanges({ workspaceId, ranges });
    const snapshots = await database.listSnapshotsAsOfEach(
      apps.map(({ listingId }) => ({ listingId, day, withHistogram: false })),
    );
    for (const [index, app] of apps.entries()) {
      const count = counts[index];
      if (count) found.push({ app, snapshots: snapshots[index] ?? [], counts: count });
    }
  }
  return found;
}
