// No lock that a workspace can hold makes another one wait or be refused. While rows of a workspace are locked, every route of
// both tables is asked for it by impatient clients, and every job works on it, with all optional parts switched on. Meanwhile
// another workspace reads, the service is ready, and a delivery arrives. Waits of the service's connections are judged by
// their length, which is the lock's and not the machine's; `npm run fuzz` prints latencies, too.
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { endpoints } from "../../../src/api/endpoints.ts";
import { manageRoutes } from "../../../src/api/manage/routes.ts";
import { toCrawlDeps } from "../../../src/app/workers/crawl-worker.ts";
import { runRetentionRound } from "../../../src/app/workers/retention-worker.ts";
import { crawlListing } from "../../../src/crawling/crawl-feed.ts";
import { routes } from "../../../src/dashboard-api/routes.ts";
import { advisoryLocks } from "../../../src/database/locks.ts";
import { channelDefaults } from "../../../src/domain/channel/channel.ts";
import { queueAlerts } from "../../../src/features/alerts/alert-worker.ts";
import { queueDueDigests } from "../../../src/features/digests/digest-worker.ts";
import { applyOwnTopics } from "../../../src/features/own-topics/read-stored.ts";
import { trainOwnTopics } from "../../../src/features/own-topics/train-topics.ts";
import { queueTranslations } from "../../../src/features/providers/queue-translations.ts";
import { openEnrichmentWorkers } from "../../../src/features/providers/workers.ts";
import { reanalyze } from "../../../src/ingest/reanalyze.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createChannel, testChannel } from "../../support/acts.ts";
import { type AllParts, openAllParts } from "../../support/all-parts.ts";
import {
  createDashboardClient,
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../support/dashboard.ts";
import { aKey, anApp } from "../../support/factories.ts";
import { fillWorkspace } from "../../support/full-workspace.ts";
import { type Sent, sendImpatiently } from "../../support/impatient-client.ts";
import { bodies as managedBodies, nameOf } from "../../support/manage-context.ts";
import { goToCallback, goToProvider } from "../../support/open-id-server.ts";
import { operationCases } from "../../support/operation-cases.ts";
import { longTest } from "../../support/patience.ts";
import { openReceiver, type Receiver } from "../../support/receiver.ts";
import { isMeasured } from "./fuzz-case.ts";

/** Each request is sent so often: more than there are connections of keys and limits. */
const copies = 4;
/** Then its client leaves; what it asked for goes on. */
const patienceMs = isMeasured ? 600 : 150;
/** Others are asked while a statement waits for its lock. */
const lookAfterMs = 100;
/** Beyond the limit of a lock, for a server without a processor. */
const waitMsMax = 1_000;
const noId = "00000000-0000-4000-8000-000000000000";

let resources: ResourceStack;
let parts: AllParts;
let world: DashboardFixture;
let receiver: Receiver;
/** The workspace whose rows are held. */
let owner: DashboardClient;
let ids: Record<string, string>;
let otherChannel: { id: string; workspaceId: string };
let otherKeys: string[];
let holder: pg.Client;
let watcher: pg.Client;

beforeAll(async () => {
  parts = await openAllParts();
  receiver = await openReceiver();
}, longTest.timeout);
afterAll(() => Promise.all([parts.close(), receiver.close()]));
// Work that waits for a lock goes on after its release, and removes rows that the next test would hold.
beforeEach(async () => {
  const env = { ...parts.env, ROLES: "dashboard,api,deliver" };
  world = await openDashboardFixture({ storesUrl: parts.storesUrl, env });
  resources = new ResourceStack();
  resources.add(() => world.close());
  openEnrichmentWorkers(world.service.deps, resources);
  ({ owner, ids } = await fillWorkspace(world, parts.storeKeys));
  const { deps } = world.service;
  const other = await world.addWorkspace("Others");
  await anApp(deps.database, { workspaceId: other });
  const keys = Array.from({ length: 60 }, () => aKey(deps.database, { id: other }));
  otherKeys = (await Promise.all(keys)).map(({ key }) => key);
  const input = { ...channelDefaults, workspaceId: other, name: "Own", url: receiver.url };
  const { channel } = await createChannel({ ...deps, actor: "test" }, input);
  otherChannel = { id: channel.id, workspaceId: other };
  [holder, watcher] = await Promise.all([connect(), connect()]);
}, longTest.timeout);
afterEach(() => resources.closeAll());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(world.service.deps.config.databaseUrl ?? "");
  await client.connect();
  resources.add(() => client.end());
  return client;
}

