// Walking all pages while another connection inserts and edits: what did not change meanwhile is met
// exactly once.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import { silentLog } from "../../lib/log.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { reviewsResponse } from "../contract.ts";

let context: ApiTestContext;
let collector: Database;
beforeAll(async () => {
  context = await openApiTestContext();
  const { connectionString } = context;
  collector = await openDatabase({ log: silentLog, connection: { connectionString } });
});
afterAll(async () => {
  await collector.close();
  await context.close();
});

const newest = Date.parse("2026-11-20T10:00:00Z");
const topics = ["ads"];

function reviewOf(minute: number): Review {
  return aReview({ date: new Date(newest - minute * minuteMs), rating: 4, topics });
}

/** As stores do it: an edit has a date of its own, and may say anything. */
async function edit(app: App, before: Review, change: Partial<Review>): Promise<void> {
  const after = { ...before, ...change };
  const { listingId } = app;
  await collector.transaction(async (tx) => {
    await tx.updateReviews({ listingId, reviews: [after] });
    await tx.addToRollups({ listingId, changes: [{ before, after }] });
  });
}

const minute = fc.integer({ min: 0, max: 9 });
const step = fc.record({
  arrivesAt: fc.option(minute),
  editsIndex: fc.option(fc.nat()),
  movesTo: minute,
  rating: fc.constantFrom(1, 4, 5),
});
const filters = ["", "rating=4", "topic=ads", "rating=4&topic=ads", "sentiment=neutral"];

test("every review that did not change is met once, whatever arrives and moves on the way", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(minute, { minLength: 1, maxLength: 30 }),
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom(...filters),
      async (minutes, steps, limit, filter) => {
        const { workspace, key } = await context.addWorkspace();
        const app = await anApp(context.database, { workspaceId: workspace.id });
        const kept = await saveReviews(collector, app, minutes.map(reviewOf));
        const current = new Map(kept.map((review) => [review.id, review]));
        const walked: string[] = [];
        const edited = new Set<string>();
        let cursor: string | null = null;
        do {
          const query: string = `${filter}&limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`;
          const answer = await context.request(`/api/v1/reviews?${query}`, { key });
          const page = reviewsResponse.parse(answer.json);
          walked.push(...page.reviews.map(({ id }) => id));
          const next = steps.pop();
          if (next) {
            if (next.arrivesAt !== null) {
              await saveReviews(collector, app, [reviewOf(next.arrivesAt)]);
            }
            const { id } = kept[(next.editsIndex ?? 0) % kept.length] ?? { id: "" };
            const before = current.get(id);
            if (next.editsIndex !== null && before) {
              const { date } = reviewOf(next.movesTo - 5);
              await edit(app, before, { date, rating: next.rating });
              current.set(id, { ...before, date, rating: next.rating });
              edited.add(id);
            }
          }
          cursor = page.nextCursor;
        } while (cursor !== null);
        for (const { id } of kept.filter((review) => !edited.has(review.id))) {
          expect(walked.filter((met) => met === id)).toHaveLength(1);
        }
      },
    ),
    { numRuns: 25 },
  );
});
