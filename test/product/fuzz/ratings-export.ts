// Reads an export of ratings as a crawl does, from a bucket that is a string.

import type { ConsoleBucket } from "../../../src/features/store-accounts/google/console-bucket.ts";
import { readConsoleRatings } from "../../../src/features/store-accounts/google/console-ratings.ts";
import { unexpectedContent } from "../../../src/stores/response-check.ts";
import { MovableClock } from "../../support/movable-clock.ts";

export function readRatingsExport(text: string): Promise<unknown> {
  const path = "stats/ratings/ratings_app.sample_202610_overview.csv";
  const bucket: Pick<ConsoleBucket, "listMonths" | "read"> = {
    listMonths: async () => [{ path, month: "202610", version: "1" }],
    async read(_file, { expected, parse }) {
      const parsed = await parse(ReadableStream.from([Buffer.from(text)]));
      return parsed ?? unexpectedContent("a bucket", expected);
    },
  };
  const clock = new MovableClock(new Date("2026-11-01T00:00:00Z"));
  const source = { bucket: bucket as ConsoleBucket, seen: new Map(), clock };
  const request = { externalAppId: "app.sample", knownMonths: new Set<string>() };
  return readConsoleRatings(source, { ...request, save: async () => {} });
}