/** Statements that lock what a workspace can lock, as its own longest transaction would. */
const locks = {
  workspace: "select from workspaces where id = $workspace for update",
  listing: `select pg_advisory_xact_lock(${advisoryLocks.listing}, hashtext($listing));
    select from listings where id = $listing for update;
    select from feeds where listing_id in ($listing, $ownListing) for update;
    select from apps where id = $app for update`,
  channel: ["channels where id", "channel_queue where channel_id", "pending where channel_id"]
    .concat(["deliveries where channel_id", "channel_causes where channel_id"])
    .map(
      (rows) => `select from ${rows} in (select id from channels where workspace_id = $workspace)
      for update`,
    )
    .join(";"),
  key: "select from api_keys where workspace_id = $workspace for update",
  members: "select from members where workspace_id = $workspace for update",
};

async function hold(names: readonly (keyof typeof locks)[]): Promise<void> {
  await holder.query("begin");
  for (const name of names)
    await holder.query(locks[name].replace(/\$(\w+)/g, (_, one: string) => `'${ids[one]}'`));
}

type Other = {
  latencies: number[];
  refused: string[];
  /** Statements that met a lock, and those that wait for it longer than they may. */
  met: Set<string>;
  waits: Set<string>;
};
const calm: number[] = [];

let readCount = 0;
async function readAsOthers(other: Other): Promise<void> {
  const { url } = world.service;
  readCount += 1;
  const authorization = `Bearer ${otherKeys[readCount % otherKeys.length]}`;
  // One address may ask for documents so often.
  const address = { "x-forwarded-for": `2001:db8:${(readCount % 50).toString(16)}::2` };
  const paths = { "/api/v1/apps": { authorization }, "/readyz": address };
  for (const [path, headers] of Object.entries(paths)) {
    const startedMs = performance.now();
    const response = await fetch(`${url}${path}`, { headers });
    await response.arrayBuffer();
    other.latencies.push(performance.now() - startedMs);
    if (response.status !== 200) other.refused.push(`${path}: ${response.status}`);
  }
  const { rows } = await watcher.query(`select application_name || ': ' || left(query, 120) as wait,
      clock_timestamp() - query_start > interval '1 millisecond' * ${waitMsMax} as "isLong"
    from pg_stat_activity where application_name like 'starpost%' and wait_event_type = 'Lock'
      and datname = current_database()`);
  for (const { wait, isLong } of rows) (isLong ? other.waits : other.met).add(wait);
}

async function deliverToOthers(): Promise<void> {
  const before = receiver.requests.length;
  await testChannel({ ...world.service.deps, actor: "test" }, otherChannel);
  await receiver.waitFor(before + 1);
}

/** Another workspace goes on while the locks are held and the work is tried, one after the other. */
async function whileHeld(
  names: readonly (keyof typeof locks)[],
  works: Record<string, () => Promise<unknown>>,
): Promise<{ met: number }> {
  const other: Other = { latencies: [], refused: [], met: new Set(), waits: new Set() };
  for (let count = 0; calm.length < 20 && count < 20; count += 1) {
    await readAsOthers({ ...other, latencies: calm });
  }
  const harms: string[] = [];
  const left: Promise<unknown>[] = [];
  try {
    await hold(names);
    for (const [name, work] of Object.entries(works)) {
      const all = Array.from({ length: copies }, () => work().catch(() => {}));
      left.push(...all);
      const end = Promise.all(all);
      await Promise.race([end, delay(lookAfterMs)]);
      await readAsOthers(other);
      await Promise.race([end, delay(patienceMs - lookAfterMs)]);
      if (other.refused.length > 0) harms.push(`${name}: others got ${other.refused.splice(0)}`);
      for (const wait of other.waits) harms.push(`${name}: waits for a lock: ${wait}`);
      other.waits.clear();
    }
    await deliverToOthers();
  } finally {
    await holder.query("rollback");
  }
  await Promise.all(left);
  print(`${names.join(", ")} (${Object.keys(works).length} works)`, other);
  expect(harms).toEqual([]);
  return { met: other.met.size };
}

function print(name: string, { latencies }: Other): void {
  const figures = [calm, latencies].map((all) => `${at(all, 0.5)} | ${at(all, 0.99)}`);
  if (isMeasured) process.stdout.write(`| ${name} | ${figures.join(" | ")} |\n`);
}

function at(latencies: readonly number[], share: number): string {
  const sorted = latencies.toSorted((one, other) => one - other);
  return `${Math.ceil(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)} ms`;
}

const send = (url: string, sent: Sent) => () => sendImpatiently(url, { ...sent, patienceMs });

