// App Store Connect's client against the simulated API, which checks every signature, over real HTTP.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectIdOf } from "../../../../simulator/connect-review.ts";
import { makeStoreKeys } from "../../../../simulator/store-keys.ts";
import {
  idsOf,
  openStoreRig,
  type StoreRig,
  walkReviews,
} from "../../../../simulator/store-rig.ts";
import { dayMs, minuteMs } from "../../../lib/timestamp.ts";
import { type AppStoreConnect, openAppStoreConnect } from "./connect-store.ts";
import type { ConnectCredential } from "./connect-token.ts";

const app = { store: "appstore", externalAppId: "1987000001" } as const;
const everywhere = { externalAppId: app.externalAppId, region: "all" };
const keys = makeStoreKeys();

let rig: StoreRig;
let pauses: number[];
beforeEach(async () => {
  pauses = [];
  rig = await openStoreRig({ totalTimeoutMs: 1_000, accounts: keys.accounts });
  rig.world.addApp({ ...app, name: "Lanternfish" });
});
afterEach(() => rig.close());

describe("reviews", () => {
  test.each(["team", "person"] as const)("the key of a %s reads all territories", async (kind) => {
    addReviews(450, ["us", "de", "xk"]);
    const pages = await walkReviews(open(keys[kind]), everywhere);
    expect(pages.length).toBe(3);
    expect(idsOf(pages)).toEqual(idsNow());
    expect(pages.some((page) => page.truncated)).toBe(false);
    const regions = pages.flatMap((page) =>
      page.outcome === "ok" ? page.value.reviews.map((review) => review.country) : [],
    );
    expect(new Set(regions)).toEqual(new Set(["us", "de", "xk"]));
  });

  test("a review has its words, its territory, its date and the published reply", async () => {
    const at = new Date("2026-01-10T16:10:34Z");
    const reply = { text: "Thank you.", at: new Date("2026-07-01T08:00:00Z") };
    rig.world.addReview(app, {
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
            author: "reader",
            rating: 2,
            title: "Hm",
            text: "Almost.",
            version: "",
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
      truncated: false,
    });
  });

  test("an app without reviews is empty: the store knows who is asking", async () => {
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page).toEqual({ outcome: "empty", next: null, truncated: false });
  });

  test("a walk that ends far short of what was promised is truncated", async () => {
    addReviews(450, ["us"]);
    const store = open();
    const first = await store.fetchReviews({ ...everywhere, cursor: null });
    for (const review of rig.world.reviewsNow(app, "us").slice(200, 400)) {
      rig.world.removeReview(app, review.storeReviewId);
    }
    const last = await store.fetchReviews({ ...everywhere, cursor: first.next });
    expect(last).toMatchObject({ outcome: "ok", next: null, truncated: true });
  });

  test("a cursor of another store is refused without asking", async () => {
    const page = await open().fetchReviews({ ...everywhere, cursor: "2" });
    expect(page.outcome).toBe("unknown");
    expect(rig.simulator.requests.length).toBe(0);
  });

  test("ratings, facts and links are those of the public store", async () => {
    rig.world.setRatings(app, { region: "us", histogram: [0, 0, 1, 0, 1] });
    const store = open();
    const us = { ...everywhere, region: "us" };
    expect(await store.fetchRatings(us)).toMatchObject({ value: { total: 2 } });
    expect(await store.fetchApp(us)).toMatchObject({ value: { name: "Lanternfish" } });
    expect(store.readLink("id42")).toEqual({ externalAppId: "42", region: null });
  });

  test("the apps of a key are told", async () => {
    const found = await open().listApps();
    expect(found).toMatchObject({ outcome: "ok" });
    const names = found.outcome === "ok" ? found.value.map(({ name }) => name) : [];
    expect(names).toContain("Lanternfish");
  });
});

