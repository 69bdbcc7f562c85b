// Monitoring that fires: every state that `starpost status` calls bad is made, its metrics are read, and Prometheus evaluates
// the rules on them. Each rule has a state that fires it, and a healthy installation fires none.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Registry } from "prom-client";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createBacklogMetrics } from "../src/app/backlog-metrics.ts";
import type { Database } from "../src/database/database.ts";
import { AppError } from "../src/domain/error.ts";
import { hourMs } from "../src/lib/timestamp.ts";
import { readStatus } from "../src/use-cases/status/read-status.ts";
import { saveFailing } from "./support/claims.ts";
import {
  aDelivery,
  anApp,
  aReview,
  aWorkspace,
  saveChannel,
  saveReviews,
  startTime,
} from "./support/factories.ts";
import { anyDueFeeds } from "./support/feeds.ts";
import { openTestContextWithClient } from "./support/test-context.ts";

const alertsFile = path.resolve(import.meta.dirname, "../packaging/monitoring/alerts.yaml");
const rules: { alert: string }[] = parse(fs.readFileSync(alertsFile, "utf8")).groups[0].rules;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-alerts-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

type TestContext = Awaited<ReturnType<typeof openTestContextWithClient>>;
type Made = Partial<Database> | undefined;
type State = { check: string; alerts: string[]; make: (context: TestContext) => Promise<Made> };

async function followApp({ database }: TestContext): Promise<void> {
  const { id: workspaceId } = await aWorkspace(database);
  const { listingId } = await anApp(database, { workspaceId });
  await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now: startTime });
}

/** By the check of the status. */
const states: State[] = [
  {
    check: "database",
    alerts: ["StarpostDatabaseNotWritable"],
    make: async () => ({
      async requireWritable() {
        const cause = Object.assign(new Error("read-only"), { code: "25006" });
        throw new AppError("unavailable", "the database is read-only", { cause });
      },
    }),
  },
  {
    check: "App Store reviews",
    alerts: ["StarpostCrawlsLate"],
    async make(context) {
      await followApp(context);
      context.clock.advance(hourMs);
    },
  },
  {
    check: "App Store feeds",
    alerts: ["StarpostFeedsFailing", "StarpostStoreUnreadable"],
    async make(context) {
      await followApp(context);
      const { database } = context;
      const now = context.clock.now();
      const nextDueAt = new Date(now.getTime() + hourMs);
      const lease = { token: crypto.randomUUID(), now, leasedUntil: nextDueAt };
      for (const feed of await database.claimDueFeeds({ ...lease, ...anyDueFeeds() }))
        await database.rescheduleFeed({ ...feed, lastError: "HTTP 503", nextDueAt, now });
    },
  },
  {
    check: "App Store layout",
    alerts: ["StarpostLayoutIncident"],
    async make(context) {
      for (const _ of ["one app", "another"]) await followApp(context);
      const held = { kind: "dates_shifted", source: "public", reason: "dates moved", contents: {} };
      const page = { ...held, since: startTime };
      await context.client.query("update feeds set quarantined_page = $1", [page]);
    },
  },
  {
    check: "shape appstore.reviews",
    alerts: ["StarpostShapeLearned"],
    make: async ({ client }) =>
      void (await client.query(
        "insert into learned_shapes values ('appstore.reviews', '{}', 'proposed', 3, 'moved', now())",
      )),
  },
  {
    check: "App Store reviews of a well-known app",
    alerts: ["StarpostParserFault"],
    make: async ({ client }) =>
      void (await client.query(
        "insert into store_checks values ('appstore', 'reviews', now(), 'no stars')",
      )),
  },
  {
    check: "delivery",
    alerts: ["StarpostDeliveriesLate"],
    async make({ clock, database }) {
      const { id: workspaceId } = await aWorkspace(database);
      const { id } = await saveChannel(database, { workspaceId });
      const deliveries = [aDelivery({ id, workspaceId })];
      await database.enqueueDeliveries({ deliveries, now: clock.now() });
      clock.advance(hourMs);
    },
  },
  {
    check: "channel",
    alerts: ["StarpostChannelsFailing"],
    async make({ database }) {
      const { id: workspaceId } = await aWorkspace(database);
      const { id: channelId } = await saveChannel(database, { workspaceId });
      await database.advanceQueue([{ channelId, dueAt: startTime }]);
      const failing = { failingSince: startTime, failingReason: "HTTP 500", timeoutCount: 0 };
      await saveFailing(database, { channelId, ...failing });
    },
  },
  {
    check: "jobs: translate",
    alerts: ["StarpostProviderLate"],
    async make({ clock, client, database }) {
      const { id: workspaceId } = await aWorkspace(database);
      await saveReviews(database, await anApp(database, { workspaceId }), [aReview()]);
      const at = new Date(clock.now().getTime() - 2 * hourMs);
      await client.query(
        `insert into provider_jobs (listing_id, review_id, kind, content_hash, language, rating, body, is_urgent, queued_at, due_at)
         select listing_id, id, 'translate', '', 'de', 1, 'x', false, $1, $1 from reviews`,
        [at],
      );
    },
  },
];

