// Google's official APIs against the simulated ones, which check every signature, over real HTTP.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generateStoreKeys } from "../../../../simulator/store-keys.ts";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../../../../test/support/store-harness.ts";
import { dayMs, hourMs, minuteMs } from "../../../lib/timestamp.ts";
import type { Store } from "../../../stores/store.ts";
import { createPlayDeveloper } from "./play-store.ts";
import type { ServiceCredential } from "./service-token.ts";

const app = { store: "googleplay", externalAppId: "app.lanternfish" } as const;
const everywhere = { externalAppId: app.externalAppId, region: "all" };
const keys = generateStoreKeys();
const withoutBucket = { ...keys.service, bucket: null };

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000, accounts: keys.accounts });
  harness.storeState.addApp({ ...app, name: "Lanternfish" });
});
afterEach(() => harness.close());

describe("the list", () => {
  test("holds the reviews of seven days in all languages, and says that there was more", async () => {
    addReviews(250, { everyMs: hourMs, regions: ["en", "pt", "ja"] });
    const pages = await crawlReviews(open(withoutBucket), everywhere);
    // The oldest of the week is exactly seven days old, which is too old.
    expect(idsOf(pages)).toEqual(idsNow().slice(0, 167));
    expect(pages.map((page) => page.capped)).toEqual([false, true]);
  });

  test("a review has its words, a date to the millisecond, and the reply", async () => {
    const at = new Date("2026-11-20T10:00:00.077Z");
    const reply = { text: "Obrigado.", at: new Date("2026-11-19T11:00:00Z") };
    const storeReviewId = harness.storeState.addReview(app, {
      region: "pt",
      rating: 2,
      title: "Velho",
      text: "Quase bom.",
      version: "",
      at,
      reply,
    });
    const page = await open(withoutBucket).fetchReviews({ ...everywhere, cursor: null });
    expect(page.outcome === "ok" && page.value.reviews).toEqual([
      {
        storeReviewId,
        author: expect.stringMatching(/^reader /),
        rating: 2,
        title: null,
        text: "Quase bom.",
        version: "",
        country: null,
        languageHint: "pt",
        date: at,
        votes: 0,
        reply,
        ...{ device: "sample", osVersion: "34" },
      },
    ]);
  });

  test("a week without reviews is a good answer and no sign of a block", async () => {
    const page = await open(withoutBucket).fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "ok", value: { reviews: [] }, next: null });
  });

  test("a token that the store has forgotten begins the list anew, once", async () => {
    addReviews(120, { everyMs: minuteMs, regions: ["en"] });
    const page = await open(withoutBucket).fetchReviews({ ...everywhere, cursor: "list/0/stale" });
    expect(idsOf([page])).toEqual(idsNow().slice(0, 100));
    const again = await open(withoutBucket).fetchReviews({ ...everywhere, cursor: "list/1/stale" });
    expect(again).toMatchObject({ outcome: "unknown", isFinal: true });
  });

  test("facts and ratings are those of the public store", async () => {
    harness.storeState.setRatings(app, { region: "us", histogram: [0, 0, 1, 0, 1] });
    const us = { ...everywhere, region: "us" };
    expect(await open().fetchRatings(us)).toMatchObject({ value: { total: 2 } });
    expect(await open().fetchApp(us)).toMatchObject({ value: { name: "Lanternfish" } });
  });
});

describe("tokens", () => {
  test("one token serves many requests, until a minute before its end", async () => {
    const store = open(withoutBucket);
    for (const minutes of [0, 30, 28, 2]) {
      harness.clock.advance(minutes * minuteMs);
      await store.fetchReviews({ ...everywhere, cursor: null });
    }
    const kinds = harness.simulator.requests.map(({ kind }) => kind);
    expect(kinds).toEqual([
      ...["google-token", "play-api", "play-api", "play-api"],
      ...["google-token", "play-api"],
    ]);
  });

  test("a token that was revoked is replaced once", async () => {
    const store = open(withoutBucket);
    await store.fetchReviews({ ...everywhere, cursor: null });
    harness.simulator.apiAuth.revokeTokens();
    expect((await store.fetchReviews({ ...everywhere, cursor: null })).outcome).toBe("ok");
    expect(harness.simulator.requests.map(({ status }) => status)).toEqual([
      200, 200, 401, 200, 200,
    ]);
  });

  test.each([
    ["of another account", { ...withoutBucket, clientEmail: "other@sample.invalid" }],
    [
      "signed with another key",
      { ...withoutBucket, privateKeyPem: generateStoreKeys().service.privateKeyPem },
    ],
    ["that can't be read", { ...withoutBucket, privateKeyPem: "abc" }],
    ["of another kind", { ...withoutBucket, privateKeyPem: keys.team.privateKeyPem }],
  ])("a key %s is a bad credential", async (_, credential) => {
    const page = await open(credential).fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", isFinal: true, isCredentialRefused: true });
    expect(harness.simulator.requests.filter(({ kind }) => kind === "play-api").length).toBe(0);
  });
});

