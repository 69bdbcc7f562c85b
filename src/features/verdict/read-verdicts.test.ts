// Verdicts from the database: what they conclude, when there is none, whose reviews they read and what they cost.
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  anApp,
  aReview as anyReview,
  aWorkspace,
  type ReviewInput,
  saveReviews,
} from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient, type TestContext } from "../../../test/support/test-context.ts";
import { type Verdict, verdictSchema } from "../../domain/changes/verdict.ts";
import type { App } from "../../domain/feed/listing.ts";
import { addDays, dayMs } from "../../lib/timestamp.ts";
import type { VerdictQuery } from "../../use-cases/apps/feature-readers.ts";
import { readVerdicts } from "./read-verdicts.ts";
import { listRanges } from "./release-reviews.ts";
import { listVerdictReviews } from "./sql.ts";

let context: TestContext & { client: pg.Client };
let workspaceId: string;
let app: App;

beforeAll(async () => {
  context = await openTestContextWithClient();
  workspaceId = (await aWorkspace(context.database)).id;
});
afterAll(() => context.close());
beforeEach(async () => {
  app = await anApp(context.database, { workspaceId, countries: ["us"] });
});

const firstDay = "2026-11-01";
const at = (day: number, hour = 9): Date =>
  new Date(Date.parse(addDays(firstDay, day)) + hour * 3_600_000);
const crash = { rating: 1, sentiment: "negative", topics: ["crash"], topicScores: [-0.8] } as const;

/** Found as soon as it was written. */
const aReview = (input: ReviewInput & { date: Date }) =>
  anyReview({ firstSeenAt: input.date, ...input });

/** Two a day, one in ten negative. */
const past = (version = "1.0") =>
  Array.from({ length: 160 }, (_, index) => {
    const mood = index % 10 === 0 ? ({ rating: 2, sentiment: "negative" } as const) : {};
    return aReview({ date: at(-80 + Math.floor(index / 2)), version, ...mood });
  });
const release = (count: number, isBad: (index: number) => boolean, version = "2.0") =>
  Array.from({ length: count }, (_, index) =>
    aReview({
      date: new Date(+at(0) + (index * dayMs) / 8),
      version,
      ...(isBad(index) ? { ...crash, topics: [...crash.topics], topicScores: [-0.8] } : {}),
    }),
  );

async function read(query: Partial<VerdictQuery> = {}): Promise<Verdict[]> {
  const { database } = context;
  const apps = await database.listFollowedApps({ workspaceId, ids: [app.id] });
  const releases = { version: "2.0" };
  const found = await readVerdicts(database, {
    workspaceId,
    apps,
    worseBy: 0.3,
    releases,
    ...query,
  });
  return found.map((one) => verdictSchema.parse(one));
}

test("complaints make a release worse, with the reviews that decided", async () => {
  const reviews = await saveReviews(context.database, app, [
    ...past(),
    ...release(40, (index) => index % 2 === 0),
  ]);
  const [verdict] = await read();
  expect(verdict).toMatchObject({ result: "worse", version: "2.0", firstDay, reviewCount: 40 });
  expect(verdict?.words).toMatch(
    /^After 9 reviews over 24 hours: 5 of 9 complain about crashes \(0 of 160 in the 80 days before\), 5 of 9 are negative \(16 of 160 before\)\.$/,
  );
  const crashes = reviews.filter(({ rating }) => rating === 1).map(({ id }) => id);
  expect(verdict?.reviewIds.length).toBeGreaterThan(3);
  expect(crashes).toEqual(expect.arrayContaining(verdict?.reviewIds ?? []));
  expect(verdict?.evidence.find(({ worse }) => worse >= 20)?.at).toBe(verdict?.decidedAt);
});

