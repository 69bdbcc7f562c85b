import { expect, test } from "vitest";
import { parseRetryAfter, readRetryAfter } from "./retry-after.ts";

const now = new Date("2026-03-02T12:00:00Z");
const inMinute = now.getTime() + 60_000;
const seconds = String(inMinute / 1_000);

test.each([
  ["HTTP", 503, { "retry-after": "60" }],
  ["HTTP, as a date", 429, { "retry-after": new Date(inMinute).toUTCString() }],
  ["GitHub", 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": seconds }],
  ["GitLab", 429, { "ratelimit-remaining": "0", "ratelimit-reset": seconds }],
  ["Discord", 200, { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "59.5" }],
  ["Jira", 429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2026-03-02T12:01:00Z" }],
  ["Jira, to the minute", 429, { "x-ratelimit-reset": "2026-03-02T12:01Z" }],
  [
    "Linear",
    400,
    { "x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": String(inMinute) },
  ],
  ["IETF, older", 429, { ratelimit: "limit=10, remaining=0, reset=60" }],
  ["IETF, newer", 200, { ratelimit: '"default";r=0;t=60' }],
  ["Okta", 429, { "x-rate-limit-remaining": "0", "x-rate-limit-reset": seconds }],
  ["a gateway without a remainder", 429, { "x-ratelimit-reset": "60" }],
])("%s: %i asks for a minute", (_, status, headers) => {
  expect(parseRetryAfter(readRetryAfter(headers, status), now)).toBe(60_000);
});

test.each([
  [
    "a limit that has something left",
    200,
    { "x-ratelimit-remaining": "7", "x-ratelimit-reset": "60" },
  ],
  [
    "a failure with something left",
    500,
    { "x-ratelimit-remaining": "7", "x-ratelimit-reset": "60" },
  ],
  ["a success with Retry-After, which means something else", 202, { "retry-after": "60" }],
  ["words", 429, { "x-ratelimit-reset": "soon" }],
  ["OpenAI's durations", 429, { "x-ratelimit-reset": "6m0s" }],
  ["nothing", 429, {}],
])("%s asks for nothing", (_, status, headers) => {
  expect(readRetryAfter(headers, status)).toBeNull();
});