describe("exports", () => {
  test("follow the list: a file a month, newest first, in pieces of 500", async () => {
    addReviews(1_400, { everyMs: hourMs, regions: ["en", "ja"] });
    const pages = await crawlReviews(open(), everywhere);
    const listed = idsNow().slice(0, 167);
    expect(idsOf(pages)).toEqual([...listed, ...idsNow()]);
    expect(pages.at(-1)).toMatchObject({ outcome: "ok", next: null, capped: false });
    // 20 days of November, October and the last days of September.
    const files = harness.simulator.requests.filter(({ kind }) => kind === "storage-object");
    expect(files.length).toBe(3);
  });

  test("words survive quotes, line ends and other scripts", async () => {
    const text = 'Zwei\nZeilen, "Anführung" und 日本語 😀.';
    const at = new Date("2026-08-02T03:04:05.678Z");
    harness.storeState.addReview(app, { region: "de", rating: 3, text, at, version: "1.3" });
    for (const fault of [null, "resaved_export"] as const) {
      if (fault) harness.simulator.faultFlags.enable({ fault });
      const pages = await crawlReviews(open(), everywhere);
      const reviews = pages.flatMap((page) => (page.outcome === "ok" ? page.value.reviews : []));
      const words = fault ? text.replace("\n", "\r\n") : text;
      expect(reviews).toMatchObject([
        { text: words, date: at, version: "1.3", languageHint: "de" },
      ]);
    }
  });

  test("a file that has not changed is not read again", async () => {
    addReviews(60, { everyMs: dayMs, regions: ["en"] });
    const seenFiles = new Map<string, string>();
    await crawlReviews(open(keys.service, seenFiles), everywhere);
    const before = harness.simulator.requests.length;
    await crawlReviews(open(keys.service, seenFiles), everywhere);
    const kinds = harness.simulator.requests.slice(before).map(({ kind }) => kind);
    expect(kinds).toEqual(["google-token", "play-api", "storage-list"]);
    harness.storeState.addReview(app, { region: "en", rating: 1, text: "New." });
    const pages = await crawlReviews(open(keys.service, seenFiles), everywhere);
    // Twenty of November, and the new one; October and September stay unread.
    expect(idsOf(pages.slice(1)).length).toBe(21);
  });

  test("a file counts as read only when the caller came back for more", async () => {
    addReviews(60, { everyMs: dayMs, regions: ["en"] });
    const store = open();
    const read = async () => idsOf([await store.fetchReviews({ ...everywhere, cursor: "files" })]);
    const first = await read();
    expect(await read()).toEqual(first);
    const { next } = await store.fetchReviews({ ...everywhere, cursor: "files" });
    const older = idsOf([await store.fetchReviews({ ...everywhere, cursor: next })]);
    expect(await read()).toEqual(older);
  });

  test("a week without text and a month of ratings alone are passed over, and no page is a gap", async () => {
    const quiet = { region: "en", rating: 5, text: "" };
    harness.storeState.addReview(app, { ...quiet, at: new Date("2026-11-20T00:00:00Z") });
    harness.storeState.addReview(app, {
      ...quiet,
      text: "Fine.",
      at: new Date("2026-09-20T00:00:00Z"),
    });
    const pages = await crawlReviews(open(), everywhere);
    expect(pages.map((page) => (page.outcome === "ok" ? page.value.reviews.length : -1))).toEqual([
      1, 0,
    ]);
  });

  test("another bucket is refused by name of the missing permission", async () => {
    addReviews(1, { everyMs: hourMs, regions: ["en"] });
    const store = open({ ...keys.service, bucket: "pubsite_prod_rev_9" });
    const pages = await crawlReviews(store, everywhere);
    expect(pages.map(({ outcome }) => outcome)).toEqual(["ok", "unknown"]);
    expect(pages[1]).toMatchObject({
      isCredentialRefused: true,
      reason: expect.stringContaining("download bulk reports"),
    });
  });
});

