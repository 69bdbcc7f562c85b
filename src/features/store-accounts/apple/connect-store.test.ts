// App Store Connect's client against the simulated API, which checks every signature, over real HTTP.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectIdOf } from "../../../../simulator/connect-review.ts";
import { generateStoreKeys } from "../../../../simulator/store-keys.ts";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../../../../test/support/store-harness.ts";
import type { Http } from "../../../lib/http.ts";
import { dayMs, minuteMs } from "../../../lib/timestamp.ts";
import type { Store } from "../../../stores/store.ts";
import { createAppStoreConnect } from "./connect-store.ts";
import type { ConnectCredential } from "./connect-token.ts";

const app = { store: "appstore", externalAppId: "1987000001" } as const;
const everywhere = { externalAppId: app.externalAppId, region: "all" };
const keys = generateStoreKeys();

let harness: StoreHarness;
let pauses: number[];
beforeEach(async () => {
  pauses = [];
  harness = await openStoreHarness({ totalTimeoutMs: 1_000, accounts: keys.accounts });
  harness.storeState.addApp({ ...app, name: "Lanternfish" });
});
afterEach(() => harness.close());

describe("reviews", () => {
  test.each(["team", "person"] as const)("the key of a %s reads all territories", async (kind) => {
    addReviews(450, ["us", "de", "xk"]);
    const pages = await crawlReviews(open(keys[kind]), everywhere);
    expect(pages.length).toBe(3);
    expect(idsOf(pages)).toEqual(idsNow());
    expect(pages.some((page) => page.capped)).toBe(false);
    const regions = pages.flatMap((page) =>
      page.outcome === "ok" ? page.value.reviews.map((review) => review.country) : [],
    );
    expect(new Set(regions)).toEqual(new Set(["us", "de", "xk"]));
  });

  test("a review has its words, its territory, its date and the published reply", async () => {
    const at = new Date("2026-01-10T16:10:34Z");
    const reply = { text: "Thank you.", at: new Date("2026-07-01T08:00:00Z") };
    harness.storeState.addReview(app, {
      region: "xk",
      rating: 2,
      title: "Hm",
      text: "Almost.",
      storeReviewId: "5",
      at,
      reply,
    });
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page).toEqual({
      outcome: "ok",
      value: {
        reviews: [
          {
            storeReviewId: connectIdOf("5"),
            author: expect.stringMatching(/^reader /),
            rating: 2,
            title: "Hm",
            text: "Almost.",
            version: "1.0.0",
            country: "xk",
            languageHint: null,
            date: at,
            votes: null,
            reply,
          },
        ],
        rejectedCount: 0,
        copyMadeAt: null,
      },
      next: null,
      capped: false,
    });
  });

  test("an app without reviews is empty: the store knows who is asking", async () => {
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page).toEqual({ outcome: "empty", next: null, capped: false });
  });

  test("a crawl that ends far short of the announced total is capped", async () => {
    addReviews(450, ["us"]);
    const store = open();
    const first = await store.fetchReviews({ ...everywhere, cursor: null });
    for (const review of harness.storeState.reviewsNow(app, "us").slice(200, 400)) {
      harness.storeState.removeReview(app, review.storeReviewId);
    }
    const last = await store.fetchReviews({ ...everywhere, cursor: first.next });
    expect(last).toMatchObject({
      ...{ outcome: "ok", next: null, capped: true },
      note: "250 of 450 that the store counts came",
    });
  });

  test.each([
    [200, true],
    [150, false],
  ])("a list without links and counts that ends after %i reviews", async (count, capped) => {
    addReviews(450, ["us"]);
    const cut: Http = async (request) => {
      const response = await harness.http(request);
      if (response.kind === "failed" || !request.url.includes("customerReviews")) return response;
      const { data, ...page } = JSON.parse(response.body.toString());
      const rest = { ...page, links: {}, meta: {}, data: data.slice(0, count) };
      return { ...response, body: Buffer.from(JSON.stringify(rest)) };
    };
    const page = await open(keys.team, { http: cut }).fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "ok", next: null, capped });
  });

  test("a cursor of another store is refused without asking", async () => {
    const page = await open().fetchReviews({ ...everywhere, cursor: "2" });
    expect(page.outcome).toBe("unknown");
    expect(harness.simulator.requests.length).toBe(0);
  });

  test("ratings, facts and links are those of the public store", async () => {
    harness.storeState.setRatings(app, { region: "us", histogram: [0, 0, 1, 0, 1] });
    const store = open();
    const us = { ...everywhere, region: "us" };
    expect(await store.fetchRatings(us)).toMatchObject({ value: { total: 2 } });
    expect(await store.fetchApp(us)).toMatchObject({ value: { name: "Lanternfish" } });
    expect(store.parseLink("id42")).toEqual({ externalAppId: "42", region: null });
  });
});

