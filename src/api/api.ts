// The public read API as one Hono app, to be mounted at the root: /api/v1, its description and its
// reference page. It promises the contract and nothing more.

import { fileURLToPath } from "node:url";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { createClientIp } from "../http/client-ip.ts";
import { createCursors } from "../http/cursor.ts";
import { failedKeyLimit, keyLimit, type OpenRateLimit } from "../http/rate-limit.ts";
import { headerOf } from "../http/request.ts";
import { type ContentSecurityPolicy, securityHeaders } from "../http/security-headers.ts";
import { readStaticFiles } from "../http/static-files.ts";
import {
  createStoredResponse,
  type StoredResponse,
  sendResponse,
} from "../http/stored-response.ts";
import type { Clock } from "../lib/clock.ts";
import { lazy } from "../lib/lazy.ts";
import type { Log } from "../lib/log.ts";
import { createApiKeyUsage } from "./api-key-usage.ts";
import { apiPaths } from "./api-paths.ts";
import { endpoints } from "./endpoints.ts";
import type { ManageOptions } from "./manage/manage-deps.ts";
import { manageRoutes } from "./manage/routes.ts";
import { createManageHandlers } from "./manage/write-handler.ts";
import { createApiNotFoundHandler, createMethodNotAllowedHandler } from "./not-found.ts";
import { describeApi } from "./openapi.ts";
import { type ApiContext, createEndpointHandler, withErrors } from "./request-handler.ts";

export const basePath = "/api/v1";

