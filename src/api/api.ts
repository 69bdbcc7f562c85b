// The public read API as one Hono app, to be mounted at the root: /api/v1, its description and its
// reference page. It promises the contract and nothing more.

import type { z } from "@hono/zod-openapi";
import { type Context, Hono, type NotFoundHandler } from "hono";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { openApiKeyCache } from "./api-key-cache.ts";
import { createApiKeyUsage } from "./api-key-usage.ts";
import { appsEndpoint } from "./apps/endpoint.ts";
import { createCursors } from "./cursor.ts";
import { contentPolicy, renderDocs } from "./docs/page.ts";
import type { Endpoint, ReadDatabase } from "./endpoint.ts";
import { respondWithRefusal } from "./not-found.ts";
import { describeApi } from "./openapi.ts";
import {
  failedKeyLimit,
  keyLimit,
  createMemoryRateLimit,
  type RateLimit,
  type RateLimitBounds,
} from "./memory-rate-limit.ts";
import { ratingsEndpoint } from "./ratings/endpoint.ts";
import { withErrors, type ApiContext, createEndpointHandler } from "./request-handler.ts";
import { type StoredResponse, createStoredResponse, sendResponse } from "../http/stored-response.ts";
import { openResponseCache } from "./response-cache.ts";
import { reviewsEndpoint } from "./reviews/endpoint.ts";
import { createDatabaseRateLimit } from "./database-rate-limit.ts";
import { trendsEndpoint } from "./trends/endpoint.ts";

export const basePath = "/api/v1";

export type ApiDatabase = ReadDatabase &
  Pick<
    Database,
    | "pruneRateWindows"
    | "findApiKeyOwners"
    | "listen"
    | "listFollowingWorkspaces"
    | "recordApiKeyUsage"
    | "takeRatePermits"
  >;

export type ApiSettings = {
  /** Origins that browsers may call from; `*` for any, empty for none. */
  corsOrigins: readonly string[];
  /** Where the service is reached from outside, without a slash at the end; null when not set. */
  publicUrl: string | null;
  version: string;
  /** Whether other processes answer the same keys: they then count requests together. */
  isLimitShared: boolean;
};

/** Close it before the database: it writes down which keys were used last. */
export type Api = Hono & {
  /** For paths that nothing of what is mounted with it answers. */
  notFoundHandler: NotFoundHandler;
  close(): Promise<void>;
  /** Writes down which keys were used, without waiting for the next batch. */
  flushKeyUsage(): Promise<void>;
};

export function openApi(open: {
  clock: Clock;
  log: Log;
  database: ApiDatabase;
  /** Seals cursors: the same for all processes and after restarts. */
  cursorKey: Buffer;
  settings: ApiSettings;
}): Api {
  const { clock, log, database, settings } = open;
  const docsUrl = `${settings.publicUrl ?? ""}/docs`;
  const serving: ApiContext = {
    clock,
    log,
    database,
    cursors: createCursors(open.cursorKey),
    apiKeys: openApiKeyCache({ clock, database }),
    apiKeyUsage: createApiKeyUsage({ clock, log, database }),
    responses: openResponseCache({ clock, database }),
    limits: createRateLimits(open),
    corsOrigins: settings.corsOrigins,
    docsUrl,
  };
  const app = new Hono();
  addEndpoint(app, serving, appsEndpoint);
  addEndpoint(app, serving, reviewsEndpoint);
  addEndpoint(app, serving, ratingsEndpoint);
  addEndpoint(app, serving, trendsEndpoint);
  addDocs(app, serving, settings);
  return Object.assign(app, {
    notFoundHandler: (context: Context) => respondWithRefusal(serving, context, "not_found"),
    async close() {
      serving.apiKeys.close();
      serving.responses.close();
      await serving.apiKeyUsage.flush();
    },
    flushKeyUsage: () => serving.apiKeyUsage.flush(),
  });
}

function createRateLimits(open: {
  clock: Clock;
  log: Log;
  database: ApiDatabase;
  settings: ApiSettings;
}): ApiContext["limits"] {
  const limitOf = (bounds: RateLimitBounds, what: string): RateLimit =>
    open.settings.isLimitShared
      ? createDatabaseRateLimit({ ...open, bounds, what })
      : createMemoryRateLimit({ clock: open.clock, bounds });
  return { keys: limitOf(keyLimit, "key"), failures: limitOf(failedKeyLimit, "address") };
}

function addEndpoint<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  app: Hono,
  serving: ApiContext,
  endpoint: Endpoint<Parameters, Body>,
): void {
  addReading(app, serving, {
    path: `${basePath}${endpoint.path}`,
    read: createEndpointHandler(serving, endpoint),
  });
}

/**
 * One handler for all methods, which Hono calls directly: two for one path would go through its chain of
 * middleware. HEAD is answered like GET; Hono leaves the body out.
 */
function addReading(
  app: Hono,
  serving: ApiContext,
  { path, read }: { path: string; read: (context: Context) => Promise<Response> },
): void {
  app.all(path, (context) =>
    context.req.method === "GET" || context.req.method === "HEAD"
      ? read(context)
      : respondWithRefusal(serving, context, "method_not_allowed"),
  );
}

// The description changes with the version only.
const publicCache = "public, max-age=300";

function addDocs(app: Hono, serving: ApiContext, settings: ApiSettings): void {
  const description = describeApi({
    serverUrl: `${settings.publicUrl ?? ""}${basePath}`,
    version: settings.version,
  });
  const add = (path: string, answer: StoredResponse, headers: Record<string, string>): void => {
    addReading(app, serving, {
      path,
      read: (context) =>
        withErrors(serving, context, async (common) =>
          sendResponse(answer, { context, headers: { ...common, ...headers } }),
        ),
    });
  };
  const json = { contentType: "application/json", cacheControl: publicCache };
  const html = { contentType: "text/html; charset=utf-8", cacheControl: publicCache };
  add(
    `${basePath}/openapi.json`,
    createStoredResponse({ ...json, text: JSON.stringify(description, null, 2) }),
    {},
  );
  add("/docs", createStoredResponse({ ...html, text: renderDocs(description) }), {
    "Content-Security-Policy": contentPolicy,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  // Until something else is mounted before it, the start page is the reference.
  app.get("/", (context) => context.redirect("/docs"));
}
