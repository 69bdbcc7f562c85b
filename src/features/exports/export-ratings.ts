// Exports all daily ratings of an app, by storefront and day, in the form that an import takes.
import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import { readBatches } from "../../lib/read-batches.ts";
import type { Day } from "../../lib/timestamp.ts";
import { watchApps } from "../../use-cases/apps/watch-apps.ts";

type ExportedRating = Pick<App, "store" | "externalAppId"> & {
  date: Day;
  /** The storefront; "" is the whole app. */
  region: string;
  average: number;
  /** null where a Play Console export had the average alone. */
  total: number | null;
  histogram: Record<string, number> | null;
};

const batchSize = 1_000;

/**
 * Batches of ratings; write each at once.
 *
 * @throws AppError `conflict` when the app was removed or moved meanwhile
 */
export async function* exportRatings(
  database: Pick<Database, "listApps" | "listRatingsOfApp">,
  app: App,
): AsyncGenerator<ExportedRating[]> {
  const assertUnmoved = await watchApps(database, app.workspaceId, [app]);
  type Rating = Awaited<ReturnType<Database["listRatingsOfApp"]>>[number];
  const batches = readBatches(batchSize, (last: Rating | null) => {
    const after = last ?? { region: "", day: "0001-01-01" };
    return database.listRatingsOfApp({ app, after, limit: batchSize });
  });
  for await (const ratings of batches) {
    await assertUnmoved();
    yield ratings.map(({ day: date, region, average, total, histogram }) => {
      const counts = histogram?.map((count, at) => [at + 1, count]);
      return {
        store: app.store,
        externalAppId: app.externalAppId,
        date,
        region,
        average,
        total,
        histogram: counts ? Object.fromEntries(counts) : null,
      };
    });
  }
}
