// What the service does for its analysis by itself, round by round.
import { beforeEach, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { generateOpinions } from "../../../test/support/generated-opinions.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { analysisVersion } from "../../analysis/analyze.ts";
import type { App } from "../../domain/listing.ts";
import { createAnalyzer } from "../../enrichment/analyzer.ts";
import { silentLog } from "../../lib/log.ts";
import { runAnalysisRound } from "./analysis-worker.ts";

let world: TestContext;
let app: App;
beforeEach(async () => {
  world = await openTestContext();
  app = await anApp(world.database, { workspaceId: (await aWorkspace(world.database)).id });
  return () => world.close();
});

async function aRound(stop = new AbortController()): Promise<string[]> {
  const told: string[] = [];
  const log = { ...silentLog, info: (_: unknown, message: string) => void told.push(message) };
  const analyzer = await createAnalyzer(world.database);
  const delay = async (): Promise<void> => {};
  await runAnalysisRound({ ...world, analyzer: analyzer, log, delay }, stop.signal);
  return told;
}

const save = (count: number) => {
  const said = generateOpinions({ count });
  return saveReviews(
    world.database,
    app,
    said.map((one) => ({ ...aReview(), ...one })),
  );
};
const reviews = () => {
  const { listingId } = app;
  return world.database.listReviewsById({ listingId, afterId: null, limit: 5_000 });
};

test("after an upgrade all reviews are analysed again, once, and then learned from", async () => {
  await save(600);
  expect(await aRound()).toContain("reviews were analysed again");
  expect((await reviews()).every(({ analysis }) => analysis?.version === analysisVersion)).toBe(
    true,
  );
  // Their languages are known now.
  expect(await aRound()).toEqual([
    "the sentiment of a language was tried to be trained further",
    "reviews were analysed again",
  ]);
  expect((await reviews()).every(({ analysis }) => analysis?.adaptation === 1)).toBe(true);
  expect(await aRound()).toEqual([]);
});

test("a round that was stopped is taken up by the next", async () => {
  await save(600);
  const stop = new AbortController();
  stop.abort();
  await aRound(stop);
  expect(await world.database.findAnalyzedModelVersion()).toBeNull();
  await aRound();
  expect(await world.database.findAnalyzedModelVersion()).toContain(`engine-${analysisVersion}`);
});
