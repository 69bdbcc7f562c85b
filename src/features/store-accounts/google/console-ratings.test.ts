// Exports of ratings in the bucket of a developer account, against the simulated one over real HTTP.
import { afterEach, beforeEach, expect, test } from "vitest";
import { generateStoreKeys } from "../../../../simulator/store-keys.ts";
import { openStoreHarness, type StoreHarness } from "../../../../test/support/store-harness.ts";
import type { RatingAverage } from "../../../domain/review/rating-average.ts";
import { dayMs } from "../../../lib/timestamp.ts";
import type { Store } from "../../../stores/store.ts";
import { createPlayDeveloper } from "./play-store.ts";
import type { ServiceCredential } from "./service-token.ts";

const app = { store: "googleplay", externalAppId: "app.lanternfish" } as const;
const keys = generateStoreKeys();

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000, accounts: keys.accounts });
  harness.storeState.addApp({ ...app, name: "Lanternfish" });
});
afterEach(() => harness.close());

function open(
  credential: ServiceCredential = keys.service,
  seenFiles = new Map<string, string>(),
): Store {
  const { url } = harness.simulator;
  return createPlayDeveloper({
    ...{ http: harness.http, clock: harness.clock, publicStore: harness.google },
    ...{ androidPublisherBaseUrl: url, oauthBaseUrl: url, storageBaseUrl: url },
    ...{ credential, seenFiles, workspaceId: "workspace" },
  });
}

/** One a day, the last of them yesterday. */
function addReviews(count: number): void {
  const now = harness.clock.now().getTime();
  for (let index = 1; index <= count; index += 1) {
    const at = new Date(now - index * dayMs);
    harness.storeState.addReview(app, { region: "en", rating: 4, text: "Words.", at });
  }
}

const saved: RatingAverage[] = [];
beforeEach(() => void saved.splice(0));

function read(store: Store, knownMonths: readonly string[] = []) {
  return store.readRatingAverages?.({
    ...{ externalAppId: app.externalAppId, knownMonths: new Set(knownMonths) },
    save: async (averages) => void saved.push(...averages),
  });
}

function requestedFiles(): string[] {
  return harness.simulator.requests
    .filter(({ kind }) => kind === "storage-object")
    .map(({ url }) => decodeURIComponent(url.pathname).match(/_(\d{6}_overview)\.csv/)?.[1] ?? "");
}

test("an export holds the average of each day, newest month first", async () => {
  const texts = { region: "en", text: "Words." };
  const rate = (rating: number, day: string) =>
    harness.storeState.addReview(app, { ...texts, rating, at: new Date(`${day}T10:00:00Z`) });
  rate(5, "2026-10-30");
  rate(2, "2026-10-31");
  rate(2, "2026-11-02");
  expect(await read(open())).toEqual({ outcome: "ok", value: null });
  expect(saved).toEqual([
    { region: "", day: "2026-11-02", average: 3 },
    { region: "", day: "2026-10-30", average: 5 },
    { region: "", day: "2026-10-31", average: 3.5 },
  ]);
});

test("known months are passed over, but for the last two, and those only when they changed", async () => {
  addReviews(100);
  const seenFiles = new Map<string, string>();
  await read(open(keys.service, seenFiles), ["202610", "202609"]);
  expect(requestedFiles()).toEqual(["202611_overview", "202610_overview", "202608_overview"]);
  await read(open(keys.service, seenFiles), ["202611", "202610", "202609", "202608"]);
  expect(requestedFiles()).toHaveLength(3);
  harness.storeState.addReview(app, { region: "en", rating: 1, text: "New." });
  await read(open(keys.service, seenFiles), ["202611", "202610", "202609", "202608"]);
  expect(requestedFiles().slice(3)).toEqual(["202611_overview"]);
});

test("exports need a bucket, and an invalid file ends the reading", async () => {
  expect(open({ ...keys.service, bucket: null }).readRatingAverages).toBeUndefined();
  addReviews(3);
  const fault = { fault: "html_instead", when: { kind: "storage-object" } } as const;
  harness.simulator.faultFlags.enable(fault);
  expect(await read(open())).toMatchObject({ outcome: "unknown", blocked: false });
  harness.simulator.faultFlags.disable();
  expect(await read(open())).toMatchObject({ outcome: "ok" });
  expect(saved).toHaveLength(3);
});
