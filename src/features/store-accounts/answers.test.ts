// Answers to reviews through the official APIs of both simulated stores, over real HTTP.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AnswerRules } from "../../../simulator/api-auth.ts";
import { connectIdOf } from "../../../simulator/connect-review.ts";
import type { FaultRule } from "../../../simulator/fault-flags.ts";
import { generateStoreKeys } from "../../../simulator/store-keys.ts";
import { openStoreHarness, type StoreHarness } from "../../../test/support/store-harness.ts";
import {
  findAnswerFault,
  isSameAnswer,
  type StoreAnswers,
} from "../../domain/review/store-answer.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { createAppStoreConnect } from "./apple/connect-store.ts";
import { createPlayDeveloper } from "./google/play-store.ts";

const keys = generateStoreKeys();
const stores = ["appstore", "googleplay"] as const;
const storeReviewIds = {
  appstore: "14600000001",
  googleplay: "0e0f7d1c-1111-4222-8333-444455556666",
};
const answeringKinds = { appstore: "connect-answering", googleplay: "play-answering" } as const;
const isStillWanted = (): boolean => true;

let harness: StoreHarness;
afterEach(() => harness.close());
beforeEach(() => open());

async function open(access: { isReadOnly?: boolean } = {}): Promise<void> {
  await (harness as StoreHarness | undefined)?.close();
  const { connectKeys, serviceAccounts } = keys.accounts;
  const accounts = {
    connectKeys: connectKeys.map((key) => ({ ...key, ...access })),
    serviceAccounts: serviceAccounts.map((account) => ({ ...account, ...access })),
  };
  harness = await openStoreHarness({ totalTimeoutMs: 1_000, accounts });
  for (const store of stores) {
    harness.storeState.addApp(appOf(store));
    const storeReviewId = storeReviewIds[store];
    harness.storeState.addReview(appOf(store), {
      region: "us",
      rating: 1,
      text: "Bad",
      storeReviewId,
    });
  }
}

const appOf = (store: keyof typeof answeringKinds) => ({
  store,
  externalAppId: store === "appstore" ? "1987000001" : "com.example.lanternfish",
});

const reviewOf = (store: keyof typeof answeringKinds) => ({
  externalAppId: appOf(store).externalAppId,
  storeReviewId:
    store === "appstore" ? connectIdOf(storeReviewIds.appstore) : storeReviewIds[store],
});

function answersOf(store: keyof typeof answeringKinds): StoreAnswers {
  const { http, clock, apple, google } = harness;
  const { url } = harness.simulator;
  const opened =
    store === "appstore"
      ? createAppStoreConnect({
          http,
          clock,
          baseUrl: url,
          credential: keys.team,
          publicStore: apple,
        })
      : createPlayDeveloper({
          ...{ http, clock, publicStore: google, workspaceId: "one" },
          ...{ androidPublisherBaseUrl: url, oauthBaseUrl: url, storageBaseUrl: url },
          credential: { ...keys.service, bucket: null },
        });
  if (!opened.answers) throw new Error("no answers");
  return opened.answers;
}

const publish = (store: keyof typeof answeringKinds, text: string) =>
  answersOf(store).publish({ ...reviewOf(store), text, isStillWanted });

/** As the simulated store has it. */
const kept = (store: keyof typeof answeringKinds): string | null =>
  harness.storeState.findReview(store, (id) => id === storeReviewIds[store])?.reply?.text ?? null;

function fail(store: keyof typeof answeringKinds, rule: Omit<FaultRule, "when">): void {
  harness.simulator.faultFlags.enable({ ...rule, when: { kind: answeringKinds[store] } });
}

function setRules(rules: Partial<AnswerRules>): void {
  Object.assign(harness.simulator.apiAuth.answers, rules);
}

