// Metrics for Prometheus on a port of their own, so that clients of the API can't reach them. Backlogs are
// read from the database at each scrape, so every process reports the same.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Config } from "../config/config.ts";
import type { ConnectionPolicy } from "../http/connection-limits.ts";
import { createLimitedServer } from "../http/limited-server.ts";
import type { Log } from "../lib/log.ts";
import { createAppMetrics } from "./app-metrics.ts";
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
