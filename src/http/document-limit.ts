// Documents and health checks need no key and no session, so only networks can be counted. One that asks for many is kept
// waiting before it is refused: a refusal by itself costs as much as a small answer, and its sender would ask again at once.
import type { MiddlewareHandler } from "hono";
import { monotonicMs } from "../lib/clock.ts";
import { type Delay, systemDelay } from "../lib/delay.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type ClientIp, siteOf } from "./client-ip.ts";
import { httpErrors, problemType } from "./problem.ts";

/** For one network; a page with its files needs thirty. */
export const documentsPerSecond = 100;

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