describe("tokens", () => {
  test("one token serves until a minute before its end", async () => {
    addReviews(1, ["us"]);
    const store = open();
    const tokens = new Set<unknown>();
    for (const minutes of [0, 12, 0.9, 0.2, 5]) {
      harness.clock.advance(minutes * minuteMs);
      await store.fetchReviews({ ...everywhere, cursor: null });
      tokens.add(harness.simulator.requests.at(-1)?.headers["authorization"]);
    }
    expect(tokens.size).toBe(2);
    expect(harness.simulator.requests.every(({ status }) => status === 200)).toBe(true);
  });

  test("a client whose clock is a minute ahead of the store is let in", async () => {
    addReviews(1, ["us"]);
    const ahead = { now: () => new Date(harness.clock.now().getTime() + 1.5 * minuteMs) };
    const page = await open(keys.team, { clock: ahead }).fetchReviews({
      ...everywhere,
      cursor: null,
    });
    expect(page.outcome).toBe("ok");
  });

  test.each([
    ["of another issuer", { ...keys.team, issuerId: "11111111-1111-1111-1111-111111111111" }],
    ["signed with another key", { ...keys.team, privateKeyPem: keys.person.privateKeyPem }],
    ["nobody knows", { ...keys.team, keyId: "OTHERKEY01" }],
    ["of a team used as a person's", { ...keys.team, issuerId: null }],
  ])("a key %s is tried once more with a new token, and then is bad", async (_, credential) => {
    const page = await open(credential).fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({
      outcome: "unknown",
      blocked: false,
      isFinal: true,
      isCredentialRefused: true,
    });
    expect(harness.simulator.requests.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("a token that is refused once is replaced", async () => {
    addReviews(1, ["us"]);
    harness.simulator.faultFlags.enable({ fault: "refused", status: 401, times: 1 });
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page.outcome).toBe("ok");
  });

  test("a key that can't be read asks nothing, and is not quoted", async () => {
    const credential = { ...keys.team, privateKeyPem: "-----BEGIN PRIVATE KEY-----\nabc" };
    const page = await open(credential).fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", isCredentialRefused: true });
    expect(JSON.stringify(page)).not.toContain("BEGIN");
    expect(harness.simulator.requests.length).toBe(0);
  });

  test("a key pasted with written-out line ends is read", async () => {
    addReviews(1, ["us"]);
    const privateKeyPem = keys.team.privateKeyPem.replaceAll("\n", "\\n");
    const page = await open({ ...keys.team, privateKeyPem }).fetchReviews({
      ...everywhere,
      cursor: null,
    });
    expect(page.outcome).toBe("ok");
  });
});

describe("refusals", () => {
  test("an app of another developer is unknown, and repeating the request is no use", async () => {
    const page = await open().fetchReviews({ ...everywhere, externalAppId: "77", cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: false, isFinal: true });
    expect(harness.simulator.requests.length).toBe(1);
  });

  test("a role that may not read reviews is a bad credential", async () => {
    await harness.close();
    const connectKeys = keys.accounts.connectKeys.map((key) => ({
      ...key,
      isWithoutReviews: true,
    }));
    harness = await openStoreHarness({ accounts: { connectKeys } });
    harness.storeState.addApp(app);
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", isCredentialRefused: true });
  });

  test.each([{ retryAfter: "90", retryAfterMs: 90_000 }, { retryAfterMs: 300_000 }])(
    "too many requests wait, and no other key does: $retryAfterMs ms",
    async (row) => {
      const { retryAfterMs, ...detail } = row;
      harness.simulator.faultFlags.enable({ fault: "too_many", ...detail });
      const page = await open().fetchReviews({ ...everywhere, cursor: null });
      expect(page).toMatchObject({ outcome: "unknown", blocked: false, retryAfterMs });
    },
  );

  test.each(["server_error", "html_instead", "cut", "stalled", "oversized", "empty_body"] as const)(
    "%s is unknown",
    async (fault) => {
      addReviews(2, ["us"]);
      harness.simulator.faultFlags.enable({ fault });
      const page = await open().fetchReviews({ ...everywhere, cursor: null });
      expect(page).toMatchObject({ outcome: "unknown", blocked: false, next: null });
    },
  );

  test("a quota that runs low slows the requests down", async () => {
    await harness.close();
    const accounts = { ...keys.accounts, connectPerHour: 20 };
    harness = await openStoreHarness({ accounts });
    harness.storeState.addApp(app);
    addReviews(1, ["us"]);
    const store = open();
    // The first crawl also asks for the versions, in two requests.
    for (let crawl = 0; crawl < 18; crawl += 1) {
      await store.fetchReviews({ ...everywhere, cursor: null });
    }
    // Below two of twenty left: the last request waited.
    expect(pauses).toEqual([10_000]);
    expect(await store.fetchReviews({ ...everywhere, cursor: null })).toMatchObject({
      outcome: "unknown",
      retryAfterMs: 300_000,
    });
    harness.clock.advance(dayMs);
    expect((await store.fetchReviews({ ...everywhere, cursor: null })).outcome).toBe("ok");
  });
});

function open(
  credential: ConnectCredential = keys.team,
  { clock = harness.clock, http = harness.http }: { clock?: { now(): Date }; http?: Http } = {},
): Store {
  return createAppStoreConnect({
    http,
    baseUrl: harness.simulator.url,
    clock,
    credential,
    publicStore: harness.apple,
    delay: async (durationMs) => void pauses.push(durationMs),
  });
}

function addReviews(count: number, regions: readonly string[]): void {
  const now = harness.clock.now().getTime();
  for (let index = 0; index < count; index += 1) {
    const at = new Date(now - (count - index) * minuteMs);
    const region = regions[index % regions.length] ?? "us";
    harness.storeState.addReview(app, {
      region,
      rating: 1 + (index % 5),
      title: "T",
      text: "Words.",
      at,
    });
  }
}

function idsNow(): string[] {
  return harness.storeState
    .reviewsNow(app, "all")
    .map(({ storeReviewId }) => connectIdOf(storeReviewId));
}
