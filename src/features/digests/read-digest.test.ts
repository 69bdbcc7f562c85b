// Digests from the database: whose reviews they count, which days they compare, and what they cost.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import { addDays } from "../../lib/timestamp.ts";
import { readDigest } from "./read-digest.ts";
import { listDailyCounts, listDigestReviews } from "./sql.ts";

let context: TestContext;
let app: App;
let workspaceId: string;

const complaints = [
  "It crashes whenever I open the tide table",
  "Closes by itself at every start since yesterday",
  "I tap on the harbour and the whole thing is gone",
  "Reinstalled twice, still falls over on my old phone",
  "Can't get past the first screen before it dies",
  "Five crashes in one morning, I went back to paper",
];
const today = "2026-11-21";
const at = (day: string) => new Date(`${day}T09:00:00Z`);

beforeAll(async () => {
  context = await openTestContext();
  workspaceId = (await aWorkspace(context.database)).id;
  app = await anApp(context.database, { workspaceId, countries: ["us"] });
  const before = Array.from({ length: 28 }, (_, index) =>
    aReview({ date: at(addDays("2026-11-13", -index)), version: "1.0", rating: 5 }),
  );
  const week = Array.from({ length: 12 }, (_, index) =>
    aReview({
      date: at(addDays("2026-11-20", -(index % 7))),
      version: "2.0",
      rating: 1,
      sentiment: "negative",
      score: -0.7,
      topics: ["crash"],
      topicScores: [-0.7],
      text: complaints[index % complaints.length] ?? "",
    }),
  );
  const abroad = Array.from({ length: 40 }, () =>
    aReview({ date: at("2026-11-18"), version: "9.9", country: "jp", topics: ["ads"] }),
  );
  await saveReviews(context.database, app, [...before, ...week, ...abroad]);
});
afterAll(() => context.close());

const read = (query: { since?: string; to?: string; appId?: string; workspaceId?: string }) =>
  readDigest(context, { appId: app.id, workspaceId, ...query });

describe("the weekly digest", () => {
  test("compares the seven days up to yesterday with the 28 days before, in followed storefronts", async () => {
    const digest = await read({});
    expect(digest).toMatchObject({
      kind: "week",
      range: { from: "2026-11-14", to: "2026-11-20" },
      baseline: { from: "2026-10-17", to: "2026-11-13" },
      reviews: { total: 12, expected: 7, negative: 12, averageRating: 1, averageRatingBefore: 5 },
    });
    const found = digest.spikes.map(({ subject, value }) => `${subject} ${value}`.trim());
    expect(found.sort()).toEqual(["negative", "rating down", "topic crash"]);
    expect(digest.quotes).toHaveLength(3);
    expect(digest.quotes.every(({ country }) => country === "us")).toBe(true);
  });

  test("has nothing to compare with in the first weeks of an app", async () => {
    const digest = await read({ to: "2026-10-20" });
    expect(digest).toMatchObject({ baseline: null, spikes: [], reviews: { expected: null } });
  });
});

describe("the digest of a version", () => {
  test("begins on the day of its first review", async () => {
    const digest = await read({ since: "2.0" });
    expect(digest).toMatchObject({
      kind: "release",
      version: "2.0",
      range: { from: "2026-11-14", to: today },
      reviews: { total: 12 },
    });
  });

  test.each([
    [{ since: "7.7" }, "names version 7.7; the newest are 2.0, 1.0"],
    [{ since: "2.0", to: "2026-11-01" }, "must not be before 2026-11-14"],
  ])("%j is refused", async (query, message) => {
    await expect(read(query)).rejects.toMatchObject({
      code: "invalid_input",
      fields: [{ message: expect.stringContaining(message) }],
    });
  });
});

test("the app of another workspace is not found", async () => {
  const other = await aWorkspace(context.database);
  await expect(read({ workspaceId: other.id })).rejects.toMatchObject({ code: "not_found" });
});

test("reads a limit of texts and rows of days, however many reviews there are", async () => {
  const client = new pg.Client({ connectionString: context.connectionString });
  await client.connect();
  try {
    const large = await anApp(context.database, { workspaceId });
    await client.query(
      `insert into reviews (listing_id, id, store_review_id, author, rating, body, version, country,
         date, sentiment, topics, language, first_seen_at)
       select $1, gen_random_uuid(), n, 'riverstone', 2, 'The tide table is right.', '4.1', 'us',
         '2026-11-20'::timestamptz - n * interval '1 minute', 'negative', '{}', 'en', now()
       from generate_series(1, 100000) n`,
      [large.listingId],
    );
    await client.query("analyze");
    const plans = openPlanReader(client);
    const days = { from: "2026-10-17", to: "2026-11-20" };
    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      await client.query(`set plan_cache_mode = ${mode}`);
      // The whole listing, and one storefront of two.
      for (const regions of ["{us}", "{jp,us}"]) {
        await client.query("update listings set regions = $1 where id = $2", [
          regions,
          large.listingId,
        ]);
        const [seen] = await context.database.listFollowedApps({ workspaceId, ids: [large.id] });
        if (!seen) throw new Error("no app");
        await listDigestReviews(plans.db, {
          workspaceId,
          app: seen,
          ...days,
          scanMax: 500,
          limit: 500,
        });
        // A row of the index, its sorted copies, and the review itself.
        expect(plans.readCount()).toBeLessThanOrEqual(5 * 500);
      }
      const seen = { ...large, regions: null };
      await listDailyCounts(plans.db, { workspaceId, app: seen, ...days, limit: 40_000 });
      // 35 days of 40 rows, and the small tables of apps and listings.
      expect(plans.readCount()).toBeLessThanOrEqual(35 * 40 + 300);
    }
  } finally {
    await client.end();
  }
});
