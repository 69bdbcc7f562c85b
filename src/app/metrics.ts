// Metrics for Prometheus on a port of their own, so that clients of the API can't reach them. Backlogs are
// read from the database at each scrape, so every process reports the same.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../database/database.ts";
import type { ServiceMetrics } from "../database/read-models/service-metrics.ts";
import { createLimitedServer } from "../http/limited-server.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

const pendingCountMax = 100_000;

export type Metrics = {
  /** Counts the responses of an HTTP server from now on. */
  observe(server: Server): void;
  /** Responds to `GET /metrics`. */
  server: Server;
};

export function createMetrics(deps: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "readServiceMetrics">;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const backlogs = createBacklogGauges(registry);
  const requests = createRequestMetrics(registry);
  const readAll = async () => {
    try {
      const now = deps.clock.now();
      backlogs.set(await deps.database.readServiceMetrics({ now, pendingCountMax }));
    } catch (error) {
      // The metrics of the process matter most while the database is away.
      deps.log.warn(
        { reason: String(error) },
        "metrics have no backlogs: the database could not be read",
      );
      backlogs.clear();
    }
    return { text: await registry.metrics(), type: registry.contentType };
  };
  return {
    observe: (server) => server.on("request", requests),
    server: createLimitedServer(
      (request, response) => void respond(readAll, { request, response }),
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

function createBacklogGauges(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const pending = gauge(
    "starpost_deliveries_pending",
    `Deliveries that wait; ${pendingCountMax} stands for that many or more.`,
  );
  const deliveryLag = gauge(
    "starpost_delivery_lag_seconds",
    "How long the longest waiting channel has been due.",
  );
  const channels = gauge("starpost_channels", "Webhook channels.");
  const failing = gauge("starpost_channels_failing", "Channels whose last attempt failed.");
  const feedLag = gauge(
    "starpost_feed_lag_seconds",
    "How long the longest waiting feed has been due.",
  );
  const feeds = new Gauge({
    name: "starpost_feeds",
    help: "Feeds by the outcome of their last pass.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  return {
    set(figures: ServiceMetrics) {
      pending.set(figures.pendingCount);
      deliveryLag.set(figures.deliveryLagSeconds);
      channels.set(figures.channelCount);
      failing.set(figures.failingChannelCount);
      feedLag.set(figures.feedLagSeconds);
      feeds.reset();
      for (const { outcome, count } of figures.feeds) feeds.set({ outcome }, count);
    },
    // Unknown, which is not zero.
    clear() {
      for (const unknown of [pending, deliveryLag, channels, failing, feedLag]) {
        unknown.set(Number.NaN);
      }
      feeds.reset();
    },
  };
}
