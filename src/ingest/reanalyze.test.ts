// Re-analysis of stored reviews: after an upgrade, and with analyses by a provider.

import { beforeEach, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../test/support/factories.ts";
import { readRollups } from "../../test/support/read-rollups.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { analysisVersion } from "../analysis/analyze.ts";
import type { App } from "../domain/feed/listing.ts";
import type { Review } from "../domain/review/review.ts";
import { type ReanalysisProgress, reanalyze } from "./reanalyze.ts";

let context: TestContext;
let workspaceId: string;
let app: App;

beforeEach(async () => {
  context = await openTestContext();
  workspaceId = (await aWorkspace(context.database)).id;
  app = await anApp(context.database, { workspaceId });
  return () => context.close();
});

const reviewsOf = async ({ listingId }: App) =>
  context.database.listReviewsById({ listingId, afterId: null, limit: 5_000 });
const inventedReviews = (count: number): Review[] =>
  Array.from({ length: count }, (_, at) => aReview({ text: `The tides are right ${at}` }));

async function runAll(scope: string | null = null, shouldContinue?: () => Promise<boolean>) {
  const lines: ReanalysisProgress[] = [];
  const onProgress = (progress: ReanalysisProgress): void => void lines.push(progress);
  const options = { workspaceId: scope, onProgress, ...(shouldContinue ? { shouldContinue } : {}) };
  return { ...(await reanalyze(context, options)), lines };
}

/** Rollups equal those of an app that got the same reviews just now. */
async function expectRecount(of: App): Promise<void> {
  const elsewhere = await aWorkspace(context.database);
  const fresh = await anApp(context.database, { workspaceId: elsewhere.id });
  await saveReviews(context.database, fresh, await reviewsOf(of));
  const [stored, recounted] = [
    await readRollups(context, of.listingId),
    await readRollups(context, fresh.listingId),
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

test("workspaces take turns by batches, so that one with many reviews keeps no other waiting", async () => {
  const many = [app, await anApp(context.database, { workspaceId })];
  for (const one of many) await saveReviews(context.database, one, inventedReviews(1_100));
  const other = await anApp(context.database, {
    workspaceId: (await aWorkspace(context.database)).id,
  });
  await saveReviews(context.database, other, inventedReviews(3));
  let batchCount = 0;
  await runAll(null, async () => {
    batchCount += 1;
    return batchCount < 2;
  });
  expect((await reviewsOf(other)).map(({ analysis }) => analysis?.version)).toEqual(
    Array(3).fill(analysisVersion),
  );
  expect(await runAll()).toMatchObject({ reviewCount: 1_700 });
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
