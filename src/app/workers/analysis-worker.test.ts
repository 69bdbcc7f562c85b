// The analysis worker, round by round.
import { beforeEach, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { generateOpinions } from "../../../test/support/generated-opinions.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { analysisVersion } from "../../analysis/analyze.ts";
import type { App } from "../../domain/listing.ts";
import { createAnalyzer } from "../../enrichment/analyzer.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { silentLog } from "../../lib/log.ts";
import { listFineTuning, runFineTuningAgain } from "../../use-cases/analysis/fine-tuning.ts";
import { runAnalysisRound } from "./analysis-worker.ts";

let context: TestContext;
let app: App;
beforeEach(async () => {
  context = await openTestContext();
  app = await anApp(context.database, { workspaceId: (await aWorkspace(context.database)).id });
  return () => context.close();
});

/** Runs one round and returns what it logged. */
async function runRound(stop = new AbortController()): Promise<string[]> {
  const messages: string[] = [];
  const log = { ...silentLog, info: (_: unknown, message: string) => void messages.push(message) };
  const analyzer = await createAnalyzer(context.database);
  const delay = async (): Promise<void> => {};
  await runAnalysisRound({ ...context, analyzer, log, delay }, stop.signal);
  return messages;
}

const save = (count: number) => {
  const opinions = generateOpinions({ count });
  const saved = opinions.map((opinion) => ({ ...aReview(), ...opinion }));
  return saveReviews(context.database, app, saved);
};
const reviews = () => {
  const { listingId } = app;
  return context.database.listReviewsById({ listingId, afterId: null, limit: 5_000 });
};

test("after an upgrade all reviews are analyzed again, once, and then used for fine-tuning", async () => {
  await save(600);
  expect(await runRound()).toContain("stored reviews were analyzed again");
  expect((await reviews()).every(({ analysis }) => analysis?.version === analysisVersion)).toBe(
    true,
  );
  // Only now are their languages known.
  expect(await runRound()).toEqual([
    expect.stringMatching(
      /^fine-tuning of Georgian sentiment finished: promoted .* \(accuracy \d+\.\d → \d+\.\d %\)$/,
    ),
    "stored reviews were analyzed again",
  ]);
  expect((await reviews()).every(({ analysis }) => analysis?.fineTuning === 1)).toBe(true);
  expect(await runRound()).toEqual([]);
});

test("a language with too few reviews says how many are missing, and is trained once it has enough", async () => {
  const listed = async () =>
    (await listFineTuning(context.database)).find(({ language }) => language === "ka");
  await save(150);
  await runRound();
  await runRound();
  expect(await listed()).toMatchObject({ reviews: 150, missing: 50, isInUse: false });
  await saveReviews(
    context.database,
    app,
    generateOpinions({ count: 210 })
      .slice(150)
      .map((opinion) => ({ ...aReview({ analysisVersion: 0 }), ...opinion })),
  );
  await context.database.saveAnalyzedModelVersion("older");
  await runRound();
  expect((await runRound()).join()).toContain("fine-tuning of Georgian sentiment finished");
  expect(await listed()).toMatchObject({ missing: 0 });
  await runFineTuningAgain(context.database);
  expect(await listed()).toMatchObject({ triedAt: null });
  expect((await runRound()).join()).toContain("fine-tuning of Georgian sentiment finished");
});

test("a round that was stopped is continued by the next one", async () => {
  await save(600);
  const stop = new AbortController();
  stop.abort();
  await runRound(stop);
  expect(await context.database.findAnalyzedModelVersion()).toBeNull();
  await runRound();
  expect(await context.database.findAnalyzedModelVersion()).toContain(`engine-${analysisVersion}`);
});

test("a process that has not read a promotion analyzes new reviews with it nevertheless", async () => {
  const { clock, database } = context;
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("the listing is missing");
  const elsewhere = await createAnalyzer(database);
  const { analyze, refresh: refreshAnalysis } = elsewhere;
  const ingest = createIngest({ clock, database, analyze, refreshAnalysis });
  await save(600);
  await runRound();
  await runRound();
  const [opinion] = generateOpinions({ count: 1, seed: 7 });
  const { author, version, country, date, languageHint } = aReview();
  const added = { storeReviewId: "later", author, version, country, date, languageHint };
  const review = { ...added, votes: null, reply: null, rating: 5, title: null, text: "" };
  const policy = { notifyPolicy: { kind: "never" }, source: "store", undatedAt: null } as const;
  await ingest({ listing, reviews: [{ ...review, ...opinion }], ...policy });
  const saved = (await reviews()).find(({ storeReviewId }) => storeReviewId === "later");
  expect(saved?.analysis).toMatchObject({ language: "ka", fineTuning: 1 });
});
