// Another workspace is answered as before, whatever one asks for with the longest texts and the largest bodies. Each
// route of both tables, and each job on the texts of a workspace, runs while another workspace reads. Latencies are judged by
// `npm run fuzz` alone; the longest turn of the main thread, in processor time, always is.
import process from "node:process";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadAnalysis } from "../../../src/analysis/analyze.ts";
import { endpoints } from "../../../src/api/endpoints.ts";
import { manageRoutes } from "../../../src/api/manage/routes.ts";
import { routes } from "../../../src/dashboard-api/routes.ts";
import { channelDefaults } from "../../../src/domain/channel/channel.ts";
import { composeChannelDigest } from "../../../src/features/digests/channel-digest.ts";
import { findSpikes } from "../../../src/features/digests/find-spikes.ts";
import { importReviews } from "../../../src/features/imports/import-reviews.ts";
import { createTopic } from "../../../src/features/own-topics/operations.ts";
import { applyOwnTopics } from "../../../src/features/own-topics/read-stored.ts";
import { trainOwnTopics } from "../../../src/features/own-topics/train-topics.ts";
import { findWorseReleases } from "../../../src/features/verdict/find-worse-releases.ts";
import { createIngest } from "../../../src/ingest/ingest-reviews.ts";
import { reanalyze } from "../../../src/ingest/reanalyze.ts";
import { addDays, dayOf } from "../../../src/lib/timestamp.ts";
import { createChannel } from "../../support/acts.ts";
import { type AllParts, openAllParts } from "../../support/all-parts.ts";
import {
  type ClientProcess,
  type ClientRequest,
  openClientProcess,
} from "../../support/client-process.ts";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../support/dashboard.ts";
import { aKey, anApp, aReview, saveReviews } from "../../support/factories.ts";
import { watchThread } from "../../support/main-thread.ts";
import { act } from "../../support/operations.ts";
import { longTest } from "../../support/patience.ts";
import { openReceiver, type Receiver } from "../../support/receiver.ts";
import { isMeasured } from "./fuzz-case.ts";
import { worstBodies } from "./worst-bodies.ts";

const sizes = isMeasured
  ? { reviews: 3_000, versions: 6, parallel: 30, burst: 400, bodies: 2, page: 200 }
  : { reviews: 150, versions: 2, parallel: 3, burst: 60, bodies: 1, page: 20 };
/** The garbage of the whole run is in the same thread as the service. */
const turnMsMax = 250;
const words = "crash refund login slow price update battery ads sync support ";
const longText = words.repeat(8_000 / words.length);
const unknownId = "00000000-0000-4000-8000-000000000000";

let parts: AllParts;
let world: DashboardFixture;
let owner: DashboardClient;
let appId: string;
let listingId: string;
let receiver: Receiver;
let calmMs: number;
let greedy: ClientProcess;
let others: ClientProcess;
/** Each key has a limit of its own. */
let otherReads: ClientRequest[];

beforeAll(async () => {
  receiver = await openReceiver();
  [greedy, others] = [openClientProcess(), openClientProcess()];
  parts = await openAllParts();
  const env = { ...parts.env, ROLES: "dashboard,api,deliver" };
  world = await openDashboardFixture({ storesUrl: parts.storesUrl, env });
  const { deps, workspaceId } = world.service;
  const { database, clock } = deps;
  owner = await world.signIn({ email: "owner@example.com" });
  const app = await anApp(database, { workspaceId });
  appId = app.id;
  listingId = app.listingId;
  const today = dayOf(clock.now());
  const reviews = Array.from({ length: sizes.reviews }, (_, index) =>
    aReview({
      text: `${index} ${longText}`,
      version: index % 3 === 0 ? "1.1" : "1.0",
      rating: 1 + (index % 5),
      date: new Date(addDays(today, -1 - (index % 34))),
    }),
  );
  const saved = await saveReviews(database, app, reviews);
  const edited = saved.slice(0, 600);
  await database.replaceReviewVersions({
    listingId,
    versions: edited.flatMap((review) =>
      Array.from({ length: sizes.versions }, (_, index) => ({
        ...review,
        ...{ reviewId: review.id, number: index + 1, replacedAt: review.date },
      })),
    ),
  });
  const now = clock.now();
  await database.updateReviews({
    listingId,
    reviews: edited.map((one) => ({ ...one, editedAt: now })),
  });
  const other = await world.addWorkspace("Others");
  await anApp(database, { workspaceId: other });
  const keys = Array.from({ length: isMeasured ? 300 : 120 }, () => aKey(database, { id: other }));
  otherReads = (await Promise.all(keys)).map(({ key }) => ({
    url: `${world.service.url}/api/v1/apps`,
    // Requests with a key that is not known yet are counted by network: they come from another one.
    headers: { authorization: `Bearer ${key}`, "x-forwarded-for": "2001:db8:77::1" },
  }));
  calmMs = p99((await whileOthersRead(() => delay(1_500))).latencies);
}, longTest.timeout);
afterAll(async () => {
  await world.close();
  await Promise.all([parts.close(), receiver.close(), greedy.close(), others.close()]);
});

