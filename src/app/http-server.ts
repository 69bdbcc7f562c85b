// The HTTP server of a process: mounts the API and the dashboard, and answers health checks.
import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type NotFoundHandler } from "hono";
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { createClientIp, watchForwarded } from "../http/client-ip.ts";
import type { ConnectionPolicy } from "../http/connection-limits.ts";
import { limitAnonymous, limitDocuments } from "../http/document-limit.ts";
import { createLimitedServer } from "../http/limited-server.ts";
import { respondToRefusal } from "../http/refused-head.ts";
import { stayOnTls } from "../http/security-headers.ts";
import { createCachedValue } from "../lib/cached-value.ts";
import type { Clock } from "../lib/clock.ts";
import { findStorageFault } from "../lib/postgres/sql-errors.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type ListenOptions, listen } from "./listen.ts";

const closeWaitMs = 5 * secondMs;

type HttpServer = { url: string; close(): Promise<void> };
export type Routes = readonly { method: string; path: string }[];

type Health = { clock: Clock; database: Pick<Database, "isMigrated" | "requireWritable"> };

/** Documents are counted with a key or session as well: no other limit counts them. */
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
    publicUrl: string | null;
    /** A trusted proxy names its clients in a header that is not read. */
    onUnreadProxy?: (header: { name: string; value: string }) => void;
    /** Called with the server before it listens. */
    onServer?: (server: Server) => void;
  },
): Promise<HttpServer & { routes: Routes }> {
  const app = new Hono();
  app.use(stayOnTls(options.publicUrl));
  const clientIp = createClientIp(options.trustedProxies);
  const limit = limitDocuments(clientIp);
  for (const path of documentPaths) app.use(path, limit);
  app.use(limitAnonymous(clientIp));
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
  const { onUnreadProxy: onUnread = () => {}, trustedProxies } = options;
  watchForwarded(server, { trustedProxies, onUnread });
  return { ...(await serveHttp(server, options)), routes: app.routes };
}

/** @throws AppError `unavailable` when the port is taken or the address is not this machine's */
export async function serveHttp(server: Server, options: ListenOptions): Promise<HttpServer> {
  await listen(server, options);
  return { url: urlOf(server, options.host), close: () => close(server) };
}

/** `/healthz`: the process runs. `/readyz`: the database is reachable and migrated, and can be written to. */
function addHealth(app: Hono, { clock, database }: Health): void {
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  // Anybody may ask, as often as they like: the database is asked once a second.
  const keptStatus = createCachedValue({ clock, cachedMs: secondMs }, () => readStatus(database));
  app.get("/readyz", async (context) => {
    const status = await keptStatus();
    if (status === "ok") return context.json({ status });
    return context.json({ status }, 503, { "Retry-After": "5" });
  });
}

const healthTexts = {
  none: "the database is away",
  system: "the database can't write to its disk",
  space: "the database has no space left",
  writing: "the database is read-only",
};

async function readStatus(database: Health["database"]): Promise<string> {
  try {
    if (!(await database.isMigrated())) return "the database lacks migrations";
    await database.requireWritable();
    return "ok";
  } catch (error) {
    // The log has the reason; it is not public.
    return healthTexts[findStorageFault(error instanceof AppError ? error.cause : error) ?? "none"];
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
