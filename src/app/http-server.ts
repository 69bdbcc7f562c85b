// The HTTP server of a process: mounts the API and the dashboard, and answers health checks.
import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type NotFoundHandler } from "hono";
import type { Database } from "../database/database.ts";
import { createClientIp } from "../http/client-ip.ts";
import type { ConnectionPolicy } from "../http/connection-limits.ts";
import { limitDocuments } from "../http/document-limit.ts";
import { createLimitedServer } from "../http/limited-server.ts";
import { respondToRefusal } from "../http/refused-head.ts";
import type { Clock } from "../lib/clock.ts";
import { createKeptValue } from "../lib/kept-value.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type ListenOptions, listen } from "./listen.ts";

const closeWaitMs = 5 * secondMs;

type HttpServer = { url: string; close(): Promise<void> };
export type Routes = readonly { method: string; path: string }[];

type Health = { clock: Clock; database: Pick<Database, "isMigrated"> };

/** All that anyone may ask for without a session, except the files of the dashboard, which browsers keep. */
const documentPaths = ["/healthz", "/readyz", "/docs", "/docs/:page{.+}", "/llms.txt"].concat(
  "/api/v1/openapi.json",
);

/** @throws AppError `unavailable` when the port is taken or the address is not this machine's */
export async function openHttpServer(
  options: Health & {
    host: string;
    port: number;
    /** The read API; null without the role. */
    api: Hono | null;
    /** The dashboard's pages and API; null without the role. */
    dashboard?: (Hono & { servePage(context: Context): Promise<Response> | null }) | null;
    /** For all other paths. */
    notFoundHandler: NotFoundHandler;
    connections: ConnectionPolicy;
    trustedProxies: readonly string[];
    /** Called with the server before it listens. */
    onServer?: (server: Server) => void;
  },
): Promise<HttpServer & { routes: Routes }> {
  const app = new Hono();
  const limit = limitDocuments(createClientIp(options.trustedProxies));
  for (const path of documentPaths) app.use(path, limit);
  addHealth(app, options);
  // The first match wins: the start page is the dashboard's where there is one.
  if (options.dashboard) app.route("/", options.dashboard);
  if (options.api) app.route("/", options.api);
  const page = (context: Context) => options.dashboard?.servePage(context) ?? null;
  app.notFound((context) => page(context) ?? options.notFoundHandler(context));
  const server = createLimitedServer(
    getRequestListener(app.fetch, { errorHandler: respondToRefusal }),
    options.connections,
  );
  options.onServer?.(server);
  return { ...(await serveHttp(server, options)), routes: app.routes };
}

/** @throws AppError `unavailable` when the port is taken or the address is not this machine's */
export async function serveHttp(server: Server, options: ListenOptions): Promise<HttpServer> {
  await listen(server, options);
  return { url: urlOf(server, options.host), close: () => close(server) };
}

/** `/healthz`: the process runs. `/readyz`: the database is reachable and migrated. */
function addHealth(app: Hono, { clock, database }: Health): void {
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  // Anybody may ask, as often as they like: the database is asked once a second.
  const keptStatus = createKeptValue({ clock, keptMs: secondMs }, () => readStatus(database));
  app.get("/readyz", async (context) => {
    const status = await keptStatus();
    return context.json({ status }, status === "ok" ? 200 : 503);
  });
}

async function readStatus(database: Pick<Database, "isMigrated">): Promise<string> {
  try {
    return (await database.isMigrated()) ? "ok" : "the database lacks migrations";
  } catch {
    // The log has the reason; it is not public.
    return "the database is away";
  }
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), closeWaitMs);
    server.close(() => {
      clearTimeout(timeout);
      resolve();
    });
    server.closeIdleConnections();
  });
}