function p99(latencies: readonly number[]): number {
  const sorted = latencies.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}

/** Others read on a schedule, whether or not earlier requests were answered. */
async function whileOthersRead(work: () => Promise<unknown>) {
  const reading = others.sendEvery(25, otherReads);
  const thread = watchThread();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const turnMs = thread.longestTurnMs();
  thread.close();
  const { latenciesMs: latencies, statuses, refusals, lateMs } = await reading.stop();
  // The next ones begin with the keys that have waited longest.
  const at = statuses.length % otherReads.length;
  otherReads = [...otherReads.slice(at), ...otherReads.slice(0, at)];
  return { latencies, failures: refusals, cpuSeconds: (user + system) / 1_000_000, turnMs, lateMs };
}

/** @returns what is wrong with the service of others; null when nothing is */
async function describeHarm(name: string, work: () => Promise<unknown>): Promise<string | null> {
  const { latencies, failures, cpuSeconds, turnMs, lateMs } = await whileOthersRead(work);
  const ms = p99(latencies);
  if (isMeasured) {
    const columns = [
      ...[name, cpuSeconds.toFixed(2), `${Math.ceil(turnMs ?? 0)} ms`],
      ...[`${Math.ceil(calmMs)} ms`, `${Math.ceil(ms)} ms`, `${Math.ceil(lateMs)} ms`],
    ];
    process.stdout.write(`| ${columns.join(" | ")} |\n`);
  }
  if (failures.length > 0) return `${name}: others got ${failures.join(", ")}`;
  if ((turnMs ?? 0) > turnMsMax)
    return `${name}: the main thread took ${Math.ceil(turnMs ?? 0)} ms`;
  // On a busy machine everything takes longer, calm or not.
  const isSlow = isMeasured && ms > calmMs + 100 * Math.max(1, calmMs / 10);
  return isSlow ? `${name}: others waited ${Math.ceil(ms)} ms` : null;
}

const many =
  (request: ClientRequest, length = sizes.parallel) =>
  async () =>
    (await greedy.send(Array.from({ length }, () => request))).statuses;