const fill = (path: string): string =>
  path.replace(/[:{](\w+)\}?/g, (_, name: string) => ids[name] ?? noId);

/** Those that end what the others need. */
const isLast = (name: string): boolean =>
  /^DELETE |sign-out|end-others|session\/password/i.test(name);

function dashboardWorks(client: DashboardClient): Record<string, () => Promise<unknown>> {
  const { url } = world.service;
  const bodies = dashboardBodies();
  const works = routes.map(({ name, body }) => {
    const [method = "", path = ""] = name.split(" ");
    const sent = body && JSON.stringify(bodies[name] ?? {});
    const headers = {
      ...{ origin: url, cookie: client.cookie(), "content-type": "application/json" },
      // Limits of networks are tested elsewhere.
      "x-forwarded-for": `2001:db8:${(path.length * 7).toString(16)}::1`,
    };
    const init = { method, headers, ...(sent !== undefined && { body: sent }) };
    return [name, send(`${url}/console/api${fill(path)}`, init)] as const;
  });
  return Object.fromEntries(works.sort(([a], [b]) => Number(isLast(a)) - Number(isLast(b))));
}

/** Bodies that reach the database. */
function dashboardBodies(): Record<string, unknown> {
  const ofOperations = Object.entries(operationCases).flatMap(([name, { body }]) => {
    const [noun = "", verb = ""] = name.split(" ");
    const method = verb === "create" ? "POST" : "PATCH";
    const one = verb === "create" ? "" : `/:${noun}`;
    return [[`${method} /workspaces/:workspace/${noun}s${one}`, body]];
  });
  const named = { email: "new@example.com", name: "New", password };
  return {
    ...Object.fromEntries(ofOperations),
    "PATCH /workspaces/:workspace/settings": { name: "Held" },
    "PATCH /workspaces/:workspace/members/:user": { role: "member" },
    "POST /session/workspace": { workspaceId: ids["workspace"] },
    "POST /session/sign-in": { email: "owner@example.com", password },
    "POST /session/provider": { returnTo: "/overview", invitation: null, isFresh: false },
    "POST /session/forgotten-password": { email: "owner@example.com" },
    "PATCH /session/user": { name: "Olga" },
    "POST /join/sign-up": { ...named, token: ids["invitationToken"] },
    "POST /join/accept": { token: ids["invitationToken"] },
    "POST /join/look": { token: ids["invitationToken"] },
    "POST /shared": { token: ids["linkToken"] },
    "POST /workspaces/:workspace/apps/:app/collect": {},
  };
}

async function apiWorks(): Promise<Record<string, () => Promise<unknown>>> {
  const { url, deps, workspaceId: id } = world.service;
  const key = async (scope: "read" | "manage") => (await aKey(deps.database, { id }, scope)).key;
  const [reader, manager] = [await key("read"), await key("manage")];
  const works: [string, () => Promise<unknown>][] = endpoints.map(({ path }) => [
    `GET ${path}`,
    send(
      `${url}/api/v1${path.replace("{version}", "1.0").replace(/\{\w+\}/, ids["review"] ?? "")}`,
      {
        headers: { authorization: `Bearer ${reader}` },
      },
    ),
  ]);
  for (const route of manageRoutes()) {
    const { method, path, body } = route;
    const sent = body && JSON.stringify(managedBodies[nameOf(route)] ?? {});
    const headers = { authorization: `Bearer ${manager}`, "content-type": "application/json" };
    const init = { method: method.toUpperCase(), headers, ...(sent && { body: sent }) };
    works.push([`${method.toUpperCase()} ${path}`, send(`${url}/api/v1${fill(path)}`, init)]);
  }
  const mcp = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_apps" } };
  works.push([
    "POST /mcp",
    send(`${url}/mcp`, {
      ...{ method: "POST", body: JSON.stringify(mcp) },
      headers: {
        ...{ authorization: `Bearer ${reader}`, "content-type": "application/json" },
        accept: "application/json, text/event-stream",
      },
    }),
  ]);
  const form = { method: "POST", headers: { origin: url } };
  works.push(["POST /mail/stop", send(`${url}/mail/stop/${ids["mailToken"]}`, form)]);
  works.push(["GET /feeds", send(`${url}/feeds/${ids["feedToken"]}`, {})]);
  return Object.fromEntries(works.sort(([a], [b]) => Number(isLast(a)) - Number(isLast(b))));
}

const held: (keyof typeof locks)[][] = isMeasured
  ? [["workspace"], ["listing"], ["channel"], ["key"], ["members"]]
  : // The lock of a workspace comes first, and keeps requests from the others.
    [["workspace"], ["listing", "channel", "key", "members"]];

