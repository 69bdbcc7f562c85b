// Cross-origin access, off unless the operator names origins. Keys belong on servers: this is for dashboards
// of one's own. hono/cors answers every OPTIONS request and exposes headers to every origin; this wrapper lets
// it see only requests of allowed origins, so that all others get the documented 404 or 405.
import type { Context } from "hono";
import { cors } from "hono/cors";
import { headerOf } from "../http/request.ts";

type RequestHandler = (context: Context) => Promise<Response>;

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
export function withCors(origins: readonly string[], handler: RequestHandler): RequestHandler {
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
