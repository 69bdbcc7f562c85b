// The cost of several servers: the same steps on a Citus and on one PostgreSQL, in turns, in one run. `npm run citus`
// starts a Citus; TEST_CITUS_URL names it.
import { setTimeout as delay } from "node:timers/promises";
import type { Channel } from "../../src/domain/channel/channel.ts";
import type { ClaimedChannel } from "../../src/domain/channel/delivery.ts";
import type { ReviewFilters } from "../../src/domain/review/review-filter.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { citusUrl, noCitus } from "../../test/support/citus.ts";
import { aDelivery } from "../../test/support/factories.ts";
import { readOptions } from "../options.ts";
import { newestDay, oldestDay } from "../read-api/data.ts";
import { type Figure, medianOf, printFigures } from "../read-api/report.ts";
import { openWorlds, type World } from "./worlds.ts";

const bytesMax = 33_554_432;

const options = readOptions(
  { name: "citus", about: "What several servers cost, against one. TEST_CITUS_URL names a Citus." },
  {
    rounds: [100, "how often each step is taken on both"],
    only: ["", "steps with these words alone"],
  },
);

/** Rounds before those that count: plans are made, connections opened. */
const warmUp = 10;

/** Deliveries that a claim brings along. */
const perChannel = 4;

type Step = {
  what: string;
  limit: string;
  /** Preparations are done before the time begins. */
  prepare(world: World, round: number): Promise<() => Promise<unknown>>;
};

const resources = new ResourceStack();
try {
  if (citusUrl === undefined) throw new Error(noCitus);
  const { plain, spread } = await openWorlds(resources, citusUrl);
  // The servers of the rows are found and tried by the first page.
  for (const app of spread.apps) await readPage(spread, app, {});
  await delay(1_000);
  const figures: Figure[] = [];
  const steps = listSteps().filter(({ what }) => what.includes(options.only));
  for (const { what, limit, prepare } of steps) {
    const times = new Map<World, number[]>([plain, spread].map((world) => [world, []]));
    for (let round = 0; round < options.rounds + warmUp; round += 1) {
      for (const [world, measured] of times) {
        const run = await prepare(world, round);
        const startMs = performance.now();
        await run();
        if (round >= warmUp) measured.push(performance.now() - startMs);
      }
    }
    const [ofPlain = [], ofSpread = []] = times.values();
    for (const [part, measured] of [
      [plain.name, ofPlain],
      [spread.name, ofSpread],
    ] as const) {
      figures.push({
        part,
        what: `${what}: median`,
        value: medianOf(measured),
        unit: "ms",
        limit: "",
      });
      figures.push({
        part,
        what: `${what}: fastest`,
        value: Math.min(...measured),
        unit: "ms",
        limit: "",
      });
    }
    const part = "Citus ÷ one";
    const ratio = medianOf(ofSpread) / medianOf(ofPlain);
    const fastest = Math.min(...ofSpread) / Math.min(...ofPlain);
    figures.push({
      part,
      what: `${what}: medians`,
      value: ratio,
      unit: "",
      limit: limit && `≤ ${limit}`,
    });
    figures.push({ part, what: `${what}: fastest rounds`, value: fastest, unit: "", limit: "" });
  }
  printFigures(figures, { rounds: options.rounds });
} finally {
  await resources.closeAll();
}

function listSteps(): Step[] {
  return [
    pageStep("page", {}),
    pageStep("page by stars", { rating: [1] }),
    pageStep("page by topic", { topic: ["crash"] }),
    {
      what: "trends",
      limit: "10",
      prepare: async (world, round) => () => readTrends(world, round),
    },
    ...listDeliverySteps(),
    ingestStep("ingest of 50 reviews that nobody is told of", 1),
    ingestStep("ingest of 50 reviews that 16 channels are told of", 0),
  ];
}

