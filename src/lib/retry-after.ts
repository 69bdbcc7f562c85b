// How long a service wants to be left alone: the `Retry-After` header of HTTP (RFC 9110, 10.2.3), which is seconds or a date, and
// the headers by which services say that their limit is used up and when it begins anew.
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

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** GitHub, Discord, Jira and most others; the drafts of IETF and GitLab; Linear, which has a limit of requests among several. */
const families = ["x-ratelimit-", "ratelimit-", "x-rate-limit-", "x-ratelimit-requests-"];

/**
 * The header `Retry-After`, or what a used-up limit says in another way, as such a header; null without any. A success only asks to wait
 * when it was the last one of its limit.
 */
export function readRetryAfter(headers: Headers, status: number): string | null {
  const read = (name: string): string => [headers[name]].flat()[0]?.trim() ?? "";
  const isRefused = status >= 300;
  if (isRefused && read("retry-after") !== "") return read("retry-after");
  for (const family of families) {
    const isUsedUp = /^0+(\.0*)?$/.test(read(`${family}remaining`));
    const isTooMany = status === 429 && read(`${family}remaining`) === "";
    if (!isUsedUp && !isTooMany) continue;
    const found = toRetryAfter(read(`${family}reset-after`) || read(`${family}reset`));
    if (found !== null) return found;
  }
  return readPolicy(read("ratelimit"));
}

/** `limit=10, remaining=0, reset=7` and `"default";r=0;t=7`: older and newer drafts of draft-ietf-httpapi-ratelimit-headers. */
function readPolicy(text: string): string | null {
  const numberOf = (names: string): string =>
    new RegExp(`(?:^|[,;\\s])(?:${names})=(\\d{1,10})`).exec(text)?.[1] ?? "";
  return numberOf("remaining|r") === "0" ? toRetryAfter(numberOf("reset|t")) : null;
}

/** Seconds from now, a moment in seconds or milliseconds since 1970, or a date of ISO 8601. */
function toRetryAfter(text: string): string | null {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)?$/.test(text))
    return toHttpDate(Date.parse(text));
  if (!/^\d{1,13}(\.\d{1,6})?$/.test(text)) return null;
  const value = Number(text);
  if (value >= 1e12) return toHttpDate(value);
  if (value >= 1e9) return toHttpDate(value * secondMs);
  return String(Math.ceil(value));
}

/** Rounded up: a date of HTTP has no fraction of a second. */
function toHttpDate(atMs: number): string | null {
  return Number.isNaN(atMs) ? null : new Date(Math.ceil(atMs / secondMs) * secondMs).toUTCString();
}
