// Every fault changes the response of some endpoint of the stores and leaves the others as they are.
import fs from "node:fs";
import { expect, test } from "vitest";
import { MovableClock } from "../test/support/movable-clock.ts";
import { handleFeed } from "./apple-feed.ts";
import { handleProductPage, handleReviewRows } from "./apple-pages.ts";
import { applyFault, type FaultName, faultNames } from "./faults.ts";
import { handlePlayReviews } from "./play-batch.ts";
import { handleDetails } from "./play-details.ts";
import { parseStoreRequest, type StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";
import { StoreState } from "./store-state.ts";

const storeState = new StoreState(new MovableClock(new Date("2026-11-21T12:00:00Z")));
for (const store of ["appstore", "googleplay"] as const) {
  const app = { store, externalAppId: store === "appstore" ? "42" : "app.sample" };
  const region = store === "appstore" ? "us" : "en";
  storeState.addApp(app);
  storeState.setRatings(app, { region: "us", histogram: [4, 1, 2, 3, 10] });
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
  { status: 200, headers: {}, body: "", bytes: Buffer.from("\ufeffa,b\n1,2\n", "utf16le") },
];

test.each(faultNames())("%s changes a response", (name) => {
  const changed = goodResponses.filter((response) => isChanged(response, name));
  expect(changed.length).toBeGreaterThan(0);
});

test("a fault of one store does not change the other", () => {
  const [json, xml, page, , batch, details] = goodResponses;
  for (const name of ["null_entry", "stale_copy", "app_entry_first"] as const) {
    for (const response of [page, batch, details])
      expect(response && isChanged(response, name)).toBe(false);
  }
  for (const name of ["null_payload", "short_arrays", "token_cycle", "unrated"] as const) {
    for (const response of [json, xml, page])
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
