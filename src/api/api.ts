// The public read API as one Hono app, to be mounted at the root: /api/v1, its description and its
// reference page. It answers under its own paths only and promises the contract, nothing more.

import type { z } from "@hono/zod-openapi";
import { type Context, Hono } from "hono";
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { AppError } from "../reviews/error.ts";
import { type Answer, makeAnswer, sendAnswer } from "./answer.ts";
import { appsEndpoint } from "./apps/endpoint.ts";
import { answerPreflight } from "./cors.ts";
import { makeCursors } from "./cursor.ts";
import { contentPolicy, renderDocs } from "./docs/page.ts";
import type { Endpoint, ReadingKeep } from "./endpoint.ts";
import { openKeyHolders } from "./key-holders.ts";
import { openKeyUses } from "./key-uses.ts";
import { describeApi } from "./openapi.ts";
import { failedKeyLimit, keyLimit, openRateLimit } from "./rate-limit.ts";
import { ratingsEndpoint } from "./ratings/endpoint.ts";
import { reviewsEndpoint } from "./reviews/endpoint.ts";
import { guard, type Serving, serveEndpoint } from "./serve.ts";
import { trendsEndpoint } from "./trends/endpoint.ts";

export const basePath = "/api/v1";

export type ApiKeep = ReadingKeep & Pick<Keep, "findKeyHolder" | "listen" | "markKeysUsed">;

export type ApiSettings = {
  /** Origins that browsers may call from; `*` for any, empty for none. */
  corsOrigins: readonly string[];
  /** Where the service is reached from outside, without a slash at the end; null when not set. */
  publicUrl: string | null;
  version: string;
};

/** Close it before the database: it writes down which keys were used last. */
export type Api = Hono & {
  close(): Promise<void>;
  /** Writes down which keys were used, without waiting for the next batch. */
  flushKeyUses(): Promise<void>;
};

export function openApi(open: {
  clock: Clock;
  log: Log;
  keep: ApiKeep;
  /** Seals cursors: the same for all processes and after restarts. */
  cursorKey: Buffer;
  settings: ApiSettings;
}): Api {
  const { clock, log, keep, settings } = open;
  const docsUrl = `${settings.publicUrl ?? ""}/docs`;
  const serving: Serving = {
    clock,
    log,
    keep,
    cursors: makeCursors(open.cursorKey),
    holders: openKeyHolders({ clock, keep }),
    uses: openKeyUses({ clock, log, keep }),
    limits: {
      keys: openRateLimit({ clock, bounds: keyLimit }),
      failures: openRateLimit({ clock, bounds: failedKeyLimit }),
    },
    corsOrigins: settings.corsOrigins,
    docsUrl,
  };
  const app = new Hono();
  addEndpoint(app, serving, appsEndpoint);
  addEndpoint(app, serving, reviewsEndpoint);
  addEndpoint(app, serving, ratingsEndpoint);
  addEndpoint(app, serving, trendsEndpoint);
  addDocs(app, serving, settings);
  app.all("/api/*", (context) => refuse(serving, context, "not_found"));
  return Object.assign(app, {
    async close() {
      serving.holders.close();
      await serving.uses.flush();
    },
    flushKeyUses: () => serving.uses.flush(),
  });
}

function addEndpoint<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  app: Hono,
  serving: Serving,
  endpoint: Endpoint<Parameters, Body>,
): void {
  const path = `${basePath}${endpoint.path}`;
  // Hono answers HEAD by the handler of GET, without the body.
  app.get(path, serveEndpoint(serving, endpoint));
  app.all(path, (context) => refuse(serving, context, "method_not_allowed"));
}

// The description changes with the version only.
const publicCache = "public, max-age=300";

function addDocs(app: Hono, serving: Serving, settings: ApiSettings): void {
  const description = describeApi({
    serverUrl: `${settings.publicUrl ?? ""}${basePath}`,
    version: settings.version,
  });
  const add = (path: string, answer: Answer, headers: Record<string, string>): void => {
    app.get(path, (context) =>
      guard(serving, context, (common) =>
        sendAnswer(answer, {
          headers: context.req.raw.headers,
          answerHeaders: { ...common, ...headers },
        }),
      ),
    );
    app.all(path, (context) => refuse(serving, context, "method_not_allowed"));
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

function refuse(
  serving: Serving,
  context: Context,
  code: "not_found" | "method_not_allowed",
): Promise<Response> | Response {
  const preflight = answerPreflight(serving.corsOrigins, context);
  if (preflight && code === "method_not_allowed") return preflight;
  return guard(serving, context, async (headers) => {
    if (code === "method_not_allowed") headers["Allow"] = "GET, HEAD";
    throw code === "not_found"
      ? new AppError("not_found", "There is nothing under this path.")
      : new AppError("method_not_allowed", "Only GET and HEAD are answered here.");
  });
}