async function sendApi(request: {
  method?: string;
  path: string;
  body?: unknown;
  scope?: "manage";
  workspaceId?: string;
  parallel?: number;
}) {
  const { method = "GET", path, body, scope, parallel } = request;
  const { deps, url } = world.service;
  const { workspaceId: id = world.service.workspaceId } = request;
  const { key } = await aKey(deps.database, { id }, scope ?? "read");
  const sent = {
    url: `${url}/api/v1${path}`,
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return many(sent, parallel);
}

/** Some of them, spread over all. */
function pickBodies(schema: Parameters<typeof worstBodies>[0], bytesMax: number): unknown[] {
  const all = [...worstBodies(schema, bytesMax)];
  const step = Math.max(1, Math.floor(all.length / sizes.bodies));
  return all
    .filter((_, index) => index % step === 0)
    .slice(0, sizes.bodies)
    .map(({ body }) => body);
}

test("no route of the read API makes another workspace wait", longTest, async () => {
  const harms: (string | null)[] = [];
  for (const { path } of endpoints) {
    const query = path.startsWith("/apps") || path === "/topics" ? "" : `?app=${appId}`;
    const target = `${path.replace("{version}", "1.1").replace(/\{\w+\}/, appId)}${query}`;
    harms.push(await describeHarm(`GET ${path}`, await sendApi({ path: target })));
  }
  const search = `/reviews?q=qqzzqq&app=${appId}`;
  harms.push(await describeHarm("a search that finds nothing", await sendApi({ path: search })));
  const burst = await sendApi({ path: "/apps", parallel: sizes.burst });
  harms.push(await describeHarm("many requests of one key", burst));
  expect(harms.filter(Boolean)).toEqual([]);
});

test("no route of the set-up makes another workspace wait", longTest, async () => {
  const harms: (string | null)[] = [];
  for (const { method, path, body: schema, bodyBytesMax = 64 * 1024 } of manageRoutes()) {
    if (method === "delete") continue;
    const target = path.replace(/\{\w+\}/, unknownId);
    for (const body of schema ? pickBodies(schema, bodyBytesMax) : [undefined]) {
      const request = {
        method: method.toUpperCase(),
        path: target,
        body,
        scope: "manage" as const,
      };
      harms.push(await describeHarm(`${method} ${path}`, await sendApi(request)));
    }
  }
  const apps = Array.from({ length: isMeasured ? 490 : 20 }, (_, index) => ({
    ...{ store: "appstore", externalAppId: `${100_000 + index}`, name: "App", isCollected: false },
  }));
  // The limit of changes of the workspace is used up by now.
  const workspaceId = await world.addWorkspace("Rehearsals");
  let statuses: number[] = [];
  const rehearsal = await sendApi({
    ...{ method: "POST", path: "/setup?dryRun=true", body: { apps }, scope: "manage" },
    workspaceId,
  });
  const rehearse = async () => {
    statuses = await rehearsal();
  };
  harms.push(await describeHarm("rehearsals of many apps", rehearse));
  // The largest take longer than they may where many programs run.
  if (!isMeasured) expect(statuses).toContain(200);
  expect(harms.filter(Boolean)).toEqual([]);
});

test("no route of the dashboard makes another workspace wait", longTest, async () => {
  const harms: (string | null)[] = [];
  const { url } = world.service;
  for (const { name, body: schema, bodyBytesMax = 8 * 1024 } of routes) {
    const [method = "", path = ""] = name.split(" ");
    if (method === "DELETE" || !path.includes(":workspace")) continue;
    const target = path
      .replace(":workspace", world.service.workspaceId)
      .replace(":app", appId)
      .replace(/:\w+/g, unknownId);
    for (const body of schema ? pickBodies(schema, bodyBytesMax) : [undefined]) {
      const send = many({
        url: `${url}/console/api${target}`,
        method,
        headers: { cookie: owner.cookie(), origin: url, "content-type": "application/json" },
        ...(schema && { body: JSON.stringify(body) }),
      });
      harms.push(await describeHarm(name, send));
    }
  }
  expect(harms.filter(Boolean)).toEqual([]);
});

test("no work on the texts of a workspace makes another one wait", longTest, async () => {
  const { deps, workspaceId } = world.service;
  const by = { ...deps, actor: "test", checkUrl: async () => ({ ok: true }) as const };
  const input = { ...channelDefaults, workspaceId, name: "Digest", url: "https://a.example/hook" };
  const { channel } = await createChannel(by, input);
  const to = dayOf(deps.clock.now());
  const range = { from: addDays(to, -6), to };
  const ingestReviews = createIngest(deps);
  const listing = await deps.database.findListing(listingId);
  if (!listing) throw new Error("the listing is missing");
  const sourceReviews = (kind: string) =>
    Array.from({ length: sizes.page }, (_, index) => ({
      ...{ storeReviewId: `${kind}-${index}`, author: "a", rating: 1, title: null },
      ...{ text: `${index} ${longText}`, version: "1.2", country: "us", languageHint: null },
      ...{ date: deps.clock.now(), votes: null, reply: null },
    }));
  const ingest = (kind: string) =>
    ingestReviews({
      ...{ listing, reviews: sourceReviews(kind), source: "store", undatedAt: null },
      notifyPolicy: { kind: "always" },
    });
  const importFile = () => {
    const lines = sourceReviews("imported").map(({ storeReviewId: id, ...review }) =>
      Buffer.from(`${JSON.stringify({ ...review, id })}\n`),
    );
    const source = { name: "reviews.jsonl", chunks: Readable.from(lines) };
    const target = { appId, workspaceId, source, notify: false };
    return importReviews({ ...by, ingestReviews }, target);
  };
  const outdate = new pg.Client(deps.config.databaseUrl ?? "");
  await outdate.connect();
  await outdate.query("update reviews set analysis_version = 0");
  await outdate.end();
  const topic = { workspaceId, name: "sleep_timer", phrases: ["crash* refund", "slow price"] };
  const jobs = {
    "the first analysis of a process": loadAnalysis,
    "a page of a crawl": () => ingest("crawled"),
    "an import": importFile,
    "re-analysis": () => reanalyze(deps, { workspaceId, onProgress() {} }),
    "an own topic": async () => {
      await act(by, createTopic, topic);
      await applyOwnTopics(deps.database, async () => true);
      await trainOwnTopics(deps.database);
    },
    async deliveries() {
      await createChannel(by, { ...input, name: "Own", url: receiver.url });
      await ingest("delivered");
      await receiver.waitFor(sizes.page);
    },
    "a digest": () => composeChannelDigest(deps, { channel, rhythm: "weekly", range }),
    "an alert of spikes": () => findSpikes(deps, channel),
    "an alert of a release": () => findWorseReleases(deps, channel),
  };
  const harms: (string | null)[] = [];
  for (const [name, job] of Object.entries(jobs)) harms.push(await describeHarm(name, job));
  expect(harms.filter(Boolean)).toEqual([]);
});
