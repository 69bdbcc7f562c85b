// Messages about failing storefronts and languages.
import { expect, test } from "vitest";
import { aFeed } from "../../../test/support/feeds.ts";
import type { Feed } from "../../domain/feed/feed.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { toCoverage } from "./coverage.ts";
import { describeFailingFeeds } from "./feed-notes.ts";

const now = new Date("2026-11-21T12:00:00Z");

function anAppWith(store: StoreId, feeds: Partial<Feed>[]) {
  const app: App = {
    ...{ id: "a", workspaceId: "w", listingId: "l", name: "Tidepool", store, externalAppId: "1" },
    ...{ iconUrl: "", countries: [], languages: [], addedAt: now, version: 0 },
  };
  const listing = { id: "l", store, externalAppId: "1", workspaceId: null };
  const context = { app, listing, now };
  return { ...app, feeds: feeds.map((feed) => toCoverage(aFeed(feed), context)) };
}

test("storefronts are named, once for each reason; what was read is not", () => {
  const failing = { outcome: "unknown", lastError: "HTTP 503" } as const;
  const app = anAppWith("appstore", [
    { region: "us", outcome: "ok" },
    { region: "de", ...failing },
    { region: "jp", ...failing },
    { kind: "ratings", region: "de", outcome: "unknown", lastError: "no histogram adds up" },
  ]);
  expect(describeFailingFeeds(app)).toEqual([
    "Tidepool: reviews of Germany and Japan can't be read: HTTP 503",
    "Tidepool: ratings of Germany can't be read: no histogram adds up",
  ]);
});

test("reviews of Google Play are named by language", () => {
  const app = anAppWith("googleplay", [{ region: "pt-BR", outcome: "unknown", lastError: "?" }]);
  expect(describeFailingFeeds(app)).toEqual([
    "Tidepool: reviews of Brazilian Portuguese can't be read: ?",
  ]);
});
