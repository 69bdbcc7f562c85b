// Searches for words with and without the search index: the same reviews, found in one step instead of many.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { fillListing } from "../../../test/support/filled-listing.ts";
import { openPlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import type { Database } from "../../database/database.ts";
import type { ReviewPosition } from "../../database/read-models/review-pages.ts";
import { searchIndexedReviews } from "../../database/read-models/review-search.ts";
import { createSearchIndex, dropSearchIndex } from "../../database/search-index.ts";
import type { App } from "../../domain/listing.ts";
import { silentLog } from "../../lib/log.ts";
import type { FeedFilters, FeedSummary } from "../contract/reviews.ts";
import { toSearchFilters } from "./feed-search.ts";
import { summarizeFeed } from "./feed-summary.ts";
import { readFeedPage } from "./review-feed.ts";
import { indexedMax } from "./word-index.ts";

let context: Awaited<ReturnType<typeof openTestContextWithClient>>;
let workspaceId: string;
let app: App;
const reviewCount = 2_400;
const rareEvery = 130;

// Every so many of the older reviews, from the oldest on.
const rare: readonly Record<string, string>[] = [
  { body: "We saw a Zeppelin over the bay, 100%_sure." },
  { body: "zeppelins \\ and kites", author: "Marlowe Finch" },
  { title: "Lighthouse", author: "Ada" },
  { translated_text: "The onion harbour" },
  { body: "この潮汐表が好きです" },
  { body: "МАЯК СВЕТИТ" },
  { body: "ตารางน้ำขึ้นน้ำลง" },
  { body: "ok 7 x" },
  { body: "An airship at last", title: "ZEPPELIN" },
  { body: "Rigid airship", author: "zeppelin" },
];

beforeAll(async () => {
  context = await openTestContextWithClient();
  const { client, database } = context;
  ({ id: workspaceId } = await aWorkspace(database));
  const countries = "us gb de fr es it jp br ca au".split(" ");
  app = await anApp(database, { workspaceId, countries });
  await fillListing(client, { app, count: reviewCount });
  // The others say "tide table": many, while none of the newest does.
  await client.query(
    `update reviews set body = 'A calm evening.' where listing_id = $1
       and id in (select id from reviews where listing_id = $1 order by date desc limit 600)`,
    [app.listingId],
  );
  for (const [index, texts] of rare.entries()) {
    const columns = Object.keys(texts).map((name, at) => `${name} = $${at + 3}`);
    await client.query(
      `update reviews set ${columns.join(", ")} where listing_id = $1 and id =
         (select id from reviews where listing_id = $1 order by date offset $2 limit 1)`,
      [app.listingId, index * rareEvery, ...Object.values(texts)],
    );
  }
});
afterAll(() => context.close());

type Walk = { ids: string[]; searchedCounts: (number | null)[] };

async function walk(filters: FeedFilters, limit = 3): Promise<Walk> {
  const walked: Walk = { ids: [], searchedCounts: [] };
  const deps = { ...context, findEvidence: () => [] };
  for (let after: ReviewPosition | null = null, isFirst = true; isFirst || after; isFirst = false) {
    const page = await readFeedPage(deps, { workspaceId, filters, after, limit });
    walked.ids.push(...page.reviews.map(({ id }) => id));
    walked.searchedCounts.push(page.searchedCount);
    after = page.last;
  }
  return walked;
}

const summarize = (filters: FeedFilters): Promise<FeedSummary> =>
  summarizeFeed(context, { workspaceId, filters });

const words = [
  ...["zeppelin", "ZEPPELINS", "eppel", "marlowe f", "light", "onion", "100%_sure", "n \\ a"],
  ...["潮汐表", "маяк", "ตารางน้ำขึ้น", "nothing has this", "%%%", "_____", "ok", "7 x", "好き"],
  // Where one text ends and the next begins is in none of them.
  ...["right.\nLighthouse", "Lighthouse\nAda"],
];
const searches: FeedFilters[] = [
  ...words.map((q) => ({ q })),
  { q: "zeppelin", rating: [1, 3, 4], from: "2026-11-13" },
  { q: "airship", version: "4.0", to: "2026-11-13" },
];

describe("with the search index", () => {
  const before = new Map<string, { walked: Walk; summary: FeedSummary }>();
  const look = async (filters: FeedFilters) => ({
    walked: await walk(filters),
    summary: await summarize(filters),
  });
  beforeAll(async () => {
    for (const search of searches) {
      const filters = { ...search, app: app.id };
      before.set(JSON.stringify(filters), await look(filters));
    }
    const options = { log: silentLog, connection: { connectionString: context.connectionString } };
    await createSearchIndex(options);
    return () => dropSearchIndex(options);
  });

  test("pages and counts are what they were without it", async () => {
    const zeppelins = before.get(JSON.stringify({ q: "zeppelin", app: app.id }));
    expect(zeppelins?.walked.ids).toHaveLength(4);
    for (const [key, { walked, summary }] of before) {
      const now = await look(JSON.parse(key));
      expect({ key, ids: now.walked.ids }).toEqual({ key, ids: walked.ids });
      expect({ key, ...now.summary }).toEqual({ key, ...summary });
    }
  });

  test("rare words are found among all reviews at once, on every page", async () => {
    // Where the next is near, the newest are enough.
    const { searchedCounts } = await walk({ q: "zeppelin" }, 1);
    expect(searchedCounts).toEqual([null, rareEvery, null, rareEvery, 0]);
    expect((await walk({ q: "nothing has this" })).searchedCounts).toEqual([null]);
    expect(await summarize({ q: "onion" })).toMatchObject({ total: 1, newestOnly: null });
  });

  test("words without three letters in a row, and scripts that PostgreSQL can't read, are looked for as before", async () => {
    const isKnown = await context.database.isKnownToSearchIndex("潮");
    const { searchedCounts } = await walk({ q: "潮汐表" });
    expect(searchedCounts).toEqual(isKnown ? [null] : [reviewCount]);
    expect((await walk({ q: "7 x" })).searchedCounts).toEqual([reviewCount]);
  });

  test("a frequent word is not looked up, and one that too many old reviews have is not read", async () => {
    const results: unknown[] = [];
    const counting: Database = {
      ...context.database,
      async searchIndexedReviews(search) {
        const result = await context.database.searchIndexedReviews({ ...search, scanMax: 600 });
        results.push(result);
        return result;
      },
    };
    const read = (filters: FeedFilters) => {
      const page = { workspaceId, filters, after: null, limit: 3 };
      return readFeedPage({ database: counting, findEvidence: () => [] }, page);
    };
    expect(await read({ q: "calm", rating: [1] })).toMatchObject({ searchedCount: reviewCount });
    // Nobody writes this, but all of its trigrams are in every review.
    expect(await read({ q: "eve alm" })).toMatchObject({ searchedCount: reviewCount });
    expect(results).toEqual([]);
    expect(await read({ q: "tide table" })).toMatchObject({ searchedCount: 603 });
    expect(results).toEqual([null]);
  });

  test("the plan for a rare word reads what has it, and no more", async () => {
    const reader = openPlanReader(context.client);
    const filters = await toSearchFilters(context.database, {
      workspaceId,
      filters: { q: "zeppelin" },
    });
    const search = { filters, after: null, limit: 30, scanMax: indexedMax };
    await searchIndexedReviews(reader.db, search);
    expect(reader.indexNames().some((name) => name.endsWith("_search"))).toBe(true);
    expect(reader.readCount(["reviews"])).toBeLessThan(40);
  });
});
