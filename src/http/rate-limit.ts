// What a rate limit promises, whichever way it counts: in any stretch of the window's length at most `limit`
// requests of one key are accepted, wherever the stretch starts. Refused requests don't count.
import { minuteMs } from "../lib/timestamp.ts";

export type RateLimitResult = {
  accepted: boolean;
  limit: number;
  /** How many more would be accepted right now. */
  remaining: number;
  /** Whole seconds, at least 1, until the oldest counted request leaves the window. */
  resetSeconds: number;
};

/** Asynchronous, so that processes can share one limit through the database. */
export type RateLimit = { take(key: string): Promise<RateLimitResult> };

export type RateLimitBounds = {
  limit: number;
  windowMs: number;
  /** Beyond that many keys in one window the least recently accepted is forgotten. */
  keysMax: number;
};

export const keyLimit: RateLimitBounds = { limit: 60, windowMs: minuteMs, keysMax: 100_000 };
export const failedKeyLimit: RateLimitBounds = { limit: 30, windowMs: minuteMs, keysMax: 10_000 };