describe("refusals", () => {
  test.each([
    [403, { isCredentialRefused: true }],
    [404, { isFinal: true }],
  ])("status %i is final", async (status, expected) => {
    harness.simulator.faultFlags.enable({ fault: "refused", status, when: { kind: "play-api" } });
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: false, ...expected });
    expect(harness.simulator.requests.length).toBe(2);
  });

  test("the hourly quota of an app does not count as a block", async () => {
    await harness.close();
    harness = await openStoreHarness({ accounts: { ...keys.accounts, playPerHour: 2 } });
    harness.storeState.addApp(app);
    const store = open(withoutBucket);
    const outcomes: string[] = [];
    for (let request = 0; request < 3; request += 1) {
      const page = await store.fetchReviews({ ...everywhere, cursor: null });
      outcomes.push(page.outcome);
      if (request === 2) expect(page).toMatchObject({ blocked: false, retryAfterMs: 600_000 });
    }
    expect(outcomes).toEqual(["ok", "ok", "unknown"]);
  });

  test.each(["server_error", "html_instead", "cut", "stalled", "empty_body"] as const)(
    "%s is unknown, in the list and in the exports",
    async (fault) => {
      addReviews(3, { everyMs: dayMs, regions: ["en"] });
      const store = open();
      harness.simulator.faultFlags.enable({ fault, when: { kind: "play-api" } });
      const listed = await store.fetchReviews({ ...everywhere, cursor: null });
      expect(listed).toMatchObject({ outcome: "unknown", next: null });
      harness.simulator.faultFlags.disable();
      harness.simulator.faultFlags.enable({ fault, when: { kind: "storage-list" } });
      const exported = await store.fetchReviews({ ...everywhere, cursor: "files" });
      expect(exported).toMatchObject({ outcome: "unknown", next: null });
    },
  );
});

test("an export that takes too much work ends with its reader, and the feed rests", async () => {
  // A file that never ends is work that never ends.
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from("Package Name,Star Rating,Review Link\n");
    for (;;) yield Buffer.from("app.lanternfish,1,\n".repeat(5_000));
  }
  const { http, url } = { http: harness.http, url: harness.simulator.url };
  addReviews(3, { everyMs: dayMs, regions: ["en"] });
  const store = createPlayDeveloper({
    ...{ androidPublisherBaseUrl: url, oauthBaseUrl: url, storageBaseUrl: url },
    ...{ clock: harness.clock, credential: keys.service, publicStore: harness.google },
    exportBusyMs: 300,
    workspaceId: "workspace",
    http: async (request) => {
      if (!request.readBody) return http(request);
      await request.readBody(endless());
      return { ...{ kind: "response", status: 200, headers: {} }, body: Buffer.alloc(0), url };
    },
  });
  const page = await store.fetchReviews({ ...everywhere, cursor: "files" });
  expect(page).toMatchObject({
    ...{ outcome: "unknown", isFinal: true, isOverBudget: true, retryAfterMs: hourMs },
    reason: expect.stringMatching(
      /\d{6}\.csv takes too much work to read: it took more than 0.3 s$/,
    ),
  });
});

function open(
  credential: ServiceCredential = keys.service,
  seenFiles = new Map<string, string>(),
): Store {
  const { url } = harness.simulator;
  return createPlayDeveloper({
    http: harness.http,
    androidPublisherBaseUrl: url,
    oauthBaseUrl: url,
    storageBaseUrl: url,
    clock: harness.clock,
    credential,
    publicStore: harness.google,
    workspaceId: "workspace",
    seenFiles,
  });
}

function addReviews(count: number, of: { everyMs: number; regions: readonly string[] }): void {
  const now = harness.clock.now().getTime();
  for (let index = 0; index < count; index += 1) {
    const at = new Date(now - (count - index) * of.everyMs);
    const region = of.regions[index % of.regions.length] ?? "en";
    harness.storeState.addReview(app, { region, rating: 1 + (index % 5), text: "Words.", at });
  }
}

function idsNow(): string[] {
  return harness.storeState.reviewsNow(app, "all").map(({ storeReviewId }) => storeReviewId);
}