describe("after the next release a worse one is", () => {
  const day = (from: number, index: number): Date => new Date(+at(from) + (index * dayMs) / 8);
  const later = (count: number, isBad: (index: number) => boolean, version = "2.0.1") =>
    Array.from({ length: count }, (_, index) =>
      aReview({
        date: day(6, index),
        version,
        rating: isBad(index) ? 1 : 5,
        sentiment: isBad(index) ? "negative" : "positive",
        topics: ["crash"],
        topicScores: [isBad(index) ? -0.8 : 0.8],
      }),
    );
  const score = { topics: ["crash"], topicScores: [-0.8] };
  const bad = () => [...past(), ...release(40, (index) => index % 2 === 0)];

  test("fixed when those who name the next one stop complaining, whatever stragglers write", async () => {
    const straggler = aReview({ ...crash, ...score, date: day(7, 0), version: "2.0" });
    const unnamed = aReview({ ...crash, ...score, date: day(7, 1), version: "" });
    await saveReviews(context.database, app, [
      ...bad(),
      ...later(20, () => false),
      straggler,
      unnamed,
    ]);
    const [verdict] = await read();
    expect(verdict).toMatchObject({
      result: "worse",
      outcome: "fixed",
      aftermath: {
        ...{ state: "fixed", question: "crash", version: "2.0.1", laterVersions: ["2.0.1"] },
        ...{ count: 0, total: 20, praiseCount: 20, ownCount: 21, ownTotal: 41 },
        ...{ stragglerCount: 1, unknownCount: 1 },
      },
    });
    expect(verdict?.words).toContain(
      "Fixed in 2.0.1: 0 of 20 reviews complain about crashes (21 of 41 in 2.0), 0 of 20 are negative (21 of 41); 20 positive reviews mention crashes; 1 complaint came without the update; 1 complaint came without a version.",
    );
    expect((await read({ releases: { version: "2.0.1" } }))[0]?.outcome).not.toBe("worse");
  });

  test("not fixed when they go on complaining", async () => {
    await saveReviews(context.database, app, [...bad(), ...later(20, (index) => index % 2 === 0)]);
    expect((await read())[0]).toMatchObject({
      outcome: "not_fixed",
      aftermath: { state: "not_fixed", count: 10, total: 20 },
    });
  });

  test("still worse, and nothing more, while few name the next one", async () => {
    await saveReviews(context.database, app, [...bad(), ...later(3, () => false)]);
    expect((await read())[0]).toMatchObject({
      outcome: "worse",
      aftermath: { state: "too_early", count: 0, total: 3 },
    });
  });
});

test("a verdict stays when reviews are removed, edited or arrive later", async () => {
  const { database, client } = context;
  const { listingId } = app;
  await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now: at(-300) });
  await client.query("update feeds set baseline_at = $1 where listing_id = $2", [
    at(-300),
    listingId,
  ]);
  const saved = await saveReviews(database, app, [
    ...past(),
    ...release(40, (index) => index % 2 === 0),
  ]);
  const [before] = await read();
  const ids = saved.map(({ id }) => id);
  await client.query("update reviews set removed_at = now() where id = any($1::uuid[])", [
    ids.slice(0, 5),
  ]);
  const edited = saved.filter(({ rating, date }) => rating === 2 && date < at(0)).slice(0, 5);
  await database.insertReviewVersions({
    listingId,
    reviewIds: edited.map(({ id }) => id),
    now: at(5),
  });
  await database.updateReviews({
    listingId,
    reviews: edited.map((one) => ({
      ...one,
      rating: 5,
      version: "2.0",
      date: at(5),
      editedAt: at(5),
    })),
  });
  await saveReviews(
    database,
    app,
    Array.from({ length: 30 }, () =>
      aReview({ date: at(0, 1), version: "2.0", rating: 5, firstSeenAt: at(10) }),
    ),
  );
  const [after] = await read();
  expect(after).toMatchObject({ result: "worse", reviewCount: 75 });
  expect(after?.decidedAt).toBe(before?.decidedAt);
});

test("good reviews make it fine, and a few decide nothing", async () => {
  await saveReviews(context.database, app, [
    ...past(),
    ...release(60, (index) => index % 12 === 5),
  ]);
  expect((await read())[0]).toMatchObject({
    result: "fine",
    reviewIds: [],
    words: expect.stringMatching(
      /^After \d+ reviews over \d+ days: no complaint rose by 30 points or more; 1 of 17 is negative \(16 of 160 in the 80 days before\)\.$/,
    ),
  });
  await saveReviews(
    context.database,
    app,
    release(4, () => false, "2.1"),
  );
  const releases = { newestMax: 20 };
  expect((await read({ releases })).map(({ version, result }) => [version, result])).toEqual([
    ["2.1", "undecided"],
    ["2.0", "fine"],
    ["1.0", "undecided"],
  ]);
});