describe("tokens", () => {
  test("one token serves until a minute before its end", async () => {
    addReviews(1, ["us"]);
    const store = open();
    const tokens = new Set<unknown>();
    for (const minutes of [0, 12, 0.9, 0.2, 5]) {
      rig.clock.advance(minutes * minuteMs);
      await store.fetchReviews({ ...everywhere, cursor: null });
      tokens.add(rig.simulator.requests.at(-1)?.headers["authorization"]);
    }
    expect(tokens.size).toBe(2);
    expect(rig.simulator.requests.every(({ status }) => status === 200)).toBe(true);
  });

  test("a client whose clock is a minute ahead of the store is let in", async () => {
    addReviews(1, ["us"]);
    const ahead = { now: () => new Date(rig.clock.now().getTime() + 1.5 * minuteMs) };
    const page = await open(keys.team, ahead).fetchReviews({ ...everywhere, cursor: null });
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
    expect(rig.simulator.requests.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("a token that is refused once is replaced", async () => {
    addReviews(1, ["us"]);
    rig.simulator.switches.on({ fault: "refused", status: 401, times: 1 });
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page.outcome).toBe("ok");
  });

  test("a key that can't be read asks nothing, and is not quoted", async () => {
    const credential = { ...keys.team, privateKeyPem: "-----BEGIN PRIVATE KEY-----\nabc" };
    const page = await open(credential).fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", isCredentialRefused: true });
    expect(JSON.stringify(page)).not.toContain("BEGIN");
    expect(rig.simulator.requests.length).toBe(0);
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
  test("an app of somebody else is unknown, and asking again is no use", async () => {
    const page = await open().fetchReviews({ ...everywhere, externalAppId: "77", cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: false, isFinal: true });
    expect(rig.simulator.requests.length).toBe(1);
  });

  test("a role that may not read reviews is a bad credential", async () => {
    await rig.close();
    const connectKeys = keys.accounts.connectKeys.map((key) => ({
      ...key,
      isWithoutReviews: true,
    }));
    rig = await openStoreRig({ accounts: { connectKeys } });
    rig.world.addApp(app);
    const page = await open().fetchReviews({ ...everywhere, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", isCredentialRefused: true });
  });

  test.each([{ retryAfter: "90", retryAfterMs: 90_000 }, { retryAfterMs: 300_000 }])(
    "too many requests wait, and no other key does: $retryAfterMs ms",
    async (row) => {
      const { retryAfterMs, ...detail } = row;
      rig.simulator.switches.on({ fault: "too_many", ...detail });
      const page = await open().fetchReviews({ ...everywhere, cursor: null });
      expect(page).toMatchObject({ outcome: "unknown", blocked: false, retryAfterMs });
    },
  );

  test.each(["server_error", "html_instead", "cut", "stalled", "oversized", "empty_body"] as const)(
    "%s is unknown",
    async (fault) => {
      addReviews(2, ["us"]);
      rig.simulator.switches.on({ fault });
      const page = await open().fetchReviews({ ...everywhere, cursor: null });
      expect(page).toMatchObject({ outcome: "unknown", blocked: false, next: null });
    },
  );

  test("a quota that runs low slows the requests down", async () => {
    await rig.close();
    const accounts = { ...keys.accounts, connectPerHour: 20 };
    rig = await openStoreRig({ accounts });
    rig.world.addApp(app);
    addReviews(1, ["us"]);
    const store = open();
    for (let request = 0; request < 20; request += 1) {
      await store.fetchReviews({ ...everywhere, cursor: null });
    }
    // Below two of twenty left: the last request waited.
    expect(pauses).toEqual([10_000]);
    expect(await store.fetchReviews({ ...everywhere, cursor: null })).toMatchObject({
      outcome: "unknown",
      retryAfterMs: 300_000,
    });
    rig.clock.advance(dayMs);
    expect((await store.fetchReviews({ ...everywhere, cursor: null })).outcome).toBe("ok");
  });
});

function open(
  credential: ConnectCredential = keys.team,
  clock: { now(): Date } = rig.clock,
): AppStoreConnect {
  return openAppStoreConnect({
    http: rig.http,
    baseUrl: rig.simulator.url,
    clock,
    credential,
    publicStore: rig.apple,
    delay: async (durationMs) => void pauses.push(durationMs),
  });
}

function addReviews(count: number, regions: readonly string[]): void {
  const now = rig.clock.now().getTime();
  for (let index = 0; index < count; index += 1) {
    const at = new Date(now - (count - index) * minuteMs);
    const region = regions[index % regions.length] ?? "us";
    rig.world.addReview(app, { region, rating: 1 + (index % 5), title: "T", text: "Words.", at });
  }
}

function idsNow(): string[] {
  return rig.world.reviewsNow(app, "all").map(({ storeReviewId }) => connectIdOf(storeReviewId));
}
