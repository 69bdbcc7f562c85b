// One answer to "did this release make it worse, and did the next one help", wherever it is read: over invented histories
// and the demo, the pages, a report in a file, the command line, the read API, assistants, digests and alerts say the same,
// count by version, and compare the same days before and after with the same counts.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createRandom, type Random } from "../simulator/random.ts";
import {
  createSampleStores,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../simulator/sample-stores.ts";
import type { SimulatedReview } from "../simulator/store-facts.ts";
import { analyzeReview } from "../src/analysis/analyze.ts";
import { overviewRoutes } from "../src/dashboard-api/overview/routes.ts";
import { differenceOf } from "../src/domain/changes/share-difference.ts";
import { outcomeNames, shownOutcome } from "../src/domain/changes/shown-outcome.ts";
import type { Verdict } from "../src/domain/changes/verdict.ts";
import type { App } from "../src/domain/feed/listing.ts";
import { storeTraits } from "../src/domain/store/store-traits.ts";
import { readDigest } from "../src/features/digests/read-digest.ts";
import { answerMcp } from "../src/features/mcp/mcp-server.ts";
import { readReport } from "../src/features/report/read-report.ts";
import { toMarkdown } from "../src/features/report/write-markdown.ts";
import { findWorseReleases } from "../src/features/verdict/find-worse-releases.ts";
import { readVerdicts } from "../src/features/verdict/read-verdicts.ts";
import { dayMs, dayOf, hourMs } from "../src/lib/timestamp.ts";
import { readOverview } from "../src/read/overview/read-overview.ts";
import { summarizeFeed } from "../src/read/reviews/feed-summary.ts";
import { type ApiTestContext, openApiTestContext } from "./support/api-test-context.ts";
import { openCliHarness } from "./support/cli-harness.ts";
import {
  aChannel,
  aKey,
  anApp,
  aReview,
  type ReviewInput,
  saveReviews,
  startTime,
} from "./support/factories.ts";
import { countSides, readSides } from "./support/release-sides.ts";
import { volume } from "./support/volume.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const cli = openCliHarness(() => context);

type History = { worseShare: number; fixedShare: number; releaseCount: number; nextCount: number };

const ago = (days: number): Date => new Date(startTime.getTime() - days * dayMs);
const crash = (isBad: boolean): ReviewInput => ({
  rating: isBad ? 1 : 5,
  sentiment: isBad ? "negative" : "positive",
  topics: ["crash"],
  topicScores: [isBad ? -0.9 : 0.9],
});

/** 160 reviews of a calm past, a release ten days ago, the next one four days ago, stragglers and unnamed versions. */
async function anAppWith(random: Random, history: History) {
  const { workspace } = await context.addWorkspace();
  const { key } = await aKey(context.database, workspace);
  const app = await anApp(context.database, { workspaceId: workspace.id, countries: ["us"] });
  const write = (date: Date, input: ReviewInput) =>
    aReview({ date, firstSeenAt: date, country: "us", ...input });
  const times = (count: number, of: (index: number) => ReturnType<typeof write>) =>
    Array.from({ length: count }, (_, index) => of(index));
  const since = (days: number, index: number): Date =>
    new Date(ago(days).getTime() + index * hourMs);
  await saveReviews(context.database, app, [
    ...times(160, (index) =>
      write(ago(80 - index * 0.43), {
        version: "1.0",
        ...(random.chance(0.1) ? ({ rating: 2, sentiment: "negative" } as const) : { rating: 5 }),
      }),
    ),
    ...times(history.releaseCount, (index) =>
      write(since(10, index), { version: "2.0", ...crash(random.chance(history.worseShare)) }),
    ),
    ...times(history.nextCount, (index) =>
      write(since(4, index), { version: "2.0.1", ...crash(random.chance(history.fixedShare)) }),
    ),
    ...times(3, (index) => write(since(3, index), { version: "2.0", ...crash(true) })),
    ...times(2, (index) => write(since(3, index), { version: "", ...crash(true) })),
  ]);
  return { app, key, workspaceId: workspace.id };
}

type World = Awaited<ReturnType<typeof anAppWith>>;

/** Reads the version everywhere, and expects one answer. */
async function readEverywhere({ app, key, workspaceId }: World, version: string): Promise<Verdict> {
  const { database } = context;
  const query = `?app=${app.id}`;
  const { json } = await context.request(`/api/v1/releases/${version}/verdict${query}`, { key });
  const verdict = json as Verdict;
  const overview = await readOverview(context, { workspaceId, query: {} });
  const shown = overview.verdicts.find((one) => one.app.id === app.id && one.version === version);
  expect(shown).toEqual(verdict);
  const incident = overview.incidents.find(
    (one) => one.appId === app.id && one.version === version,
  );
  const isBad = verdict.outcome === "worse" || verdict.outcome === "not_fixed";
  expect(incident?.state).toBe(isBad ? "open" : verdict.outcome === "fixed" ? "resolved" : "quiet");
  const apps = await database.listFollowedApps({ workspaceId, ids: [app.id] });
  const page = { workspaceId, apps, worseBy: 0.2, releases: { newestMax: 20 } };
  const past = await readVerdicts(database, page);
  expect(past.find((one) => one.version === version)).toEqual(verdict);
  const digest = await readDigest(context, { appId: app.id, workspaceId });
  const { json: changes } = await context.request(`/api/v1/changes${query}`, { key });
  const sentence = `Version ${version}: ${verdict.words}`;
  expect(digest.sentences).toContain(sentence);
  expect((changes as { sentences: string[] }).sentences).toContain(sentence);
  const hasSpike = digest.spikes.some(
    ({ subject, value }) => subject === "version" && value === version,
  );
  expect(hasSpike && !isBad).toBe(false);
  const channel = aChannel({ workspaceId, createdAt: startTime });
  const alerts = await findWorseReleases(context, channel);
  for (const { items } of alerts)
    for (const { cause, text } of items)
      expect(overview.verdicts.map((one) => `${one.version}: ${one.words}`)).toContain(
        cause.endsWith(` ${version}`) ? `${version}: ${verdict.words}` : text,
      );
  expect(await callTool({ name: "get_verdict", key, with: { app: app.id, version } })).toEqual(
    verdict,
  );
  expect(await readReleasePage({ app, workspaceId, version })).toEqual([verdict]);
  expect(await readAtCommandLine({ app, version })).toEqual(verdict);
  await expectInReport(workspaceId, verdict);
  if (verdict.aftermath) await expectOfComparison(workspaceId, verdict);
  await expectSameSides({ app, key, workspaceId }, verdict);
  return verdict;
}

/** As the page of a release asks for the verdict. */
async function readReleasePage(of: { app: App; workspaceId: string; version: string }) {
  const { app, workspaceId, version } = of;
  const name = "GET /workspaces/:workspace/apps/:app/verdicts";
  const route = overviewRoutes.find((one) => one.name === name);
  const request = { deps: context, workspaceId, params: { app: app.id }, query: { version } };
  const handle = route?.handle as unknown as (input: typeof request) => Promise<unknown>;
  return ((await handle(request)) as { verdicts: unknown }).verdicts;
}

/** As a pipeline asks: the exit code is the result. */
async function readAtCommandLine({ app, version }: { app: App; version: string }) {
  const argv = ["verdict", "--app", app.id, "--version", version];
  const { exitCode, value } = await cli.runJson(argv);
  expect(exitCode).toBe({ fine: 0, worse: 1, undecided: 2 }[value["result"] as string]);
  const { stdout } = await cli.run(argv);
  expect(stdout).toContain(value["words"]);
  const { stdout: table } = await cli.run(["verdict", "--app", app.id, "--backtest"]);
  const row = table.split("\n").find((line) => line.startsWith(`${version} `));
  expect(row).toContain(value["outcome"]);
  return value;
}

async function expectInReport(workspaceId: string, verdict: Verdict): Promise<void> {
  const days = { days: 90, comparison: false, notes: [], commands: [] };
  // It reads nothing but the clock and the database of the container.
  const container = context as unknown as Parameters<typeof readReport>[0];
  const report = await readReport(container, { workspaceId, ...days });
  const { app, version, words } = verdict;
  const isIt = (one: Verdict) => one.app.id === app.id && one.version === version;
  expect(report.verdicts.find(isIt)).toEqual(verdict);
  expect(report.overview.overview.verdicts.find(isIt)).toEqual(verdict);
  const line = toMarkdown(report)
    .split("\n")
    .find((one) => one.startsWith(`- **${version}**`) && one.includes(storeTraits[app.store].name));
  const outcome = outcomeNames[shownOutcome(verdict, dayOf(context.clock.now()))];
  expect(line?.replaceAll("\\", "")).toContain(`: ${outcome}. ${words}`);
}

/** The numbers of a comparison with the releases since are those of the verdict, and none denies it. */
async function expectOfComparison(workspaceId: string, verdict: Verdict): Promise<void> {
  const { app, version, aftermath, outcome } = verdict;
  const { question = "", laterVersions = [] } = aftermath ?? {};
  const countSide = async (versions: readonly string[]) => {
    const sides = versions.map(async (one) => {
      const filters = { app: app.id, version: one };
      const { total } = await summarizeFeed(context, { workspaceId, filters });
      const complaints = { ...filters, sentiment: "negative" as const };
      const negative = await summarizeFeed(context, { workspaceId, filters: complaints });
      const ofTopic = negative.facets.topic.find(({ value }) => value === question)?.count ?? 0;
      return { total, count: question === "negative" ? negative.total : ofTopic };
    });
    const counted = await Promise.all(sides);
    const sum = (of: "total" | "count") => counted.reduce((all, one) => all + one[of], 0);
    return { total: sum("total"), count: sum("count") };
  };
  const [own, since] = [await countSide([version]), await countSide(laterVersions)];
  if (question !== "low_stars") {
    expect(since).toEqual({ total: aftermath?.total, count: aftermath?.count });
    expect(own).toEqual({ total: aftermath?.ownTotal, count: aftermath?.ownCount });
  }
  const { isSignificant, points } = differenceOf(own, since);
  if (outcome === "fixed") expect(isSignificant && points > 0).toBe(false);
}

/** As an assistant reads it, over the Model Context Protocol. */
async function callTool(of: { name: string; key: string; with: object }): Promise<unknown> {
  const { key: apiKey, name } = of;
  const call = { name, arguments: of.with };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const body = JSON.stringify(message);
  const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
  const fetchHere = async (url: string | URL | Request): Promise<Response> => {
    const { pathname, search } = new URL(url instanceof Request ? url.url : url);
    const { status, text } = await context.request(`${pathname}${search}`, { key: apiKey });
    return new Response(text, { status, headers: { "content-type": "application/json" } });
  };
  const answer = await answerMcp(request, { message, apiKey, fetch: fetchHere });
  const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
  // The first part says that reviews are written by strangers.
  return JSON.parse(result.content.at(-1)?.text ?? "");
}

/** How often each place was compared with the list of reviews. */
const compared = new Map<string, number>();

/** Every place has the same days, reviews and counts on both sides of the release. */
async function expectSameSides(world: World, verdict: Verdict): Promise<void> {
  const release = { ...world, context, verdict, callTool };
  const counted = await countSides(release);
  const { to } = counted.after;
  for (const [place, sides] of Object.entries(await readSides(release))) {
    if (sides === null) continue;
    expect([place, sides.before]).toEqual([place, counted.before]);
    // An incident ends today.
    const after = place === "incident" ? { ...Object(sides.after), to } : sides.after;
    if ("after" in sides) expect([place, after]).toEqual([place, counted.after]);
    compared.set(place, (compared.get(place) ?? 0) + 1);
  }
}

describe("the places agree", () => {
  test.each(Array.from({ length: volume(20) }, (_, index) => index + 1))(
    "on invented history %i",
    async (seed) => {
      const random = createRandom(seed);
      const history = {
        worseShare: random.next() * 0.7,
        fixedShare: random.next() * 0.7,
        releaseCount: 5 + Math.floor(random.next() * 80),
        nextCount: Math.floor(random.next() * 40),
      };
      const world = await anAppWith(random, history);
      const { outcome, aftermath } = await readEverywhere(world, "2.0");
      if (history.nextCount > 0 && outcome === "worse") expect(aftermath).not.toBeNull();
      if (aftermath) {
        // Neither stragglers nor unnamed versions are counted as the next release.
        expect(aftermath).toMatchObject({
          total: history.nextCount,
          stragglerCount: 3,
          unknownCount: 2,
        });
        if (aftermath.total < 5) expect(outcome).toBe("worse");
      }
      if (history.nextCount > 0) await readEverywhere(world, "2.0.1");
    },
  );

  test("that a hotfix helped, although stragglers complain", async () => {
    const history = { worseShare: 0.6, fixedShare: 0, releaseCount: 60, nextCount: 20 };
    const { outcome, words } = await readEverywhere(
      await anAppWith(createRandom(1), history),
      "2.0",
    );
    expect(outcome).toBe("fixed");
    expect(words).toContain("Fixed in 2.0.1: 0 of 20 reviews complain about crashes (");
  });

  test("that it is too early on the first day of the hotfix", async () => {
    const history = { worseShare: 0.6, fixedShare: 0, releaseCount: 60, nextCount: 2 };
    const { outcome, words } = await readEverywhere(
      await anAppWith(createRandom(1), history),
      "2.0",
    );
    expect(outcome).toBe("worse");
    expect(words).toContain("Too early to tell for 2.0.1: 0 of 2 reviews complain about crashes");
  });
});

test("both sides of each release were compared in each place", () => {
  const releases = compared.get("verdict") ?? 0;
  expect(releases).toBeGreaterThanOrEqual(volume(20));
  const places = ["API", "assistant", "release page", "verdict", "versions table"];
  expect(places.map((place) => [place, compared.get(place)])).toEqual(
    places.map((place) => [place, releases]),
  );
  expect(compared.get("digest")).toBeGreaterThan(0);
  expect(compared.get("incident")).toBeGreaterThan(0);
});

test("the first sentence of the demo is what the lists of reviews say, on its first and its third day", async () => {
  const { workspaceId, key, collect } = await aDemo();
  await collect();
  await expectFirstSentence({ workspaceId, key });
  const { clock } = context;
  const startedAt = clock.now();
  onTestFinished(() => clock.set(startedAt));
  clock.advance(2 * dayMs);
  await collect();
  await expectFirstSentence({ workspaceId, key });
});

async function expectFirstSentence({ workspaceId, key }: Omit<World, "app">): Promise<void> {
  const overview = await readOverview(context, { workspaceId, query: {} });
  const [first] = overview.incidents;
  const verdict = overview.verdicts.find(
    ({ app, version }) => app.id === first?.appId && version === first.version,
  );
  if (!verdict?.aftermath)
    throw new Error(`the demo begins with ${JSON.stringify(overview.incidents[0])}`);
  const { app, aftermath, version } = verdict;
  const { question: topic, laterVersions } = aftermath;
  expect([verdict.result, topic]).toEqual(["worse", "battery"]);
  const countOf = async (versions: readonly string[], filters = "") => {
    const counts = versions.map(async (one) => {
      const query = `app=${app.id}&version=${one}&limit=100${filters}`;
      const { json } = await context.request(`/api/v1/reviews?${query}`, { key });
      return (json as { reviews: unknown[] }).reviews.length;
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  const complaints = "&topic=battery&sentiment=negative";
  expect(aftermath).toMatchObject({
    total: await countOf(laterVersions),
    count: await countOf(laterVersions, complaints),
    praiseCount: await countOf(laterVersions, "&topic=battery&sentiment=positive"),
    ownCount: await countOf([version], complaints),
    ownTotal: await countOf([version]),
  });
  expect(aftermath.count).toBe(0);
  expect(aftermath.state).not.toBe("not_fixed");
  expect(verdict.words).toContain(`0 of ${aftermath.total} reviews complain about the battery`);
  await readEverywhere({ app: await findApp(workspaceId, app.id), key, workspaceId }, version);
}

/** The demo's product in both stores, which starts now; `collect` saves what was written since. */
async function aDemo() {
  const { clock, database } = context;
  const { storeState } = createSampleStores({ clock, startedAt: clock.now(), isStory: true });
  const { workspace, key } = await context.addWorkspace();
  const workspaceId = workspace.id;
  const samples = [sampleAppStoreApp, sampleGooglePlayApp].map(async (sample) => {
    const reviews = storeState.reviewsNow(sample, "all");
    const countries = [...new Set(reviews.map(({ region }) => region))];
    const { store, name } = sample;
    return { sample, app: await anApp(database, { workspaceId, store, name, countries }) };
  });
  const apps = await Promise.all(samples);
  const savedIds = new Set<string>();
  async function collect(): Promise<void> {
    for (const { sample, app } of apps) {
      const all = storeState.reviewsNow(sample, "all");
      const fresh = all.filter(({ storeReviewId }) => !savedIds.has(storeReviewId));
      for (const { storeReviewId } of fresh) savedIds.add(storeReviewId);
      await saveReviews(database, app, fresh.map(toReview));
    }
  }
  return { workspaceId, key, collect };
}

function toReview({ region, date, ...review }: SimulatedReview): ReturnType<typeof aReview> {
  const { rating, title, text, version, storeReviewId } = review;
  const {
    sentiment,
    topics,
    topicScores = [],
  } = analyzeReview({
    ...{ title, text, rating, languageHint: null },
  });
  return aReview({
    ...{ storeReviewId, country: region, date, firstSeenAt: date, rating, version },
    ...{ title, text, topics, topicScores, sentiment: sentiment?.label ?? null },
  });
}

async function findApp(workspaceId: string, id: string): Promise<App> {
  const app = await context.database.findApp({ workspaceId, id });
  if (!app) throw new Error("the app is missing");
  return app;
}
