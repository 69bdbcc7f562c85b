// Requests without a key or session that is known to be valid: only their networks can be counted. A network that sends many
// is kept waiting before it is refused: a refusal by itself costs as much as a small answer, and its sender would ask again.
import { hash } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { keepRecent } from "../lib/bounded-map.ts";
import { monotonicMs } from "../lib/clock.ts";
import { type Delay, systemDelay } from "../lib/delay.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type ClientIp, siteOf } from "./client-ip.ts";
import { httpErrors, problemType } from "./problem.ts";

/** For one network; the files of the dashboard, which browsers keep, are not counted. */
export const documentsPerSecond = 100;
const knownMax = 10_000;
const variable = "isAuthenticated";

/** For requests whose key or session was found valid: the next ones with it are counted by its own limits alone. */
export function markAuthenticated(context: Context): void {
  context.set(variable, true);
}

/** Counts the requests without a valid key or session. */
export function limitAnonymous(clientIp: ClientIp, delay?: Delay): MiddlewareHandler {
  const limit = limitDocuments(clientIp, delay);
  const known = new Map<string, true>();
  return async (context, next) => {
    if (context.req.path.startsWith("/assets/")) return next();
    const credentials = `${context.req.header("authorization") ?? ""} ${context.req.header("cookie") ?? ""}`;
    const key = credentials === " " ? "" : hash("sha256", credentials, "base64");
    const answer = known.has(key) ? await next() : await limit(context, next);
    const isValid = (context as Context<{ Variables: Record<string, unknown> }>).get(variable);
    if (isValid === true && key !== "") {
      keepRecent(known, { key, value: true, countMax: knownMax });
    } else if (context.res.status === 401) known.delete(key);
    return answer;
  };
}

export function limitDocuments(clientIp: ClientIp, delay: Delay = systemDelay): MiddlewareHandler {
  let second = 0;
  const counts = new Map<string, number>();
  return async (context, next) => {
    const now = Math.floor(monotonicMs() / secondMs);
    if (now !== second) counts.clear();
    second = now;
    const site = siteOf(clientIp(context));
    const count = (counts.get(site) ?? 0) + 1;
    counts.set(site, count);
    if (count <= documentsPerSecond) return next();
    await delay(secondMs, context.req.raw.signal);
    const problem = {
      ...{ type: "/docs#error-rate_limited", code: "rate_limited" },
      ...{ ...httpErrors.rate_limited, retryAfter: 1 },
      detail: `At most ${documentsPerSecond} documents a second are sent to one network.`,
    };
    const headers = { "Content-Type": problemType, "Retry-After": "1" };
    return context.body(JSON.stringify(problem), 429, headers);
  };
}
