// The one HTTP server of a process: what the roles mount, and two answers for whoever watches it.
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type NotFoundHandler } from "hono";
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { secondMs } from "../lib/timestamp.ts";

const closeWaitMs = 5 * secondMs;
/** A client that is slow to send its request does not hold a connection for longer. */
const requestTimeoutMs = 30 * secondMs;
const headersTimeoutMs = 10 * secondMs;

type ListenAt = {
  host: string;
  port: number;
  /** The setting to change when the port can't be had. */
  portSetting?: "PORT" | "METRICS_PORT";
};

export type HttpServer = { url: string; close(): Promise<void> };

/** @throws AppError `unavailable` when the port is taken or the address is not this machine's */
export async function openHttpServer(open: {
  host: string;
  port: number;
  /** The read API; null without the role. */
  app: Hono | null;
  /** The pages and what they call; null without the role. */
  dashboard?: (Hono & { servePage(context: Context): Promise<Response> | null }) | null;
  /** For paths that nothing of it answers. */
  respondNotFound: NotFoundHandler;
  database: Pick<Database, "isMigrated">;
  /** Told of the server before it answers. */
  watch?: (server: Server) => void;
}): Promise<HttpServer> {
  const app = new Hono();
  addHealth(app, open.database);
  // First come, first served: the start page is the dashboard's where there is one.
  if (open.dashboard) app.route("/", open.dashboard);
  if (open.app) app.route("/", open.app);
  const page = (context: Context) => open.dashboard?.servePage(context) ?? null;
  app.notFound((context) => page(context) ?? open.respondNotFound(context));
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: headersTimeoutMs, maxHeaderSize: 16_384 },
    getRequestListener(app.fetch),
  );
  open.watch?.(server);
  return serveHttp(server, open);
}

/** @throws AppError `unavailable` when the port is taken or the address is not this machine's */
export async function serveHttp(server: Server, at: ListenAt): Promise<HttpServer> {
  await listen(server, at);
  return { url: urlOf(server, at.host), close: () => close(server) };
}

/** `/healthz`: the process answers. `/readyz`: so does the database, in this version's shape. */
function addHealth(app: Hono, database: Pick<Database, "isMigrated">): void {
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/readyz", async (context) => {
    try {
      const isReady = await database.isMigrated();
      const status = isReady ? "ok" : "the database lacks migrations";
      return context.json({ status }, isReady ? 200 : 503);
    } catch {
      // Why the database is away stands in the log; outside only that it is.
      return context.json({ status: "the database is away" }, 503);
    }
  });
}

function listen(server: Server, at: ListenAt): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, at)));
    server.listen(at.port, at.host, resolve);
  });
}

function explain(error: Error, at: ListenAt): AppError {
  const code = "code" in error ? error.code : "";
  const { portSetting = "PORT" } = at;
  const where = `${at.host}:${at.port}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is in use by another program; stop it, or set ${portSetting} to a free one`,
    EACCES: `this user may not listen on ${where}; set ${portSetting} to one above 1023`,
    EADDRNOTAVAIL: `${at.host} is not an address of this machine; set HOST`,
    ENOTFOUND: `${at.host} is not a name of this machine; set HOST`,
  };
  const reason = reasons[String(code)] ?? `can't listen on ${where}: ${error.message}`;
  return new AppError("unavailable", reason, { cause: error });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), closeWaitMs);
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    server.closeIdleConnections();
  });
}
