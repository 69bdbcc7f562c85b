// An exact sliding window in the memory of one process. It is for the embedded database, on which only one
// process may answer keys (database/platform/locks.ts); docs/adr/0004-hono.md has what the other one costs.
import type { Clock } from "../lib/clock.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { RateLimit, RateLimitBounds } from "./rate-limit.ts";

export function createMemoryRateLimit({
  clock,
  bounds,
}: {
  clock: Clock;
  bounds: RateLimitBounds;
}): RateLimit {
  const { limit, windowMs, keysMax } = bounds;
  // Times of accepted requests per key, oldest first; the least recently accepted key first.
  const accepted = new Map<string, number[]>();
  return {
    async take(key) {
      const now = clock.now().getTime();
      const times = accepted.get(key) ?? [];
      dropExpired(times, { now, windowMs });
      const isAccepted = times.length < limit;
      if (isAccepted) {
        times.push(now);
        // Set again at the end: the map stays in the order of the last accepted request.
        accepted.delete(key);
      }
      accepted.set(key, times);
      evictIdle({ accepted, now, windowMs, keysMax });
      return {
        accepted: isAccepted,
        limit,
        remaining: limit - times.length,
        resetSeconds: Math.ceil(((times[0] ?? now) + windowMs - now) / secondMs),
      };
    },
  };
}

function dropExpired(times: number[], { now, windowMs }: { now: number; windowMs: number }): void {
  // A clock that was set back must neither lock a key out nor open the window.
  if ((times.at(-1) ?? now) > now)
    times.splice(0, Infinity, ...times.map((time) => Math.min(time, now)));
  let expiredCount = 0;
  while (now - (times[expiredCount] ?? now) >= windowMs) expiredCount += 1;
  if (expiredCount > 0) times.splice(0, expiredCount);
}

/** Drops keys whose last accepted request left the window, oldest first, and what is beyond `keysMax`. */
function evictIdle(window: {
  accepted: Map<string, number[]>;
  now: number;
  windowMs: number;
  keysMax: number;
}): void {
  const { accepted, now, windowMs, keysMax } = window;
  for (const [key, times] of accepted) {
    const last = times.at(-1) ?? 0;
    if (accepted.size <= keysMax && now - last < windowMs) return;
    accepted.delete(key);
  }
}