export type ApiSettings = {
  /** Origins that browsers may call from; `*` for any, empty for none. */
  corsOrigins: readonly string[];
  /** Where the service is reached from outside, without a slash at the end; null when not set. */
  publicUrl: string | null;
  /** The address in examples: publicUrl, or the address that the service listens on. */
  baseUrl: string;
  /** Networks of proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  version: string;
};

type RequestHandler = (context: Context) => Promise<Response>;
/** By method. */
type Handlers = Readonly<Record<string, RequestHandler>>;

/** Close it before the database: it writes which keys were used last. */
export type Api = Hono & {
  /** For paths that nothing of what is mounted with it answers. */
  notFoundHandler: RequestHandler;
  close(): Promise<void>;
};

export type ApiOptions = {
  clock: Clock;
  log: Log;
  database: Database;
  /** Authenticate cursors: the same for all processes and after restarts. The first makes new ones. */
  cursorKeys: readonly Buffer[];
  openRateLimit: OpenRateLimit;
  manage: ManageOptions;
  settings: ApiSettings;
};

export function openApi(options: ApiOptions): Api {
  const { corsOrigins, version } = options.settings;
  const api = createContext(options);
  const app = new Hono();

  /**
   * One handler for all methods, which Hono calls directly: two for one path would go through its chain of
   * middleware. HEAD is answered like GET; Hono leaves the body out.
   */
  function addRoute(path: string, handlers: Handlers): void {
    const byMethod = new Map(Object.entries(handlers));
    const methods = Object.keys(handlers).flatMap((one) => (one === "GET" ? [one, "HEAD"] : [one]));
    const refuseMethod = createMethodNotAllowedHandler(api, methods);
    const handleMethod: RequestHandler = (context) => {
      const { method } = context.req;
      return (byMethod.get(method === "HEAD" ? "GET" : method) ?? refuseMethod)(context);
    };
    app.all(path, withCors(corsOrigins, handleMethod));
  }

  function addGetRoute(path: string, handler: RequestHandler): void {
    addRoute(path, { GET: handler });
  }

  function addDocument(path: string, storedFor: (context: Context) => StoredResponse) {
    addGetRoute(path, (context) =>
      withErrors(api, async (headers) => sendResponse(storedFor(context), { context, headers })),
    );
  }

  // Hono takes the first path that fits: `/reviews/work` before `/reviews/{review}`.
  const byPath = [...createHandlers(api, options)];
  const paramCountOf = (path: string) => path.split("{").length;
  byPath.sort(([one], [other]) => paramCountOf(one) - paramCountOf(other));
  for (const [path, handlers] of byPath) {
    addRoute(`${basePath}${path.replace(/\{(\w+)\}/g, ":$1")}`, handlers);
  }
  for (const { path, create } of apiPaths) app.all(path, create(api, { ...options, app }));
  const { baseUrl } = options.settings;
  // Made at the first request: it takes a tenth of a second of the start.
  const document = lazy(() => describeApi({ serverUrl: `${baseUrl}${basePath}`, version }));
  const store = (content: object): StoredResponse =>
    createStoredResponse({
      content: JSON.stringify(content, null, 2),
      contentType: "application/json",
      ...documentCaching,
    });
  const whole = lazy(() => store(document()));
  // Several generators write code for webhooks that doesn't compile.
  const withoutWebhooks = lazy(() => store({ ...document(), webhooks: undefined }));
  addDocument(`${basePath}/openapi.json`, (context) =>
    context.req.query("webhooks") === "false" ? withoutWebhooks() : whole(),
  );
  addDocsSite(app, { api, addGetRoute });
  // Where the dashboard is mounted before it, the start page is the dashboard's.
  app.get("/", (context) => context.redirect("/docs"));
  return Object.assign(app, {
    notFoundHandler: withCors(corsOrigins, createApiNotFoundHandler(api)),
    close: () => api.apiKeyUsage.flush(),
  });
}

/** By path and method, in the order of the endpoints. */
function createHandlers(api: ApiContext, options: ApiOptions): Map<string, Handlers> {
  const handlers = new Map<string, Handlers>();
  for (const endpoint of endpoints) {
    handlers.set(endpoint.path, { GET: createEndpointHandler(api, endpoint) });
  }
  const { clock, database, log, openRateLimit, settings, manage } = options;
  const deps = { ...manage, clock, database, log, openRateLimit, settings };
  const handle = createManageHandlers(api, deps);
  for (const route of manageRoutes()) {
    const others = handlers.get(route.path);
    handlers.set(route.path, { ...others, [route.method.toUpperCase()]: handle(route) });
  }
  return handlers;
}

function createContext(options: ApiOptions): ApiContext {
  const { clock, log, database, openRateLimit, settings } = options;
  const control = database.control();
  return {
    clock,
    log,
    database,
    cursors: createCursors(options.cursorKeys),
    control,
    apiKeyUsage: createApiKeyUsage({ clock, log, database: control }),
    limits: { keys: openRateLimit(keyLimit), failures: openRateLimit(failedKeyLimit) },
    streamingKeys: new Set(),
    clientIp: createClientIp(settings.trustedProxies),
    docsUrl: `${settings.publicUrl ?? ""}/docs`,
    version: settings.version,
  };
}

// The documents change with the version only.
const documentCaching = { cacheControl: "public, max-age=300", compression: "best" } as const;

const allowCrossOrigin = cors({
  // Only allowed origins come this far.
  origin: (origin) => origin,
  allowMethods: ["GET", "HEAD"],
  allowHeaders: ["Authorization", "If-None-Match"],
  exposeHeaders: [
    "ETag",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "Updated-Until",
    "X-Request-Id",
  ],
  maxAge: 600,
});

/** Adds to a handler what browsers need of it; without origins it is the handler itself. */
function withCors(origins: readonly string[], handler: RequestHandler): RequestHandler {
  if (origins.length === 0) return handler;
  return async (context) => {
    const origin = headerOf(context, "origin");
    const isAllowed = origin !== undefined && (origins.includes(origin) || origins.includes("*"));
    const isPreflight = headerOf(context, "access-control-request-method") !== undefined;
    if (!isAllowed || (context.req.method === "OPTIONS" && !isPreflight)) {
      const response = await handler(context);
      response.headers.append("Vary", "Origin");
      return response;
    }
    const preflight = await allowCrossOrigin(context, async () => {
      context.res = await handler(context);
    });
    return preflight ?? context.res;
  };
}

// Beside the built code. Run from source, the service uses the last build.
const folder = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../dist/docs-site" : "../../docs-site",
    import.meta.url,
  ),
);

const contentSecurityPolicy: ContentSecurityPolicy = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

const paths = ["/docs", "/docs/:page{.+}", "/llms.txt"];

/** @throws AppError `not_found` from its handlers, for a page that was not built */
function addDocsSite(
  app: Hono,
  options: {
    api: ApiContext;
    addGetRoute(path: string, handler: (context: Context) => Promise<Response>): void;
  },
): void {
  const { api, addGetRoute } = options;
  const referrerPolicy = "no-referrer";
  const headers = securityHeaders({ contentSecurityPolicy, referrerPolicy });
  const files = lazy(() => readStaticFiles(folder));
  for (const path of paths) {
    app.use(path, headers);
    addGetRoute(path, (context) =>
      withErrors(api, async (headers) => {
        const { path } = context.req;
        const file = (await files()).get(path) ?? (await files()).get(`${path}.html`);
        if (!file) throw new AppError("not_found", "There is no page of this name.");
        return sendResponse(file, { context, headers });
      }),
    );
  }
}
