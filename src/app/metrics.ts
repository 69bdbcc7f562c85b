// Metrics for Prometheus on a port of their own, so that clients of the API can't reach them. Backlogs are
// read from the database at each scrape, so every process reports the same.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { FollowedApp } from "../database/reviews/followed-apps.ts";
import type { DayCounts } from "../database/reviews/review-counts.ts";
import { reviewLimits } from "../domain/review/review.ts";
import { type Snapshot, sumSnapshots } from "../domain/review/snapshot.ts";
import type { ConnectionPolicy } from "../http/connection-limits.ts";
import { createLimitedServer } from "../http/limited-server.ts";
import { createCachedValue } from "../lib/cached-value.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { dayOf, minuteMs } from "../lib/timestamp.ts";
import { type BacklogDeps, createBacklogMetrics } from "./backlog-metrics.ts";

export type Metrics = {
  /** Counts the responses of an HTTP server from now on. */
  observe(server: Server): void;
  /** Responds to `GET /metrics`. */
  server: Server;
};

export function createMetrics(
  deps: BacklogDeps & { log: Log; config: Pick<Config, "metricsApps"> },
  connections: ConnectionPolicy,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Their names are those of counters, and they are gauges; each has a series by type beside it.
  for (const kind of ["handles", "requests", "resources"])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const readBacklogs = createBacklogMetrics(registry, deps);
  const readApps = deps.config.metricsApps ? createAppMetrics(registry, deps) : null;
  const requests = createRequestMetrics(registry);
  const readAll = async () => {
    try {
      await readBacklogs();
      await readApps?.();
    } catch (error) {
      // The metrics of the process matter most while the database is away.
      deps.log.warn(
        { reason: String(error) },
        "metrics have no backlogs: the database could not be read",
      );
    }
    return { text: await registry.metrics(), type: registry.contentType };
  };
  return {
    observe: (server) => server.on("request", requests),
    server: createLimitedServer(
      (request, response) => void respond(readAll, { request, response }),
      connections,
    ),
  };
}

async function respond(
  readAll: () => Promise<{ text: string; type: string }>,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if (request.url !== "/metrics") {
    response.writeHead(404, { "content-type": "text/plain" }).end("metrics are at /metrics\n");
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end();
    return;
  }
  const { text, type } = await readAll();
  response.writeHead(200, { "content-type": type }).end(text);
}

function createRequestMetrics(registry: Registry) {
  const responses = new Counter({
    name: "starpost_http_answers_total",
    help: "Answers of the HTTP server by method and status.",
    labelNames: ["method", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "starpost_http_answer_seconds",
    help: "From the request's head to the answer's last byte.",
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return (request: IncomingMessage, response: ServerResponse) => {
    const end = durations.startTimer();
    response.once("close", () => {
      end();
      responses.inc({ method: request.method ?? "", status: response.statusCode });
    });
  };
}

const cachedMs = 5 * minuteMs;

/** Beyond it series would be too many for a Prometheus of usual size: the newest workspaces are left out. */
const appsMax = 500;

type AppMetricsDeps = {
  clock: Clock;
  database: Pick<
    Database,
    "countDateRanges" | "listFollowedApps" | "listSnapshotsAsOfEach" | "listWorkspaces"
  >;
};

/**
 * Returns a function that reads them all.
 *
 * @throws AppError `unavailable` from it; the figures stay as they were read last
 */
function createAppMetrics(registry: Registry, deps: AppMetricsDeps): () => Promise<void> {
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({
      name: `starpost_app_${name}`,
      help,
      labelNames: ["app", "name", "store", label],
      registers: [registry],
    });
  const rating = gauge(
    "rating",
    "All-time average of a storefront, or of `all` together.",
    "region",
  );
  const ratings = gauge("ratings", "All-time number of ratings by stars.", "stars");
  const reviews = gauge("reviews", "Stored reviews by sentiment; `none` without.", "sentiment");
  return createCachedValue({ clock: deps.clock, cachedMs }, async () => {
    const apps = await readApps(deps);
    for (const one of [rating, ratings, reviews]) one.reset();
    for (const { app, snapshots, counts } of apps) {
      const { id, name, store, countries } = app;
      const of = { app: id, name, store };
      const sum = sumSnapshots(snapshots, countries);
      if (sum) rating.set({ ...of, region: "all" }, sum.average);
      for (const { region, average } of snapshots) {
        if (countries.includes(region)) rating.set({ ...of, region }, average);
      }
      for (const [index, count] of (sum?.histogram ?? []).entries()) {
        ratings.set({ ...of, stars: index + 1 }, count);
      }
      const { positive, neutral, negative, mixed, total } = counts;
      const none = total - positive - neutral - negative - mixed;
      for (const [sentiment, count] of Object.entries({
        positive,
        neutral,
        negative,
        mixed,
        none,
      })) {
        reviews.set({ ...of, sentiment }, count);
      }
    }
  });
}

type AppFigures = { app: FollowedApp; snapshots: Snapshot[]; counts: DayCounts };

async function readApps({ clock, database }: AppMetricsDeps): Promise<AppFigures[]> {
  const day = dayOf(clock.now());
  const found: AppFigures[] = [];
  for (const { id: workspaceId } of await database.listWorkspaces()) {
    if (found.length >= appsMax) break;
    const followed = await database.listFollowedApps({ workspaceId, ids: null });
    const apps = followed.slice(0, appsMax - found.length);
    const ranges = apps.map((app) => ({ app, from: `${reviewLimits.yearMin}-01-01`, to: day }));
    const counts = await database.countDateRanges({ workspaceId, ranges });
    const snapshots = await database.listSnapshotsAsOfEach(
      apps.map(({ listingId }) => ({ listingId, day, withHistogram: false })),
    );
    for (const [index, app] of apps.entries()) {
      const count = counts[index];
      if (count) found.push({ app, snapshots: snapshots[index] ?? [], counts: count });
    }
  }
  return found;
}
