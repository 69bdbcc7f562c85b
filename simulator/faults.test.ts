// Every fault changes the response of some endpoint of the stores and leaves the others as they are.
import fs from "node:fs";
import { expect, test } from "vitest";
import { storeIds } from "../src/domain/store/store-id.ts";
import { storeTraits } from "../src/domain/store/store-traits.ts";
import { MovableClock } from "../test/support/movable-clock.ts";
import { testRegions } from "../test/support/store-harness.ts";
import { handleAddonDetails, handleAddonRatings } from "./addons-api.ts";
import { handleFeed } from "./apple-feed.ts";
import { handleProductPage, handleReviewRows } from "./apple-pages.ts";
import { applyFault, type FaultName, faultNames } from "./faults.ts";
import { handlePlayReviews } from "./play-batch.ts";
import { handleDetails } from "./play-details.ts";
import { parseStoreRequest, type StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";
import { StoreState } from "./store-state.ts";

const storeState = new StoreState(new MovableClock(new Date("2026-11-21T12:00:00Z")));
for (const store of storeIds) {
  const app = { store, externalAppId: store === "googleplay" ? "app.sample" : "42" };
  const region = testRegions[store];
  storeState.addApp(app);
  const rated = storeTraits[store].soleRegion ?? "us";
  storeState.setRatings(app, { region: rated, histogram: [4, 1, 2, 3, 10] });
  for (let index = 0; index < 200; index += 1) {
    storeState.addReview(app, { region, rating: 4, text: "Fine." });
  }
}

const feed = "/us/rss/customerreviews/page=1/id=42/sortby=mostrecent";
const goodResponses: StoreResponse[] = [
  handleFeed(storeState, request(`${feed}/json`)),
  handleFeed(storeState, request(`${feed}/xml`)),
  handleProductPage(storeState, request("/us/app/id42")),
  handleReviewRows(
    storeState,
    request("/WebObjects/MZStore.woa/wa/userReviewsRow?id=42&startIndex=0&endIndex=9"),
  ),
  handlePlayReviews(storeState, batchRequest()),
  handleDetails(storeState, request("/store/apps/details?id=app.sample&gl=us")),
  handleAddonRatings(
    storeState,
    request("/api/v4/ratings/rating/?addon=42&page=1&page_size=50&show_grouped_ratings=1"),
  ),
  handleAddonDetails(storeState, request("/api/v4/addons/addon/42/")),
  { status: 200, headers: {}, body: "", bytes: Buffer.from("\ufeffa,b\n1,2\n", "utf16le") },
];

test.each(faultNames())("%s changes a response", (name) => {
  const changed = goodResponses.filter((response) => isChanged(response, name));
  expect(changed.length).toBeGreaterThan(0);
});

test("a fault of one store does not change the others", () => {
  const [json, xml, page, , batch, details, ratings, addon] = goodResponses;
  for (const name of ["null_entry", "stale_copy", "app_entry_first"] as const) {
    for (const response of [page, batch, details, ratings, addon])
      expect(response && isChanged(response, name)).toBe(false);
  }
  for (const name of ["null_payload", "short_arrays", "token_cycle", "unrated"] as const) {
    for (const response of [json, xml, page, ratings, addon])
      expect(response && isChanged(response, name)).toBe(false);
  }
  for (const name of ["wrapped_page", "no_counts", "not_public"] as const) {
    for (const response of [json, xml, page, batch, details])
      expect(response && isChanged(response, name)).toBe(false);
  }
});

test("every fault is documented", () => {
  const manual = fs.readFileSync(
    new URL("../docs/development/adding-a-store.md", import.meta.url),
    "utf8",
  );
  const documented = [...manual.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(documented.filter((name) => /^[a-z_]+$/.test(name ?? "")).toSorted()).toEqual(
    faultNames().toSorted(),
  );
});

function isChanged(response: StoreResponse, name: FaultName): boolean {
  return JSON.stringify(applyFault(response, { name })) !== JSON.stringify(response);
}

function request(path: string): StoreRequest {
  const url = new URL(path, "http://store.invalid");
  const headers = { "x-apple-store-front": "143441-1,29" };
  const read = parseStoreRequest({ method: "GET", url, headers, body: "" });
  if (!read) throw new Error(`no endpoint at ${path}`);
  return read;
}

function batchRequest(): StoreRequest {
  const argument = JSON.stringify([null, [2, 2, [150], null, []], ["app.sample", 7]]);
  const url = new URL("/_/PlayStoreUi/data/batchexecute?hl=en&gl=us", "http://store.invalid");
  const envelope = JSON.stringify([[["oCPfdb", argument, null, "generic"]]]);
  const body = new URLSearchParams({ "f.req": envelope }).toString();
  const read = parseStoreRequest({ method: "POST", url, headers: {}, body });
  if (!read) throw new Error("no endpoint for a batch");
  return read;
}
