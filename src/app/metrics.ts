// Figures for Prometheus on a port of their own, so that they are never in reach of who reads the API.
// Backlogs are read from the database when asked, and so are the same whichever process answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../database/database.ts";
import type { ServiceMetrics } from "../database/read-models/service-metrics.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

const pendingCountMax = 100_000;

export type Metrics = {
  /** Counts every answer of an HTTP server from now on. */
  watch(server: Server): void;
  /** Answers `GET /metrics`. */
  server: Server;
};

export function openMetrics(open: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "readServiceMetrics">;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const backlogs = backlogMeasures(registry);
  const requests = requestMeasures(registry);
  const readAll = async () => {
    try {
      const now = open.clock.now();
      backlogs.show(await open.database.readServiceMetrics({ now, pendingCountMax }));
    } catch (error) {
      // The process's own figures matter most when the database is away.
      open.log.warn({ reason: String(error) }, "the backlogs can't be read right now");
      backlogs.hide();
    }
    return { text: await registry.metrics(), type: registry.contentType };
  };
  return {
    watch: (server) => server.on("request", requests),
    server: createServer((request, response) => answer(readAll, { request, response })),
  };
}

async function answer(
  readAll: () => Promise<{ text: string; type: string }>,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if (request.url !== "/metrics") {
    response.writeHead(404, { "content-type": "text/plain" }).end("the figures are at /metrics\n");
    return;
  }
  const { text, type } = await readAll();
  response.writeHead(200, { "content-type": type }).end(text);
}

function requestMeasures(registry: Registry) {
  const answers = new Counter({
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
      answers.inc({ method: request.method ?? "", status: response.statusCode });
    });
  };
}

function backlogMeasures(registry: Registry) {
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
    show(figures: ServiceMetrics) {
      pending.set(figures.pendingCount);
      deliveryLag.set(figures.deliveryLagSeconds);
      channels.set(figures.channelCount);
      failing.set(figures.failingChannelCount);
      feedLag.set(figures.feedLagSeconds);
      feeds.reset();
      for (const { outcome, count } of figures.feeds) feeds.set({ outcome }, count);
    },
    // Not zeros: nothing is known.
    hide() {
      for (const unknown of [pending, deliveryLag, channels, failing, feedLag]) {
        unknown.set(Number.NaN);
      }
      feeds.reset();
    },
  };
}