/** Made of figures alone: no check of the status says them. */
const figures: [series: string, value: string, alert: string][] = [
  ['up{job="starpost"}', "0", "StarpostDown"],
  ["starpost_deliveries_pending", "NaN", "StarpostDatabaseAway"],
  ["starpost_store_breakers_open", "1", "StarpostStoreBlocks"],
  ['starpost_database_connections{state="waiting"}', "3", "StarpostDatabaseConnectionsShort"],
  ["nodejs_eventloop_lag_p99_seconds", "2", "StarpostEventLoopBlocked"],
];

type Series = Record<string, string>;

async function read(context: TestContext, made: Made): Promise<Series> {
  const registry = new Registry();
  const database = { ...context.database, ...made };
  const storeRequestCounts = () => ({ waitingCount: 0 });
  await createBacklogMetrics(registry, { ...context, database, storeRequestCounts })();
  const lines = (await registry.metrics()).split("\n").filter((line) => /^\w/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.replace(/ \S+$/, ""), line.replace(/^.* /, "")]),
  );
}

const healthy: Series = { 'up{job="starpost"}': "1" };

/** The alerts that fire after two days. */
function evaluate(series: Series, alerts: readonly string[]): string {
  const file = path.join(folder, "test.yaml");
  const samples = alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }));
  const expr = 'group by (alertname) (ALERTS{alertstate="firing"})';
  const document = {
    rule_files: [alertsFile],
    evaluation_interval: "10m",
    tests: [
      {
        interval: "10m",
        input_series: Object.entries({ ...healthy, ...series }).map(([name, value]) => ({
          series: name,
          values: value === "NaN" ? "NaN ".repeat(300).trim() : `${value}x300`,
        })),
        promql_expr_test: [{ expr, eval_time: "2d", exp_samples: samples }],
      },
    ],
  };
  fs.writeFileSync(file, JSON.stringify(document));
  const { stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  return `${stdout}${stderr}`;
}

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
// biome-ignore lint/suspicious/noConsole: developers who run the tests should know.
if (!hasPromtool) console.warn("no promtool (Debian's package prometheus): no rule is evaluated");

test("every rule has a state that fires it", () => {
  const covered = [
    ...states.flatMap(({ alerts }) => alerts),
    ...figures.map(([, , alert]) => alert),
  ];
  expect(rules.map(({ alert }) => alert).sort()).toEqual(covered.sort());
});

describe("a state that the status calls bad", () => {
  test.each(states)("$check fires $alerts", async ({ check, alerts, make }) => {
    const context = await openTestContextWithClient();
    const before = await read(context, undefined);
    const made = await make(context);
    const database = { ...context.database, ...made };
    const pace = { requestsPerSecond: 1, intervalMinutes: 60 };
    const { checks } = await readStatus({ ...context, database, pace });
    const bad = checks.filter(({ state }) => state !== "ok").map((one) => one.check);
    expect(bad).toEqual([check]);
    const after = await read(context, made);
    await context.close();
    expect(after).not.toEqual(before);
    if (!hasPromtool) return;
    expect(evaluate(before, [])).toContain("SUCCESS");
    expect(evaluate(after, alerts)).toContain("SUCCESS");
  });
});

test.skipIf(!hasPromtool).each(figures)("%s %s fires %s", (series, value, alert) => {
  expect(evaluate({ [series]: value }, [alert])).toContain("SUCCESS");
});
