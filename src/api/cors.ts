// Cross-origin access, off unless the operator names origins. Keys belong on servers: this is for
// dashboards of one's own.
import type { Context } from "hono";

const exposed =
  "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";

/** Headers of every answer: what it varies with, and what other origins may read of it. */
export function corsHeaders(
  origins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  if (origins.length === 0) return { Vary: "Authorization" };
  const vary = { Vary: "Authorization, Origin" };
  if (origin === undefined || !isAllowed(origins, origin)) return vary;
  return {
    ...vary,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": exposed,
  };
}

/** The answer to a preflight, or null when the request is none or its origin is not allowed. */
export function answerPreflight(origins: readonly string[], context: Context): Response | null {
  const origin = context.req.header("origin");
  const isPreflight =
    context.req.method === "OPTIONS" &&
    context.req.header("access-control-request-method") !== undefined;
  if (!isPreflight || origin === undefined || !isAllowed(origins, origin)) return null;
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(origins, origin),
      "Access-Control-Allow-Methods": "GET, HEAD",
      "Access-Control-Allow-Headers": "Authorization, If-None-Match",
      "Access-Control-Max-Age": "600",
    },
  });
}

function isAllowed(origins: readonly string[], origin: string): boolean {
  return origins.includes(origin) || origins.includes("*");
}
