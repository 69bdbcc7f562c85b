// Exports all daily ratings of an app, by storefront and day, in the form that an import takes.
import type { Database } from "../../database/database.ts";
import type { App } from "../../domain/listing.ts";
import type { Day } from "../../lib/timestamp.ts";

export type ExportedRating = {
  date: Day;
  /** The storefront; "" is the whole app. */
  region: string;
  average: number;
  /** null where a Play Console export had the average alone. */
  total: number | null;
  histogram: Readonly<Record<string, number>> | null;
};

const batchSize = 1_000;

/** Batches of ratings; write each at once. */
export async function* exportRatings(
  database: Pick<Database, "listRatingsOfApp">,
  app: App,
): AsyncGenerator<ExportedRating[]> {
  for (let after = { region: "", day: "0001-01-01" }; ; ) {
    const ratings = await database.listRatingsOfApp({ app, after, limit: batchSize });
    yield ratings.map(({ day, region, average, total, histogram }) => ({
      ...{ date: day, region, average, total },
      histogram: histogram && Object.fromEntries(histogram.map((count, at) => [at + 1, count])),
    }));
    const last = ratings.at(-1);
    if (!last || ratings.length < batchSize) return;
    after = last;
  }
}
