// What the service does for its analysis by itself, round by round.
import { beforeEach, expect, test } from "vitest";
import { inventOpinions } from "../../../test/support/invented-opinions.ts";
import {
  anApp,
  aReview,
  aWorkspace,
  openWorld,
  saveReviews,
  type World,
} from "../../../test/support/world.ts";
import { analysisVersion } from "../../analysis/analyze.ts";
import type { App } from "../../domain/listing.ts";
import { openAnalyst } from "../../enrichment/analyzer.ts";
import { silentLog } from "../../lib/log.ts";
import { lookAfter } from "./analysis-worker.ts";

let world: World;
let app: App;
beforeEach(async () => {
  world = await openWorld();
  app = await anApp(world.database, { workspaceId: (await aWorkspace(world.database)).id });
  return () => world.close();
});

async function aRound(stop = new AbortController()): Promise<string[]> {
  const told: string[] = [];
  const log = { ...silentLog, info: (_: unknown, message: string) => void told.push(message) };
  const analyst = await openAnalyst(world.database);
  const delay = async (): Promise<void> => {};
  await lookAfter({ ...world, analyst, log, delay }, stop.signal);
  return told;
}

const save = (count: number) => {
  const said = inventOpinions({ count });
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
  expect(await world.database.findAnalysisMark()).toBeNull();
  await aRound();
  expect(await world.database.findAnalysisMark()).toContain(`engine-${analysisVersion}`);
});