describe.each(stores)("%s", (store) => {
  test("an answer is published, read, and replaced by the next one", async () => {
    expect(await answersOf(store).read(reviewOf(store))).toMatchObject({
      ...{ outcome: "ok", value: null },
    });
    const at = harness.clock.now();
    expect(await publish(store, "We are sorry.")).toEqual({
      outcome: "ok",
      value: { text: "We are sorry.", at, isPublic: true },
    });
    expect(await publish(store, "It is fixed.")).toMatchObject({ outcome: "ok" });
    expect(await answersOf(store).read(reviewOf(store))).toMatchObject({
      outcome: "ok",
      value: { text: "It is fixed.", at, isPublic: true },
    });
    expect(kept(store)).toBe("It is fixed.");
  });

  test("an account that only reads is refused, and the reason names the right", async () => {
    await open({ isReadOnly: true });
    const refused = await publish(store, "Hello");
    expect(refused).toMatchObject({ outcome: "refused" });
    expect(JSON.stringify(refused)).toMatch(/Customer Support|Reply to reviews/);
    expect(await answersOf(store).read(reviewOf(store))).toMatchObject({ outcome: "ok" });
    expect(kept(store)).toBe(null);
  });

  test("the store's refusal of a text is final, with its words", async () => {
    setRules({ refusedWords: ["casino"] });
    const refused = await publish(store, "Visit my casino");
    expect(refused).toMatchObject({ outcome: "refused" });
    expect(JSON.stringify(refused)).toContain("Refused.");
    expect(kept(store)).toBe(null);
  });

  test.each(["hang", "cut"] as const)("an answer that was taken and %s: maybe", async (fault) => {
    fail(store, { fault, times: 1 });
    expect(await publish(store, "Taken")).toMatchObject({ outcome: "unknown", isTaken: "maybe" });
    expect(kept(store)).toBe("Taken");
    expect(await answersOf(store).read(reviewOf(store))).toMatchObject({
      value: { text: "Taken" },
    });
  });

  test("a request that is lost on its way: maybe, and reading shows that it was not taken", async () => {
    fail(store, { fault: "hang", isLost: true, times: 1 });
    expect(await publish(store, "Lost")).toMatchObject({ outcome: "unknown", isTaken: "maybe" });
    expect(await answersOf(store).read(reviewOf(store))).toMatchObject({
      ...{ outcome: "ok", value: null },
    });
  });

  test("too many requests: not taken, and when to try again", async () => {
    fail(store, { fault: "too_many", isLost: true, retryAfter: "90", times: 1 });
    expect(await publish(store, "Later")).toMatchObject({
      ...{ outcome: "unknown", isTaken: "no", retryAfterMs: 90_000 },
    });
    expect(kept(store)).toBe(null);
  });

  test("a review that is gone is refused, and so is an answer longer than the store takes", async () => {
    harness.storeState.removeReview(appOf(store), storeReviewIds[store]);
    expect(await publish(store, "Hello")).toMatchObject({ outcome: "refused" });
    await open();
    expect(await publish(store, "x".repeat(6_000))).toMatchObject({ outcome: "refused" });
    expect(findAnswerFault(store, "x".repeat(6_000))).toContain("6000 characters");
  });
});

test("the App Store shows an answer later, and withdraws it", async () => {
  setRules({ delayMs: hourMs });
  expect(await publish("appstore", "Soon")).toMatchObject({ value: { isPublic: false } });
  const { read, withdraw } = answersOf("appstore");
  expect(await read(reviewOf("appstore"))).toMatchObject({ value: { isPublic: false } });
  harness.clock.advance(hourMs);
  expect(await read(reviewOf("appstore"))).toMatchObject({ value: { isPublic: true } });
  const review = { ...reviewOf("appstore"), isStillWanted };
  expect(await withdraw(review)).toEqual({ outcome: "ok", value: null });
  expect(kept("appstore")).toBe(null);
  expect(await withdraw(review)).toEqual({ outcome: "ok", value: null });
});

test("the App Store's 404 means no answer only while the account has the review", async () => {
  const gone = { fault: "refused", status: 404, times: 1 } as const;
  harness.simulator.faultFlags.enable({ ...gone, when: { kind: "connect-answer" } });
  const { read, withdraw } = answersOf("appstore");
  expect(await read(reviewOf("appstore"))).toEqual({ outcome: "ok", value: null });
  await publish("appstore", "Here");
  harness.storeState.removeReview(appOf("appstore"), storeReviewIds.appstore);
  const refused = { outcome: "refused", reason: expect.stringContaining("404") };
  expect(await read(reviewOf("appstore"))).toEqual(refused);
  expect(await withdraw({ ...reviewOf("appstore"), isStillWanted })).toEqual(refused);
});

test("Google Play returns the review with its answer", async () => {
  const read = await answersOf("googleplay").read(reviewOf("googleplay"));
  expect(read.review).toMatchObject({ rating: 1, text: "Bad" });
});

test("Google Play withdraws nothing, removes markup, and has a quota for a day", async () => {
  const { withdraw } = answersOf("googleplay");
  const refused = await withdraw({ ...reviewOf("googleplay"), isStillWanted });
  expect(refused).toMatchObject({ outcome: "refused" });
  await publish("googleplay", "A <b>bold</b> step ");
  expect(kept("googleplay")).toBe("A bold step");
  expect(isSameAnswer(kept("googleplay"), "A <b>bold</b>\n step")).toBe(true);
  setRules({ playPerDay: 1 });
  expect(await publish("googleplay", "One more")).toMatchObject({ isTaken: "no" });
});
