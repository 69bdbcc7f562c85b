// The `Retry-After` header of HTTP (RFC 9110, 10.2.3): seconds, or a date.
import { secondMs } from "./timestamp.ts";

/**
 * How long the sender wants to be left alone, in milliseconds; null when the header says neither.
 *
 * @param now what a date is compared with: the `Date` of the same response, or our own clock
 */
export function parseRetryAfter(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,10}$/.test(text)) return Number(text) * secondMs;
  // `Date.parse` takes "5.5" and "-1" for years: only what begins with a weekday is a date.
  const atMs = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  const waitMs = atMs - now.getTime();
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
