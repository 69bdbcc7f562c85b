// The analysis worker, round by round.
import { beforeEach, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { analysisVersion } from "../../analysis/analyze.ts";
import type { App } from "../../domain/feed/listing.ts";
import { silentLog } from "../../lib/log.ts";
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
  const delay = async (): Promise<void> => {};
  await runAnalysisRound({ ...context, log, delay }, stop.signal);
  return messages;
}

const save = (count: number) => {
  const saved = Array.from({ length: count }, (_, at) =>
    aReview({ text: `The tides are right ${at}` }),
  );
  return saveReviews(context.database, app, saved);
};
const reviews = () => {
  const { listingId } = app;
  return context.database.listReviewsById({ listingId, afterId: null, limit: 5_000 });
};

test("after an upgrade all reviews are analyzed again, once", async () => {
  await save(600);
  expect(await runRound()).toEqual(["stored reviews were analyzed again"]);
  expect((await reviews()).every(({ analysis }) => analysis?.version === analysisVersion)).toBe(
    true,
  );
  expect(await runRound()).toEqual([]);
});

test("a round that was stopped is continued by the next one", async () => {
  await save(600);
  const stop = new AbortController();
  stop.abort();
  await runRound(stop);
  expect(await context.database.isAnalyzedWith(analysisVersion)).toBe(false);
  await runRound();
  expect(await context.database.isAnalyzedWith(analysisVersion)).toBe(true);
});
