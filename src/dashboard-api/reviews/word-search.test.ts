// Searches for words: each text of a review is searched, in any case and script, and no character is a wildcard.

import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { fillListing } from "../../../test/support/filled-listing.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import type { ReviewPosition } from "../../database/reviews/review-ranges.ts";
import type { App } from "../../domain/feed/listing.ts";
import { summarizeFeed } from "../../read/reviews/feed-summary.ts";
import { readFeedPage } from "../../read/reviews/review-feed.ts";
import type { FeedFilters } from "../contract/requests.ts";
import type { FeedSummary } from "../contract/reviews.ts";

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
  const deps = { ...context, findEvidence: async () => [] };
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

test.each<[string, number]>([
  ["zeppelin", 4],
  ["ZEPPELINS", 1],
  ["eppel", 4],
  ["marlowe f", 1],
  ["light", 1],
  ["onion", 1],
  ["100%_sure", 1],
  ["n \\ a", 0],
  ["s \\ and", 1],
  ["潮汐表", 1],
  ["маяк", 1],
  ["ตารางน้ำขึ้น", 1],
  ["nothing has this", 0],
  ["%%%", 0],
  ["_____", 0],
  ["7 x", 1],
  // Where one text ends and the next begins is in none of them.
  ["right.\nLighthouse", 0],
  ["Lighthouse\nAda", 0],
])("%j is found in %i reviews, page by page and in the counts", async (q, count) => {
  const filters = { q, app: app.id };
  const { ids, searchedCounts } = await walk(filters);
  expect(new Set(ids).size).toBe(count);
  expect(ids).toHaveLength(count);
  expect(searchedCounts.reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBe(reviewCount);
  expect(await summarize(filters)).toMatchObject({ total: count, newestOnly: null });
});

test("words are combined with other filters", async () => {
  const both = await walk({ q: "zeppelin", rating: [1, 3, 4], from: "2026-11-13" });
  const all = await walk({ q: "zeppelin" });
  expect(both.ids.length).toBeLessThan(all.ids.length);
  expect(all.ids).toEqual(expect.arrayContaining(both.ids));
});
