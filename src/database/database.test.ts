import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { anyDueFeeds } from "../../test/support/feeds.ts";
import { readRollups } from "../../test/support/read-rollups.ts";
import { recountRollups } from "../../test/support/recount.ts";
import { startCrawl } from "../domain/feed/crawl-state.ts";
import { overBudget } from "../domain/feed/feed.ts";
import type { Review } from "../domain/review/review.ts";
import { silentLog } from "../lib/log.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { type Database, openDatabase } from "./database.ts";

const now = new Date("2026-03-01T12:00:00Z");
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await cloneDatabase();
  database = await openDatabase({ log: silentLog, connection: testDatabase });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("requests of one key that wait for its row leave connections for other keys", async () => {
  const control = database.control();
  const take = (key: string) => control.takeRatePermit({ key, limit: 60, windowMs: 60_000, now });
  await take("greedy");
  const client = new pg.Client(testDatabase.connectionString);
  await client.connect();
  await client.query("begin; select from rate_windows where key = 'greedy' for update");
  const waiting = Array.from({ length: 20 }, () => take("greedy"));
  expect(await take("other")).toMatchObject({ isGranted: true });
  await client.query("commit");
  await client.end();
  expect(await Promise.all(waiting)).toHaveLength(20);
});

describe("reviews", () => {
  test("a review comes back as it was saved", async () => {
    const listingId = await aListing();
    const review = aReview({ topics: ["crash", "ads"] });
    await database.insertReviews({ listingId, reviews: [review, aReview({ topics: [] })] });
    const [found] = await database.loadReviews({ listingId, ids: [review.id] });
    expect(found).toEqual(review);
  });

  test("a review without analysis, reply, votes and dates of its own comes back without them", async () => {
    const listingId = await aListing();
    const review: Review = { ...aReview({}), analysis: null, title: null, languageHint: null };
    await database.insertReviews({ listingId, reviews: [review] });
    expect(await database.loadReviews({ listingId, ids: [review.id] })).toEqual([review]);
  });

  test("an update keeps the former content of the review under the next number", async () => {
    const listingId = await aListing();
    const review = aReview({});
    await database.insertReviews({ listingId, reviews: [review] });
    for (const text of ["second", "third"]) {
      await database.insertReviewVersions({ listingId, reviewIds: [review.id], now });
      await database.updateReviews({ listingId, reviews: [{ ...review, text }] });
    }
    const versions = await database.loadReviewVersions({ listingId, reviewIds: [review.id] });
    expect(versions.map(({ number, text }) => [number, text])).toEqual([
      [1, review.text],
      [2, "second"],
    ]);
  });
});

