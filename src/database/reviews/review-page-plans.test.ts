// The cost of a page, read from the plans that PostgreSQL really ran over 40,000 reviews of one app: whatever the
// filters, no more than thirty times its size where an index has the answer, and a fixed number of reviews where none
// has.

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, startTime } from "../../../test/support/factories.ts";
import { fillListing } from "../../../test/support/filled-listing.ts";
import { openPlanReader, type PlanReader } from "../../../test/support/query-plan.ts";
import { openTestContextWithClient } from "../../../test/support/test-context.ts";
import { takeTurn } from "../../../test/support/volume.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { ReviewFilters } from "../../domain/review/review-filter.ts";
import * as topicStatements from "../../features/own-topics/sql.ts";
import type { Database } from "../database.ts";
import { type PageQuery, scanMax, wordScanMax } from "./review-page-sql.ts";
import { listReviewChanges, listReviewPage } from "./review-pages.ts";
import type { ReviewPosition } from "./review-ranges.ts";

const reviewCount = 40_000;
const readPerReviewMax = 30;
const tables = ["reviews", "review_topics", "own_topic_reviews"];

let database: Database;
let client: pg.Client;
let plans: PlanReader;
let app: App;
let workspaceId: string;
let others: App[];
/** PostgreSQL 17 and later don't sort again what a common table expression has sorted. */
let isOrderKept: boolean;
/** Another workspace on the listing of `app`, with a topic of its own. */
let owner: { workspaceId: string; app: App };
beforeAll(async () => {
  const { close, ...context } = await openTestContextWithClient();
  ({ database, client } = context);
  plans = openPlanReader(client);
  workspaceId = (await aWorkspace(database)).id;
  app = await anApp(database, { workspaceId });
  others = [
    await anApp(database, { workspaceId }),
    await anApp(database, { workspaceId, store: "googleplay" }),
  ];
  await fillListing(client, { app, count: reviewCount });
  for (const other of others) await fillListing(client, { app: other, count: 2_000 });
  const { id } = await aWorkspace(database);
  const { externalAppId } = app;
  owner = { workspaceId: id, app: await anApp(database, { workspaceId: id, externalAppId }) };
  const topic = { id: randomUUID(), workspaceId: id, name: "tides", phrases: ["tide*"] };
  await database.with(topicStatements).insertOwnTopic({ ...topic, createdAt: startTime });
  await client.query(
    `insert into own_topic_reviews (topic_id, app_id, rating, sentiment, date, review_id)
     select $1, $2, rating, coalesce(sentiment, ''), date, id from reviews
     where listing_id = $3 and rating % 2 = 0`,
    [topic.id, owner.app.id, app.listingId],
  );
  await client.query("analyze");
  const { rows } = await client.query("select current_setting('server_version_num')::integer as n");
  isOrderKept = rows[0].n >= 170_000;
  return close;
});

/** `regions`: the storefronts that the workspace follows of the app; `since`: the list by change. */
type Choice = ReviewFilters & { regions?: string[]; since?: string };

const filters: Record<string, Choice> = {
  "frequent stars": { rating: [5] },
  "rare stars": { rating: [1] },
  "two stars": { rating: [1, 2] },
  "frequent sentiment": { sentiment: ["positive"] },
  "rare sentiment": { sentiment: ["mixed"] },
  "two sentiments": { sentiment: ["positive", "mixed"] },
  "frequent topic": { topic: ["crash"] },
  "rare topic": { topic: ["refunds"] },
  "two topics": { topic: ["crash", "sync"] },
  "unknown topic": { topic: ["nonsense"] },
  "recent days": { from: "2026-11-01", to: "2026-11-19" },
  "early days": { from: "2024-01-05", to: "2024-01-20" },
  "open end": { from: "2026-11-19" },
  "open start": { to: "2024-02-01" },
  "two countries": { country: ["gb", "jp"] },
  "two languages": { language: ["de", "fr"] },
  "two versions": { version: ["4.9", "4.8"] },
  "half of the storefronts": { regions: ["ca", "de", "fr", "gb", "us"] },
  changes: { since: "2024-01-05T00:00:00Z" },
};

const alone = Object.keys(filters).map((name) => [name]);
const pairs = alone.flatMap(([one = ""], index) =>
  alone.slice(index + 1).flatMap(([other = ""]) => (canJoin(one, other) ? [[one, other]] : [])),
);
const everything = ["rare stars", "rare sentiment", "rare topic", "open start", "two countries"];