test("the storefront that broke is named with its own past", async () => {
  app = await anApp(context.database, { workspaceId, countries: ["us", "de"] });
  const inGermany = past()
    .slice(0, 80)
    .map((one) => ({ ...one, country: "de" }));
  const broken = release(12, (index) => index % 2 === 0).map((one) => ({ ...one, country: "de" }));
  await saveReviews(context.database, app, [
    ...past(),
    ...past().slice(0, 80),
    ...inGermany.map((one) => aReview({ ...one, storeReviewId: `${one.storeReviewId} de` })),
    ...release(150, () => false),
    ...broken,
  ]);
  const [verdict] = await read({ worseBy: 0.4 });
  expect(verdict?.result).toBe("worse");
  expect(verdict?.words).toMatch(
    /\. It is worst in Germany: \d+ of \d+ complain about crashes \(0 of 80 earlier ones there\)\.$/,
  );
});

test("a late review of an old version is not a release, but has a verdict by its name", async () => {
  const old = aReview({ date: at(3), version: "0.9" });
  await saveReviews(context.database, app, [...past(), ...release(10, () => false), old]);
  const versions = (await read({ releases: { newestMax: 20 } })).map(({ version }) => version);
  expect(versions).toEqual(["2.0", "1.0"]);
  expect(await read({ releases: { version: "0.9" } })).toHaveLength(1);
  expect(await read({ releases: { version: "7.7" } })).toEqual([]);
});

describe("one odd row decides nothing", () => {
  const odd = ["Varies with device", "beta-7", "build 9911", "2025.3", "99.0", "9911"];
  const listVersions = async () =>
    (await read({ releases: { newestMax: 20 } })).map(({ version }) => version);

  test.each(odd)("%s months ago hides no release", async (version) => {
    const stray = aReview({ date: at(-60), version });
    await saveReviews(context.database, app, [
      ...past(),
      ...release(40, (index) => index % 2 === 0),
      stray,
    ]);
    expect((await read({ releases: { newestMax: 1 } }))[0]).toMatchObject({
      ...{ version: "2.0", result: "worse" },
    });
    expect(await listVersions()).not.toContain(version);
  });

  test.each(odd)("%s after a release neither hides nor ends it", async (version) => {
    const stray = aReview({ date: at(2), version });
    await saveReviews(context.database, app, [...past(), ...release(40, () => false), stray]);
    expect(await listVersions()).toEqual(["2.0", "1.0"]);
    expect(await read({ releases: { version } })).toHaveLength(1);
  });

  test.each([
    ["1.0", "v2.0"],
    ["v1.9", "v1.10"],
    ["Version 9", "10"],
    ["r1.0", "R2.0"],
  ])("%s and then %s are two releases", async (before, after) => {
    await saveReviews(context.database, app, [
      ...past(before),
      ...release(40, () => false, after),
      aReview({ date: at(4), version: "v0.9" }),
    ]);
    expect(await listVersions()).toEqual([after, before]);
  });

  test("a new way of numbering is a release", async () => {
    await saveReviews(context.database, app, [...past("2025.3"), ...release(40, () => false)]);
    expect(await listVersions()).toEqual(["2.0", "2025.3"]);
  });

  test("a late review ends no series of an app with few reviews", async () => {
    const rare = [-70, -50, -30, -10].map((day) => aReview({ date: at(day), version: "2.0" }));
    const late = aReview({ date: at(0), version: "1.8" });
    await saveReviews(context.database, app, [...rare, late]);
    expect(await listVersions()).toEqual(["2.0"]);
  });
});

test("a verdict stays when reviewers edit their reviews after its four weeks", async () => {
  const { database } = context;
  const { listingId } = app;
  const bad = (index: number) => index % 2 === 0;
  const saved = await saveReviews(database, app, [...past(), ...release(40, bad)]);
  const [before] = await read();
  const angry = saved.filter(({ rating }) => rating === 1);
  const reviewIds = angry.map(({ id }) => id);
  await database.insertReviewVersions({ listingId, reviewIds, now: at(40) });
  const thanks = { rating: 5, text: "Thank you for 2.1.", version: "2.1" };
  const reviews = angry.map((one) => ({ ...one, ...thanks, date: at(40), editedAt: at(40) }));
  await database.updateReviews({ listingId, reviews });
  const [after] = await read();
  expect(before?.result).toBe("worse");
  expect(after).toMatchObject({ result: "worse", reviewCount: 40 });
});

