// The rollups, from which trends and pages by topic are read, equal a recount of the reviews after any
// sequence of crawls and imports.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../src/domain/feed/listing.ts";
import type { SourceReview } from "../src/domain/review/review.ts";
import { importReviews } from "../src/features/imports/import-reviews.ts";
import type { IngestReviews } from "../src/ingest/ingest-batch.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { dayMs } from "../src/lib/timestamp.ts";
import { anApp, aWorkspace, startTime } from "./support/factories.ts";
import { readRollups } from "./support/read-rollups.ts";
import { recountRollups } from "./support/recount.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let ingest: IngestReviews;
beforeAll(async () => {
  context = await openTestContext();
  ingest = createIngest(context);
});
afterAll(() => context.close());

type ReviewInput = { id: number; rating: number; text: string; dayAgo: number };

const reviewInput: fc.Arbitrary<ReviewInput> = fc.record({
  id: fc.integer({ min: 0, max: 7 }),
  rating: fc.integer({ min: 1, max: 5 }),
  text: fc.constantFrom(
    "",
    "I love this app, it works great",
    "It crashes at every login and I hate it",
    "Great sync, but far too many ads",
    "The tide table has four columns",
  ),
  dayAgo: fc.integer({ min: 0, max: 20 }),
});
const step = fc.record({
  source: fc.constantFrom("store", "import"),
  reviews: fc.uniqueArray(reviewInput, { maxLength: 6, selector: ({ id }) => id }),
});

test("rollups equal a recount after any sequence of new reviews, edits and imports", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { id: workspaceId } = await aWorkspace(context.database);
      // Private, so that an import stays on the listing that is crawled.
      const app = await anApp(context.database, { workspaceId, isPrivate: true });
      for (const { source, reviews } of steps) {
        if (source === "store") await ingestPage(app, reviews);
        else await importRows(app, reviews);
      }
      const { listingId } = app;
      const stored = await context.database.listReviewsById({
        listingId,
        afterId: null,
        limit: 100,
      });
      const ids = new Set(steps.flatMap(({ reviews }) => reviews.map(({ id }) => id)));
      expect(stored).toHaveLength(ids.size);
      expect(await readRollups(context, listingId)).toEqual(recountRollups(stored));
    }),
    { numRuns: 30 },
  );
});

async function ingestPage(app: App, reviews: readonly ReviewInput[]): Promise<void> {
  const listing = await context.database.findListing(app.listingId);
  if (!listing) throw new Error("the listing is missing");
  const read = reviews.map(
    ({ id, rating, text, dayAgo }): SourceReview => ({
      storeReviewId: storeIdOf(id),
      author: "riverstone",
      rating,
      title: null,
      text,
      version: "1.0",
      country: "us",
      languageHint: "en",
      date: dateOf(dayAgo),
      votes: null,
      reply: null,
    }),
  );
  await ingest({
    listing,
    reviews: read,
    notifyPolicy: { kind: "never" },
    source: "store",
    undatedAt: null,
  });
}

async function importRows(app: App, reviews: readonly ReviewInput[]): Promise<void> {
  const rows = reviews.map(({ id, rating, text, dayAgo }) =>
    JSON.stringify({ id: storeIdOf(id), rating, text, date: dateOf(dayAgo).toISOString() }),
  );
  // An import needs at least one row.
  if (rows.length === 0) return;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(rows.join("\n"));
  }
  const source = { name: "reviews.jsonl", chunks: chunks() };
  const choice = { appId: app.id, workspaceId: null, source, notify: false };
  const { rejected } = await importReviews({ ...context, ingestReviews: ingest }, choice);
  expect(rejected).toEqual([]);
}

/** Bare numbers in a row could count the rows of a file. */
const storeIdOf = (id: number): string => `review-${id}`;

function dateOf(dayAgo: number): Date {
  return new Date(startTime.getTime() - dayAgo * dayMs);
}