describe("rollups", () => {
  test("equal a recount after any sequence of inserts and edits", async () => {
    const edit = fc.record({
      rating: fc.integer({ min: 1, max: 5 }),
      day: fc.integer({ min: 1, max: 9 }),
      label: fc.constantFrom("positive" as const, "neutral" as const, "mixed" as const, null),
      topics: fc.uniqueArray(fc.constantFrom("ads", "crash", "login", "ui"), { maxLength: 3 }),
    });
    const steps = fc.array(fc.record({ index: fc.integer({ min: 0, max: 5 }), edit }), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const listingId = await aListing();
        const saved = new Map<number, Review>();
        for (const step of sequence) {
          const before = saved.get(step.index) ?? null;
          const after = { ...aReview(step.edit), id: before?.id ?? uuidV7(now) };
          if (before) await database.updateReviews({ listingId, reviews: [after] });
          else await database.insertReviews({ listingId, reviews: [after] });
          await database.addToRollups({ listingId, changes: [{ before, after }] });
          saved.set(step.index, after);
        }
        expect(await readRollups(testDatabase, listingId)).toEqual(
          recountRollups([...saved.values()]),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe("transactions", () => {
  test("what fails in the middle leaves nothing behind", async () => {
    const listingId = await aListing();
    const review = aReview({});
    const failing = database.transaction(async (tx) => {
      await tx.insertReviews({ listingId, reviews: [review] });
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await database.loadReviews({ listingId, ids: [review.id] })).toEqual([]);
  });

  test("a database that can not be reached is reported as unavailable", async () => {
    const unreachable = await openDatabase({
      log: silentLog,
      connection: { connectionString: "postgresql://nobody@127.0.0.1:1/none" },
    });
    await expect(unreachable.listWorkspaces()).rejects.toMatchObject({ code: "unavailable" });
    await expect(unreachable.transaction(async () => {})).rejects.toMatchObject({
      code: "unavailable",
    });
    await unreachable.close();
  });
});

describe("change notifications", () => {
  test("reach every listener, and the first one after connecting is empty: changes may have been missed", async () => {
    const other = await openDatabase({ log: silentLog, connection: testDatabase });
    const received: string[] = [];
    await new Promise<void>((resolve) => {
      database.listen("feeds", (payload) => {
        received.push(payload);
        if (payload === "") void other.notify("feeds", "a-feed");
        else resolve();
      });
    });
    expect(received).toEqual(["", "a-feed"]);
    await other.close();
  });

  test("can't be sent by those who don't know their secret name", async () => {
    const client = new pg.Client(testDatabase);
    await client.connect();
    const other = await openDatabase({ log: silentLog, connection: testDatabase });
    const received: string[] = [];
    await new Promise<void>((resolve) => {
      other.listen("jobs", (payload) => {
        received.push(payload);
        if (payload === "own") resolve();
        if (payload !== "") return;
        void client
          .query("notify starpost_jobs, 'foreign'; notify jobs, 'foreign'")
          .then(() => database.notify("jobs", "own"));
      });
    });
    expect(received).not.toContain("foreign");
    await other.close();
    await client.end();
  });
});

describe("feeds", () => {
  test("a feed is claimed by one worker until its lease ends or the crawl is finished", async () => {
    const listingId = await aListing();
    await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now });
    const leasedUntil = new Date(now.getTime() + 1_000);
    const claim = { token: uuidV7(now), ...anyDueFeeds(), now, leasedUntil };
    const [claimed, ...others] = await database.claimDueFeeds(claim);
    expect(others).toEqual([]);
    expect(await database.claimDueFeeds(claim)).toEqual([]);
    const [again] = await database.claimDueFeeds({
      ...claim,
      token: uuidV7(now),
      now: leasedUntil,
    });
    if (!claimed || !again) throw new Error("the feed was not claimed");
    const end = {
      ...again,
      outcome: "ok" as const,
      checkedAt: now,
      nextDueAt: now,
      watermark: now,
    };
    expect(await database.finishFeed({ ...end, leaseToken: claimed.leaseToken })).toBe(false);
    expect(await database.finishFeed(end)).toBe(true);
    expect(await database.listFeeds(listingId)).toMatchObject([
      { outcome: "ok", watermark: now, goodAt: now },
    ]);
  });

  test("a feed whose crawl ended with its process twice rests and says so; a page in between forgives", async () => {
    const listingId = await aListing();
    await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now });
    const at = (minute: number) => new Date(now.getTime() + minute * 60_000);
    const claimAt = async (minute: number) => {
      const isOurs = (feed: { listingId: string }) => feed.listingId === listingId;
      const due = anyDueFeeds();
      const lease = { ...due, token: uuidV7(now), now: at(minute), leasedUntil: at(minute + 1) };
      // The first claim must not end because of it.
      const claimed = await database.claimDueFeeds(lease);
      const rested = await database.postponeLostFeeds(at(minute));
      return { rested: rested.filter(isOurs), claimed: claimed.filter(isOurs) };
    };
    expect((await claimAt(0)).claimed).toHaveLength(1);
    const { claimed } = await claimAt(1);
    const [second] = claimed;
    if (!second) throw new Error("the feed was not claimed again");
    const checkpoint = startCrawl(second, at(1));
    await database.saveCheckpoint({ ...second, leasedUntil: at(2), checkpoint });
    expect(await claimAt(2)).toMatchObject({ rested: [], claimed: [{ region: "us" }] });

    const feed = { listingId, kind: "reviews", region: "us" };
    expect(await claimAt(3)).toEqual({ rested: [feed], claimed: [] });
    expect(await database.listFeeds(listingId)).toMatchObject([
      {
        outcome: "unknown",
        lastError: "the process ended during the crawl, twice in a row; the feed is read later",
        nextDueAt: at(63),
        failureCount: 1,
      },
    ]);
    expect((await claimAt(62)).claimed).toEqual([]);
    // Nor does a person who asks for a crawl.
    await database.makeFeedDueNow({ ...feed, kind: "reviews", now: at(62) });
    const ofUser = { token: uuidV7(now), now: at(62), leasedUntil: at(63), listingId };
    expect(await database.claimFeedsOfListing(ofUser)).toEqual([]);
    expect((await claimAt(62)).claimed).toEqual([]);
    expect((await claimAt(63)).claimed).toHaveLength(1);
    // Once more is enough from now on, and it rests longer.
    expect(await claimAt(64)).toEqual({ rested: [feed], claimed: [] });
    expect(await database.listFeeds(listingId)).toMatchObject([{ nextDueAt: at(64 + 120) }]);
  });

  test("a feed whose work exceeded its budget is not read before its time by any worker", async () => {
    const listingId = await aListing();
    await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now });
    const leasedUntil = new Date(now.getTime() + 60_000);
    const claim = { token: uuidV7(now), now, leasedUntil };
    const [claimed] = await database.claimFeedsOfListing({ ...claim, listingId });
    if (!claimed) throw new Error("the feed was not claimed");
    const nextDueAt = new Date(now.getTime() + 3_600_000);
    await database.finishFeed({
      ...claimed,
      outcome: "unknown",
      stopReason: overBudget,
      nextDueAt,
      checkedAt: now,
    });
    await database.makeFeedDueNow({ listingId, kind: "reviews", region: "us", now });
    expect(await database.claimFeedsOfListing({ ...claim, listingId })).toEqual([]);
    const later = { token: uuidV7(now), now: nextDueAt, leasedUntil: nextDueAt, listingId };
    expect(await database.claimFeedsOfListing(later)).toHaveLength(1);
  });

  test("feeds of regions that are no longer followed are deleted", async () => {
    const listingId = await aListing();
    await database.setFeeds({ listingId, kind: "ratings", regions: ["us", "gb"], now });
    await database.setFeeds({ listingId, kind: "ratings", regions: ["gb", "de"], now });
    const regions = (await database.listFeeds(listingId)).map(({ region }) => region);
    expect(regions).toEqual(["de", "gb"]);
  });
});

let listingCount = 0;
async function aListing(): Promise<string> {
  listingCount += 1;
  const id = uuidV7(now);
  const made = {
    id,
    store: "appstore" as const,
    externalAppId: String(listingCount),
    workspaceId: null,
  };
  await database.ensureListing({ ...made, now });
  return id;
}

function aReview(facts: {
  rating?: number;
  day?: number;
  label?: "positive" | "neutral" | "mixed" | null;
  topics?: string[];
}): Review {
  const { rating = 4, day = 1, label = "positive", topics = ["ads"] } = facts;
  const sentiment = label && { label, score: 0.5, clauseMin: -0.25, clauseMax: 0.75 };
  return {
    id: uuidV7(now),
    storeReviewId: "1001",
    author: "Ada",
    rating,
    title: "Title",
    text: "Text, with a comma\nand a line",
    version: "1.2",
    country: "us",
    languageHint: "en",
    date: new Date(Date.UTC(2026, 1, day, 7)),
    isDateAssumed: false,
    votes: 3,
    reply: { text: "Thanks", at: now },
    analysis: { language: "en", sentiment, topics, version: 1 },
    translation: null,
    firstSeenAt: now,
    editedAt: null,
  };
}
