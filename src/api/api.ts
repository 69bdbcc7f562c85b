// The public read API as one Hono app, to be mounted at the root: /api/v1, its description and its
// reference page. It promises the contract and nothing more.

import type { z } from "@hono/zod-openapi";
import { type Context, Hono, type NotFoundHandler } from "hono";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { openKeyHolders } from "./api-key-cache.ts";
import { openKeyUses } from "./api-key-usage.ts";
import { appsEndpoint } from "./apps/endpoint.ts";
import { makeCursors } from "./cursor.ts";
import { contentPolicy, renderDocs } from "./docs/page.ts";
import type { Endpoint, ReadDatabase } from "./endpoint.ts";
import { refuse } from "./not-found.ts";
import { describeApi } from "./openapi.ts";
import {
  failedKeyLimit,
  keyLimit,
  openRateLimit,
  type RateLimit,
  type RateLimitBounds,
} from "./memory-rate-limit.ts";
import { ratingsEndpoint } from "./ratings/endpoint.ts";
import { guard, type Serving, serveEndpoint } from "./request-handler.ts";
import { type Answer, makeAnswer, sendAnswer } from "../http/stored-response.ts";
import { openAnswerCache } from "./response-cache.ts";
import { reviewsEndpoint } from "./reviews/endpoint.ts";
import { openSharedRateLimit } from "./database-rate-limit.ts";
import { trendsEndpoint } from "./trends/endpoint.ts";

export const basePath = "/api/v1";

export type ApiDatabase = ReadDatabase &
  Pick<
    Database,
    | "deleteIdleRateWindows"
    | "findKeyHolders"
    | "listen"
    | "listFollowers"
    | "markKeysUsed"
    | "takeRatePlaces"
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
  answerNotFound: NotFoundHandler;
  close(): Promise<void>;
  /** Writes down which keys were used, without waiting for the next batch. */
  flushKeyUses(): Promise<void>;
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
  const serving: Serving = {
    clock,
    log,
    database,
    cursors: makeCursors(open.cursorKey),
    holders: openKeyHolders({ clock, database }),
    uses: openKeyUses({ clock, log, database }),
    answers: openAnswerCache({ clock, database }),
    limits: openLimits(open),
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
    answerNotFound: (context: Context) => refuse(serving, context, "not_found"),
    async close() {
      serving.holders.close();
      serving.answers.close();
      await serving.uses.flush();
    },
    flushKeyUses: () => serving.uses.flush(),
  });
}

function openLimits(open: {
  clock: Clock;
  log: Log;
  database: ApiDatabase;
  settings: ApiSettings;
}): Serving["limits"] {
  const limitOf = (bounds: RateLimitBounds, what: string): RateLimit =>
    open.settings.isLimitShared
      ? openSharedRateLimit({ ...open, bounds, what })
      : openRateLimit({ clock: open.clock, bounds });
  return { keys: limitOf(keyLimit, "key"), failures: limitOf(failedKeyLimit, "address") };
}

function addEndpoint<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  app: Hono,
  serving: Serving,
  endpoint: Endpoint<Parameters, Body>,
): void {
  addReading(app, serving, {
    path: `${basePath}${endpoint.path}`,
    read: serveEndpoint(serving, endpoint),
  });
}

/**
 * One handler for all methods, which Hono calls directly: two for one path would go through its chain of
 * middleware. HEAD is answered like GET; Hono leaves the body out.
 */
function addReading(
  app: Hono,
  serving: Serving,
  { path, read }: { path: string; read: (context: Context) => Promise<Response> },
): void {
  app.all(path, (context) =>
    context.req.method === "GET" || context.req.method === "HEAD"
      ? read(context)
      : refuse(serving, context, "method_not_allowed"),
  );
}

// The description changes with the version only.
const publicCache = "public, max-age=300";

function addDocs(app: Hono, serving: Serving, settings: ApiSettings): void {
  const description = describeApi({
    serverUrl: `${settings.publicUrl ?? ""}${basePath}`,
    version: settings.version,
  });
  const add = (path: string, answer: Answer, headers: Record<string, string>): void => {
    addReading(app, serving, {
      path,
      read: (context) =>
        guard(serving, context, async (common) =>
          sendAnswer(answer, { context, headers: { ...common, ...headers } }),
        ),
    });
  };
  const json = { contentType: "application/json", cacheControl: publicCache };
  const html = { contentType: "text/html; charset=utf-8", cacheControl: publicCache };
  add(
    `${basePath}/openapi.json`,
    makeAnswer({ ...json, text: JSON.stringify(description, null, 2) }),
    {},
  );
  add("/docs", makeAnswer({ ...html, text: renderDocs(description) }), {
    "Content-Security-Policy": contentPolicy,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  // Until something else is mounted before it, the start page is the reference.
  app.get("/", (context) => context.redirect("/docs"));
}
