// Reads an export of ratings as a crawl does, from a bucket that is a string.
import { MovableClock } from "../../src/lib/clock.ts";
import { readConsoleRatings } from "../../src/stores/google/official/console-ratings.ts";

export function readRatingsExport(text: string): Promise<unknown> {
  const path = "stats/ratings/ratings_app.sample_202610_overview.csv";
  const bucket = {
    list: async () => [{ path, name: "202610_overview.csv", version: "1" }],
    async read(
      _: unknown,
      { readBody }: { readBody(chunks: AsyncIterable<Buffer>): Promise<void> },
    ) {
      await readBody(ReadableStream.from([Buffer.from(text)]));
      return null;
    },
  };
  const clock = new MovableClock(new Date("2026-11-01T00:00:00Z"));
  const source = { bucket: bucket as never, seen: new Map(), clock };
  const request = { externalAppId: "app.sample", knownMonths: new Set<string>() };
  return readConsoleRatings(source, { ...request, save: async () => {} });
}