/** Filters of different fields. */
function canJoin(one: string, other: string): boolean {
  const fields = Object.keys(filters[one] ?? {});
  return Object.keys(filters[other] ?? {}).every((field) => !fields.includes(field));
}

test.each(
  [[], ...alone, ...takeTurn(pairs, 0), everything].map(
    (names) => [names.join(" and ") || "no filter", names] as const,
  ),
)("%s: pages read no more than they need", async (_, names) => {
  const {
    regions: followed,
    since,
    ...chosen
  }: Choice = Object.assign({}, ...names.map((name) => filters[name]));
  const regions = followed ?? null;
  const combined = chosen;
  const isByKind = [chosen.rating, chosen.sentiment, chosen.topic].some(Boolean);
  const isChecked = [chosen.country, chosen.language, chosen.version].some(Boolean);
  const isCovered = since ? names.length === 1 : !isChecked && (regions === null || !isByKind);
  for (const apps of [[app], [app, ...others]]) {
    // Small pages show it best; over several apps each has a first row of its own to read.
    for (const limit of apps.length > 1 ? [10, 100] : [1, 50]) {
      for (const dayAgo of names.length > 1 ? [null, 30] : [null, 30, 1_000]) {
        const seen = apps.map((one) => ({ ...one, regions, hasOwnTopics: false }));
        const read = { apps: seen, filters: combined, limit };
        const readCount = await countRead({ ...read, since, dayAgo });
        const max = isCovered ? readPerReviewMax * limit : scanReadsMax * apps.length;
        expect(readCount, `${limit} reviews, ${dayAgo} days deep`).toBeLessThanOrEqual(max);
      }
    }
  }
});

test.each<Choice>([
  { rating: [5] },
  { rating: [3, 5] },
  { sentiment: ["positive"] },
  { topic: ["crash"] },
  { topic: ["crash", "sync"], language: ["en"] },
  { rating: [5], country: ["gb"], version: ["4.0"] },
])("%j of half of the storefronts is looked up until the page is full", async (chosen) => {
  const seen = { ...app, regions: ["ca", "de", "fr", "gb", "us"], hasOwnTopics: false };
  await countRead({ apps: [seen], filters: chosen, limit: 10, since: undefined, dayAgo: null });
  const lookupMax = isOrderKept ? readPerReviewMax * 10 : scanMax;
  expect(plans.lookupCount(tables)).toBeLessThanOrEqual(lookupMax + 20);
});

test.each([
  [{}, true],
  [{ topic: ["tides"] }, true],
  [{ topic: ["tides", "crash"] }, true],
  [{ topic: ["tides"], rating: [2] }, true],
  [{ topic: ["tides"], sentiment: ["positive" as const] }, true],
  [{ topic: ["tides"], language: ["fr"] }, false],
  [{ edited: true }, false],
  [{ removed: true, q: "surely in no review" }, false],
  [{ topic: ["tides"], since: "2024-01-05T00:00:00Z" }, false],
])("%j with own topics: pages read no more than they need", async (choice: Choice, isCovered) => {
  const { since, ...chosen } = choice;
  const apps = [{ ...owner.app, regions: null, hasOwnTopics: true }];
  for (const limit of [1, 50]) {
    for (const dayAgo of [null, 30, 1_000]) {
      const read = {
        apps,
        filters: chosen,
        limit,
        since,
        dayAgo,
      };
      const readCount = await countRead(read, owner.workspaceId);
      const scanned = chosen.q ? wordScanMax : scanMax;
      const max = isCovered ? readPerReviewMax * limit : 7 * scanned;
      expect(readCount, `${limit} reviews, ${dayAgo} days deep`).toBeLessThanOrEqual(max);
    }
  }
});

// An index row of each range that is merged, and the review itself.
const scanReadsMax = 6 * scanMax;

async function countRead(
  page: Pick<PageQuery, "apps" | "filters" | "limit"> & {
    since: string | undefined;
    dayAgo: number | null;
  },
  ofWorkspace = workspaceId,
): Promise<number> {
  const { dayAgo, since, ...query } = page;
  const read = { workspaceId: ofWorkspace, after: positionOf(dayAgo), ...query };
  if (since === undefined) await listReviewPage(plans.db, read);
  else await listReviewChanges(plans.db, { ...read, since, until: "2030-01-01T00:00:00Z" });
  return plans.readCount(tables);
}

function positionOf(dayAgo: number | null): ReviewPosition | null {
  if (dayAgo === null) return null;
  const date = Date.parse("2026-11-20") - dayAgo * 86_400_000;
  return { micros: BigInt(date) * 1_000n, id: app.id };
}
