import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { analyzeReview } from "../../analysis/analyze.ts";
import { AppError } from "../../domain/error.ts";
import type { App } from "../../domain/feed/listing.ts";
import { reviewIdOf } from "../../domain/review/review.ts";
import type { Analyze } from "../../ingest/analyze-ahead.ts";
import type { IngestReviews } from "../../ingest/ingest-batch.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import type { ImportReviewsDeps } from "./import-batches.ts";
import { importReviews } from "./import-reviews.ts";

let context: TestContext;
let ingest: IngestReviews;

beforeAll(async () => {
  context = await openTestContext();
  ingest = createIngest(context);
});
afterAll(() => context.close());

type Row = Record<string, unknown>;

const [german, english] = ["Stürzt nach dem Start ab.", "Works well on my old phone."];
const [january, may] = ["2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"];

/** A batch of 1,000 rows, with the given one in it. */
function aBatch(name: string, row: Row = {}): Row[] {
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ id: `${name}-${at}`, rating: 4, date: january, text: "Steady." },
  }));
  return rows.map((one, at) => (at === 500 ? { ...one, ...row } : one));
}

async function importBatches(
  batches: readonly Row[][],
  { app: known, ...more }: Partial<ImportReviewsDeps> & { app?: App } = {},
) {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app =
    known ?? (await anApp(context.database, { workspaceId, store: "googleplay", isPrivate: true }));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(batches.flatMap((rows) => rows.map((row) => JSON.stringify(row))).join("\n"));
  }
  const deps = { ...context, ingestReviews: ingest, ...more };
  const source = { name: "reviews.jsonl", chunks: chunks() };
  const result = await importReviews(deps, {
    ...{ appId: app.id, workspaceId: null, source, notify: false },
  });
  const { listingId } = app;
  const id = reviewIdOf({ ...app, storeReviewId: "twice" });
  const [review] = await context.database.loadReviews({ listingId, ids: [id] });
  const versions = await context.database.loadReviewVersions({ listingId, reviewIds: [id] });
  return { app, result, review, versions };
}

test.each([
  ["an older row after a newer one is an earlier version", [may, january]],
  ["a newer row after an older one is an edit", [january, may]],
])("between neighbouring batches, %s", async (_, [first, second]) => {
  const rowOf = (date: string | undefined) =>
    date === may ? { rating: 1, text: german, date } : { rating: 5, text: english, date };
  const { result, review, versions } = await importBatches([
    aBatch("a"),
    aBatch("b", { id: "twice", ...rowOf(first) }),
    aBatch("c", { id: "twice", ...rowOf(second) }),
  ]);
  expect(result).toMatchObject({ inserted: 2_999, rejectedCount: 0 });
  expect(result).toMatchObject(first === may ? { earlierVersions: 1 } : { updated: 1 });
  expect(review).toMatchObject({ rating: 1, text: german, analysis: { language: "de" } });
  expect(versions).toMatchObject([{ rating: 5, text: english }]);
});

test("the last of the rows of one date counts, also when its batch is ready while the one before is tried again", async () => {
  let hasFailed = false;
  const failingOnce: IngestReviews = async (batch) => {
    if (batch.reviews[0]?.storeReviewId !== "b-0" || hasFailed) return ingest(batch);
    hasFailed = true;
    throw new AppError("unavailable", "the database is unavailable");
  };
  const batchEnds = new EventEmitter();
  let aheadCount = 0;
  const analyze: Analyze = (input) => {
    aheadCount += 1;
    if (aheadCount === 1_000) batchEnds.emit("analysed");
    return analyzeReview(input);
  };
  const delay = async () => {
    await once(batchEnds, "analysed");
    // The batch takes its turns first.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  };
  const { result, review, versions } = await importBatches(
    [
      aBatch("a"),
      aBatch("b", { id: "twice", rating: 5, text: english }),
      aBatch("c", { id: "twice", rating: 1, text: german }),
    ],
    { ingestReviews: failingOnce, analyze, delay },
  );
  expect(result).toMatchObject({ inserted: 2_999, updated: 1 });
  expect(review).toMatchObject({ rating: 1, text: german, analysis: { language: "de" } });
  expect(versions).toMatchObject([{ rating: 5, text: english }]);
});

test("a batch that fails ends the import: the ones before are saved, and none behind", async () => {
  const saved: (string | undefined)[] = [];
  const failing: IngestReviews = async (batch) => {
    const name = batch.reviews[0]?.storeReviewId;
    if (name === "b-0") throw new Error("out of luck");
    saved.push(name);
    return ingest(batch);
  };
  const batches = [aBatch("a"), aBatch("b"), aBatch("c")];
  const { result } = await importBatches(batches, { ingestReviews: failing });
  expect(result).toMatchObject({
    ...{ inserted: 1_000, updated: 0, stopped: { reason: "internal error: out of luck" } },
  });
  expect(saved).toEqual(["a-0"]);
});

test("new reviews are analysed while the batch before is saved, and those of a file that comes again are not", async () => {
  let aheadCount = 0;
  const analyze: Analyze = (input) => {
    aheadCount += 1;
    return analyzeReview(input);
  };
  const titled = { id: "twice", title: german, text: "" };
  const batches = [aBatch("a"), aBatch("b"), aBatch("c", titled)];
  const { app, review } = await importBatches(batches, { analyze });
  // Whether reviews are new is known once the first batch is saved, when the second one is ready.
  expect(aheadCount).toBe(1_000);
  expect(review).toMatchObject({ title: null, text: german, analysis: { language: "de" } });
  const again = await importBatches(batches, { app, analyze });
  expect(again.result).toMatchObject({ inserted: 0, unchanged: 3_000 });
  expect(aheadCount).toBe(1_000);
});