function listDeliverySteps(): Step[] {
  const prepareClaim = async (world: World): Promise<void> => {
    await queueDeliveries(world, world.channels);
    await release(world, world.channels);
  };
  const outcomes = (result: "delivered" | "expired"): Step => ({
    what: `outcomes of 64 ${result}`,
    limit: "8",
    async prepare(world) {
      await prepareClaim(world);
      const leases = await claim(world);
      return () => saveOutcomes(world, { leases, result });
    },
  });
  const claims: Step = {
    what: "claim of 16 channels with 64 deliveries",
    limit: "8",
    async prepare(world) {
      await prepareClaim(world);
      return () => claim(world);
    },
  };
  return [claims, outcomes("delivered"), outcomes("expired")];
}

function pageStep(what: string, filters: ReviewFilters): Step {
  return {
    what,
    limit: "10",
    prepare: async (world, round) => () => readPage(world, appOf(world, round), filters),
  };
}

function appOf({ apps }: World, round: number) {
  const app = apps[round % apps.length];
  if (!app) throw new Error("no apps");
  return app;
}

/** As the endpoint reads it. */
async function readPage(
  { database }: World,
  { id: appId, workspaceId }: { id: string; workspaceId: string },
  filters: ReviewFilters,
): Promise<void> {
  const query = {
    workspaceId,
    filters,
    after: null,
    limit: 50,
  };
  const apps = await database.listFollowedApps({ workspaceId, ids: [appId] });
  await database.listReviewPage({ ...query, apps });
}

async function readTrends(world: World, round: number): Promise<void> {
  const { id, workspaceId } = appOf(world, round);
  const apps = await world.database.listFollowedApps({ workspaceId, ids: [id] });
  const scope = { apps, workspaceId, from: oldestDay, to: newestDay };
  await world.database.countWeeks(scope);
  await world.database.countTopics({ ...scope, limit: 10 });
}

async function queueDeliveries({ database }: World, channels: readonly Channel[]): Promise<void> {
  const now = systemClock.now();
  const deliveries = channels.flatMap((channel) =>
    Array.from({ length: perChannel }, () => aDelivery(channel, { now })),
  );
  await database.enqueueDeliveries({ deliveries, now });
}

async function release({ queue, workerId }: World, channels: readonly Channel[]): Promise<void> {
  await queue.releaseChannels({ workerId, channelIds: channels.map(({ id }) => id) });
}

async function claim({ queue, workerId }: World): Promise<ClaimedChannel[]> {
  const leases = await queue.claimDeliveries({
    workerId,
    now: systemClock.now(),
    held: [],
    answeringMax: 64,
    failingMax: 32,
    fullHosts: [],
    perChannelMax: perChannel,
    countMax: 1_024,
    bytesMax,
  });
  if (leases.length === 0) throw new Error("nothing was due");
  return leases;
}

async function saveOutcomes(
  { queue, workerId }: World,
  { leases, result }: { leases: readonly ClaimedChannel[]; result: "delivered" | "expired" },
): Promise<void> {
  const now = systemClock.now();
  const answer =
    result === "delivered" ? { status: 200, reason: null } : { status: 500, reason: "HTTP 500" };
  const attempts = leases.flatMap(({ deliveries }) =>
    deliveries.map(({ id, channelId, event }) => ({
      ...{ deliveryId: id, channelId, event, number: 1, startedAt: now, durationMs: 12 },
      ...{ ...answer, answer: null, isTimeout: false, outcome: { kind: result } },
    })),
  );
  const saved = await queue.saveOutcomes({ workerId, attempts, healths: [], now });
  if (saved.savedIds.length < leases.length) throw new Error("some outcomes were not saved");
}

function ingestStep(what: string, appIndex: number): Step {
  return {
    what,
    limit: "8",
    async prepare(world, round) {
      const app = appOf(world, appIndex);
      const listing = await world.database.findListing(app.listingId);
      if (!listing) throw new Error("the listing is missing");
      const reviews = Array.from({ length: 50 }, (_, number) => ({
        ...{ storeReviewId: `${what} ${round} ${number}`, author: "harbour", title: "Tides" },
        ...{ rating: (number % 5) + 1, text: "The tide tables are exact.", version: "4.1" },
        ...{ country: "us", languageHint: null, date: systemClock.now(), votes: null, reply: null },
      }));
      const batch = { listing, reviews, source: "import", undatedAt: null } as const;
      return () => world.ingest({ ...batch, notifyPolicy: { kind: "always" } });
    },
  };
}
