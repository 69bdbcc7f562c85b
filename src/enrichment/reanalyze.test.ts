// Re-analysis of stored reviews: after an upgrade, after fine-tuning, and with analyses by a provider.
import { beforeEach, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../test/support/factories.ts";
import { generateOpinions, opinionLanguage } from "../../test/support/generated-opinions.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { analysisVersion } from "../analysis/analyze.ts";
import type { Database } from "../database/database.ts";
import type { App } from "../domain/listing.ts";
import type { Review } from "../domain/review.ts";
import { dayMs } from "../lib/timestamp.ts";
import { listFineTuning, setFineTuning } from "../use-cases/analysis/fine-tuning.ts";
import { type Analyzer, createAnalyzer } from "./analyzer.ts";
import { fineTuneLanguages } from "./fine-tune.ts";
import { type ReanalysisProgress, reanalyze } from "./reanalyze.ts";

let context: TestContext;
let analyzer: Analyzer;
let workspaceId: string;
let app: App;

beforeEach(async () => {
  context = await openTestContext();
  analyzer = await createAnalyzer(context.database);
  workspaceId = (await aWorkspace(context.database)).id;
  app = await anApp(context.database, { workspaceId });
  return () => context.close();
});

const deps = () => ({ ...context, analyzer });
const reviewsOf = async ({ listingId }: App) =>
  context.database.listReviewsById({ listingId, afterId: null, limit: 5_000 });
const inventedReviews = (count: number, seed = 1): Review[] =>
  generateOpinions({ count, seed }).map((opinion) => ({
    ...aReview(),
    ...opinion,
    languageHint: null,
  }));

async function runAll(scope: string | null = null, shouldContinue?: () => Promise<boolean>) {
  const lines: ReanalysisProgress[] = [];
  const onProgress = (progress: ReanalysisProgress): void => void lines.push(progress);
  const options = { workspaceId: scope, onProgress, ...(shouldContinue ? { shouldContinue } : {}) };
  return { ...(await reanalyze(deps(), options)), lines };
}

/** Rollups equal those of an app that got the same reviews just now. */
async function expectRecount(of: App): Promise<void> {
  const elsewhere = await aWorkspace(context.database);
  const fresh = await anApp(context.database, { workspaceId: elsewhere.id });
  await saveReviews(context.database, fresh, await reviewsOf(of));
  const [stored, recounted] = [
    await context.database.readRollups(of.listingId),
    await context.database.readRollups(fresh.listingId),
  ];
  expect({ ...stored, topicRows: stored.topicRows.length }).toEqual({
    ...recounted,
    topicRows: recounted.topicRows.length,
  });
}

test("reviews of an older analysis version, or of none, are analyzed again; the rollups follow", async () => {
  await saveReviews(context.database, app, [
    aReview({ title: null, text: "It crashes all the time.", rating: 1, sentiment: "positive" }),
    aReview({ text: "Funciona muy bien, gracias.", rating: 5, sentiment: null }),
    aReview({ text: "", title: null }),
  ]);
  const done = await runAll();
  expect(done).toMatchObject({ reviewCount: 3, lines: [{ doneCount: 3, totalCount: 3 }] });
  const reviews = await reviewsOf(app);
  expect(reviews.map(({ analysis }) => analysis?.version)).toEqual(Array(3).fill(analysisVersion));
  const byRating = (rating: number) => reviews.find((one) => one.rating === rating)?.analysis;
  expect(byRating(1)).toMatchObject({
    sentiment: { label: "negative" },
    topics: expect.arrayContaining(["crash"]),
  });
  expect(byRating(5)).toMatchObject({ language: "es", sentiment: { label: "positive" } });
  await expectRecount(app);
  expect(await runAll(workspaceId)).toMatchObject({ reviewCount: 0, lines: [] });
});

test("a run that was stopped continues where it ended, within its workspace", async () => {
  await saveReviews(context.database, app, inventedReviews(1_200));
  const other = await anApp(context.database, {
    workspaceId: (await aWorkspace(context.database)).id,
  });
  await saveReviews(context.database, other, [aReview()]);
  const stopped = await runAll(workspaceId, async () => false);
  expect(stopped.lines).toEqual([{ doneCount: 500, totalCount: 1_200 }]);
  const rest = await runAll(workspaceId);
  expect(rest.lines).toEqual([
    { doneCount: 500, totalCount: 700 },
    { doneCount: 700, totalCount: 700 },
  ]);
  expect((await reviewsOf(other))[0]?.analysis?.version).not.toBe(analysisVersion);
  expect(await runAll()).toMatchObject({ reviewCount: 1 });
});

test("sentiment and topics by a provider stay; the built-in part is renewed", async () => {
  const opinion = {
    language: "xx",
    version: 1,
    provider: "openai small-1",
    topics: ["ads"],
    sentiment: { label: "mixed" as const, score: 0.1, clauseMin: -0.5, clauseMax: 0.5 },
  };
  const text = "The tide tables are right every single day.";
  await saveReviews(context.database, app, [{ ...aReview({ text }), analysis: opinion }]);
  expect(await runAll()).toMatchObject({ reviewCount: 1 });
  const [review] = await reviewsOf(app);
  expect(review?.analysis).toMatchObject({
    ...opinion,
    language: "en",
    version: analysisVersion,
    sentiment: { label: "mixed" },
  });
  expect(await runAll()).toMatchObject({ reviewCount: 0 });
});

test("Google Play's country follows the language", async () => {
  const play = await anApp(context.database, {
    workspaceId,
    store: "googleplay",
    externalAppId: "com.example.tides",
  });
  await saveReviews(context.database, play, [
    aReview({ text: "Funciona muy bien, gracias.", country: "en" }),
  ]);
  await runAll();
  expect((await reviewsOf(play))[0]).toMatchObject({ country: "es" });
});

test("fine-tuned weights are promoted, used for stored reviews, switched off and on again", async () => {
  // The stars decide the label of invented words; three take no side.
  const undecided = inventedReviews(20, 2).map((review) => ({ ...review, rating: 3 }));
  await saveReviews(context.database, app, [...inventedReviews(600), ...undecided]);
  await runAll();
  const listed = async () => (await listFineTuning(context.database, analysisVersion))[0];
  expect(await listed()).toBeUndefined();

  const [adapted] = await fineTuneLanguages(deps(), { isForced: false });
  expect(adapted).toMatchObject({ language: opinionLanguage, change: "promote" });
  expect(await listed()).toMatchObject({
    isInUse: true,
    reviews: 600,
    status: expect.stringContaining("in use"),
  });
  expect((await listed())?.accuracy).toBeGreaterThan(
    ((await listed())?.shippedAccuracy ?? 100) + 20,
  );

  const renewed = await runAll();
  expect(renewed.reviewCount).toBe(620);
  expect(renewed.changedCount).toBeGreaterThan(0);
  const numbers = async () => [
    ...new Set((await reviewsOf(app)).map((one) => one.analysis?.fineTuning)),
  ];
  expect(await numbers()).toEqual([1]);
  await expectRecount(app);

  await setFineTuning(context.database, { language: opinionLanguage, isEnabled: false });
  expect(await fineTuneLanguages(deps(), { isForced: true })).toEqual([]);
  expect(await listed()).toMatchObject({ isInUse: false, status: "switched off" });
  expect(await runAll(workspaceId)).toMatchObject({ reviewCount: 620 });
  expect(await numbers()).toEqual([undefined]);

  await setFineTuning(context.database, { language: opinionLanguage, isEnabled: true });
  await setFineTuning(context.database, { language: null, isEnabled: false });
  expect(await listed()).toMatchObject({
    isInUse: false,
    status: "switched off for all languages",
  });
  expect(await fineTuneLanguages(deps(), { isForced: true })).toEqual([]);
  await setFineTuning(context.database, { language: null, isEnabled: true });
  expect(await runAll(workspaceId)).toMatchObject({ reviewCount: 620 });
  expect(await numbers()).toEqual([1]);
});

test("private reviews, like imported ones, are not trained with", async () => {
  await saveReviews(context.database, app, inventedReviews(1));
  const isolated = await aWorkspace(context.database);
  const copy = await anApp(context.database, { workspaceId: isolated.id, isPrivate: true });
  await saveReviews(context.database, copy, [aReview({ text: "Nur für uns", title: null })]);
  const listings = await context.database.listTrainingListings(1_000);
  expect(listings).toContain(app.listingId);
  expect(listings).not.toContain(copy.listingId);
});

test("a language is trained again with a fifth more reviews, or after a week", async () => {
  await saveReviews(context.database, app, inventedReviews(300));
  await runAll();
  const tried = async () => (await fineTuneLanguages(deps(), { isForced: false })).length;
  expect(await tried()).toBe(1);
  expect(await tried()).toBe(0);
  const more = await anApp(context.database, { workspaceId, externalAppId: "77" });
  await saveReviews(context.database, more, inventedReviews(60, 5));
  await runAll();
  expect(await tried()).toBe(1);
  context.clock.advance(8 * dayMs);
  expect(await tried()).toBe(1);
});

test("of two processes that train at once, the slower one changes nothing", async () => {
  await saveReviews(context.database, app, inventedReviews(300));
  await runAll();
  const other = { ...context, analyzer: await createAnalyzer(context.database) };
  const bothTried = meeting(2);
  const meet = <Process extends { database: Database }>(process: Process): Process => ({
    ...process,
    database: {
      ...process.database,
      async saveFineTuningRun(tried) {
        await bothTried();
        return process.database.saveFineTuningRun(tried);
      },
    },
  });
  const both = await Promise.all([
    fineTuneLanguages(meet(deps()), { isForced: true }),
    fineTuneLanguages(meet(other), { isForced: true }),
  ]);
  expect(both.flat()).toHaveLength(1);
  expect(other.analyzer.fineTuningOf(opinionLanguage)?.number ?? 1).toBe(1);
});

/** Everybody waits until so many have come. */
function meeting(count: number): () => Promise<void> {
  let comeCount = 0;
  let open = (): void => {};
  const isComplete = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    comeCount += 1;
    if (comeCount === count) open();
    return isComplete;
  };
}