/** Rows of keys and members are changed by few requests and no job. */
const isOften = (names: readonly string[]): boolean =>
  names.some((name) => name !== "key" && name !== "members");

test.each(held)("no route makes others wait for %s …", longTest, async (...names) => {
  const works = { ...(await apiWorks()), ...dashboardWorks(owner) };
  const { met } = await whileHeld(names, works);
  if (isOften(names)) expect(met, "statements that met a lock").toBeGreaterThan(0);
});

test("no sign-in by the provider makes others wait for the workspace", longTest, async () => {
  const sign = async (sub: string, group: string): Promise<() => Promise<unknown>> => {
    const client = createDashboardClient(world.service.url);
    const email = `${sub}@corp.example`;
    const account = { sub, email, email_verified: true, name: "Pat", groups: [group] };
    const way = { world, idp: parts.idp, account };
    const callback = await goToProvider(way, { client, returnTo: "/" });
    return () => goToCallback(world, { client, callback });
  };
  // One whose role changes, and new members.
  await (await sign("known", "staff"))();
  const waiting = [
    await sign("known", "boss"),
    await sign("new", "staff"),
    await sign("b", "boss"),
  ];
  const work = async () => waiting.shift()?.();
  const names = ["sign-ins", "a moment later", "two moments later", "three moments later"];
  const works = Object.fromEntries(names.map((name) => [name, work]));
  expect((await whileHeld(["workspace"], works)).met).toBeGreaterThan(0);
});

test.each(held)("no job makes others wait for %s …", longTest, async (...names) => {
  const { deps, workspaceId } = world.service;
  const { database } = deps;
  const { signal } = new AbortController();
  const crawl = async (id: string) => {
    const listing = await database.findListing(id);
    if (listing) await crawlListing(toCrawlDeps(deps), { listing });
  };
  const jobs: Record<string, () => Promise<unknown>> = {
    "a crawl": () => crawl(ids["listing"] ?? ""),
    "a crawl of the bucket": () => crawl(ids["ownListing"] ?? ""),
    "translations of stored reviews": () =>
      queueTranslations(deps, { listingId: ids["listing"] ?? "", reviewId: null }),
    "re-analysis": () => reanalyze(deps, { workspaceId, onProgress() {} }),
    "own topics": async () => {
      await applyOwnTopics(database, async () => true);
      await trainOwnTopics(database);
    },
    alerts: () => queueAlerts({ ...deps, log: silentLog }, signal),
    digests: () => queueDueDigests({ ...deps, log: silentLog }, signal),
    retention: () => runRetentionRound(deps, { editEventDays: 30, signal }),
    "a delivery": () =>
      testChannel({ ...deps, actor: "test" }, { id: ids["channel"] ?? "", workspaceId }),
    "expired sessions": () =>
      database.deleteExpiredSessions({ now: deps.clock.now(), idleSince: new Date(0) }),
    "the use of keys": () =>
      database.control().recordApiKeyUsage([
        {
          keyId: ids["key"] ?? "",
          usedAt: deps.clock.now(),
          address: "192.0.2.1",
          requestCount: 1,
        },
      ]),
  };
  const { met } = await whileHeld(names, jobs);
  if (isOften(names)) expect(met).toBeGreaterThan(0);
});

test(
  "fifty workspaces of one person that all wait leave others their turns",
  longTest,
  async () => {
    const { deps, url } = world.service;
    const member = { role: "owner" as const, joinedAt: deps.clock.now() };
    const userId = (await deps.database.findUserByEmail("owner@example.com"))?.id ?? "";
    const mine = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const workspaceId = await world.addWorkspace(`Mine ${index}`);
        await deps.database.insertMember({ ...member, userId, workspaceId });
        return { workspaceId, ...(await aKey(deps.database, { id: workspaceId }, "manage")) };
      }),
    );
    const client = await connect();
    const names = mine.map(({ workspaceId }) => workspaceId);
    await client.query("begin");
    await client.query("select from workspaces where id = any($1) for update", [names]);
    let count = 0;
    const change = async () => {
      count += 1;
      const headers = { authorization: `Bearer ${mine[count % 50]?.key}` };
      await send(`${url}/api/v1/views`, {
        ...{ method: "POST", headers: { ...headers, "content-type": "application/json" } },
        body: JSON.stringify({ name: `View ${count}`, query: "rating=1" }),
      })();
    };
    const works = Array.from({ length: 25 }, (_, index) => [`changes ${index}`, change] as const);
    expect((await whileHeld(["workspace"], Object.fromEntries(works))).met).toBeGreaterThan(0);
    await client.query("rollback");
  },
);
