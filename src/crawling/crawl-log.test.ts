import { expect, test } from "vitest";
import { startTime } from "../../test/support/factories.ts";
import { MovableClock } from "../../test/support/movable-clock.ts";
import type { Listing } from "../domain/feed/listing.ts";
import { silentLog } from "../lib/log.ts";
import { logCrawl } from "./crawl-feed.ts";
import { newCrawlSummary } from "./crawl-summary.ts";

const listing: Listing = {
  id: "l",
  store: "appstore",
  externalAppId: "4242",
  workspaceId: null,
};

test("a store that is away is one warning for all its feeds, and another one ten minutes later", () => {
  const clock = new MovableClock(startTime);
  const warnings: string[] = [];
  const debugs: string[] = [];
  const log = {
    ...silentLog,
    warn: (_: unknown, message: string) => void warnings.push(message),
    debug: (_: unknown, message: string) => void debugs.push(message),
  };
  const fail = (region: string, error: string): void => {
    const summary = newCrawlSummary({ kind: "reviews", region });
    logCrawl({ clock, log }, listing, { ...summary, outcome: "unknown", error });
  };
  for (const region of ["us", "gb", "de"]) fail(region, "HTTP 503");
  fail("us", "HTTP 403");
  expect(warnings).toEqual([
    "could not read App Store reviews (us): HTTP 503",
    "could not read App Store reviews (us): HTTP 403",
  ]);
  expect(debugs).toHaveLength(2);
  clock.advance(10 * 60_000);
  fail("fr", "HTTP 503");
  expect(warnings.at(-1)).toBe("could not read App Store reviews (fr): HTTP 503; 2 more since");
});