test("versions that only storefronts of others have are not listed", async () => {
  const { database, client } = context;
  await saveReviews(database, app, [
    ...past(),
    ...release(10, () => false).map((one) => ({ ...one, country: "jp" })),
  ]);
  await client.query("update listings set regions = '{jp,us}' where id = $1", [app.listingId]);
  const apps = await database.listFollowedApps({ workspaceId, ids: [app.id] });
  const scope = { workspaceId, apps, from: null, to: null, limit: 10 };
  const firstSeen = addDays(firstDay, -80);
  expect(await database.listAppVersions(scope)).toEqual([
    { appId: app.id, version: "1.0", firstDay: firstSeen },
  ]);
});

describe("there is no verdict", () => {
  test("with too few earlier reviews", async () => {
    await saveReviews(context.database, app, [...past().slice(0, 12), ...release(40, () => true)]);
    expect((await read())[0]).toMatchObject({
      result: "undecided",
      words: "No verdict: 12 earlier reviews are too few to compare with.",
      isWithheld: true,
    });
  });

  test.each([
    ["baseline_at = null", "the reviews of the United States were not read to their end yet."],
    ["outcome = 'unknown', failure_count = 3", "the reviews of the United States can't be read."],
  ])("where coverage is broken: %s", async (state, words) => {
    const { database, client } = context;
    await saveReviews(database, app, [...past(), ...release(40, () => true)]);
    await database.setFeeds({
      ...{ listingId: app.listingId, kind: "reviews", regions: ["us", "jp"], now: at(-90) },
    });
    await client.query("update listings set regions = '{jp,us}' where id = $1", [app.listingId]);
    const set = "update feeds set baseline_at = '2026-01-01' where listing_id = $1";
    await client.query(set, [app.listingId]);
    expect((await read())[0]?.result).toBe("worse");
    await client.query(`update feeds set ${state} where listing_id = $1 and region = 'jp'`, [
      app.listingId,
    ]);
    // A storefront that the workspace does not follow.
    expect((await read())[0]?.result).toBe("worse");
    await client.query(`update feeds set ${state} where listing_id = $1`, [app.listingId]);
    expect((await read())[0]).toMatchObject({
      ...{ result: "undecided", words: `No verdict: ${words}`, isWithheld: true },
    });
  });
});

test("reviews of storefronts that the workspace does not follow don't count", async () => {
  const abroad = release(40, () => true).map((one) => ({ ...one, country: "jp" }));
  await saveReviews(context.database, app, [...past(), ...abroad, ...release(3, () => false)]);
  expect((await read())[0]).toMatchObject({ result: "undecided", reviewCount: 3 });
});

test("20 releases are read by one statement, and a limit of rows of each however many reviews there are", async () => {
  const { client, database } = context;
  await client.query(
    `insert into reviews (listing_id, id, store_review_id, author, rating, body, version, country,
       date, sentiment, topics, language, first_seen_at)
     select $1, gen_random_uuid(), n, 'riverstone', 2, 'The tide table is right.', '4.1', 'us',
       '2026-11-20'::timestamptz - n * interval '5 minutes', 'negative', '{}', 'en', now()
     from generate_series(1, 60000) n`,
    [app.listingId],
  );
  await client.query("analyze");
  const apps = await database.listFollowedApps({ workspaceId, ids: [app.id] });
  const [followed] = apps;
  if (!followed) throw new Error("no app");
  const plans = openPlanReader(client);
  for (const count of [1, 20]) {
    const ranges = Array.from({ length: count }, (_, index) => ({
      version: "",
      firstDay: addDays("2026-11-10", -7 * index),
      nextDay: null,
      laterVersions: [],
    })).flatMap((one) => listRanges(one).map((range) => ({ ...range, app: followed })));
    const limit = 300;
    await listVerdictReviews(plans.db, { workspaceId, ranges, limit });
    // Each row of a range is read from an index, and once more as a whole; ranges overlap.
    expect(plans.readCount(["reviews"])).toBeLessThanOrEqual(2 * limit * ranges.length + 10);
  }
});
