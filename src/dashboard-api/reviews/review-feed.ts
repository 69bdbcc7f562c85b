// Pages of the feed: by index where the filters allow it, else by looking through the newest of a range,
// so many at a time, and saying how many.

import type { Database } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/read-models/review-feed.ts";
import type { ReviewPosition } from "../../database/read-models/review-pages.ts";
import type { App } from "../../domain/listing.ts";
import { storeIds } from "../../domain/store-id.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import type { FeedFilters, FeedReview } from "../contract/reviews.ts";
import type { DashboardDeps } from "../deps.ts";
import { letterCases } from "./search-terms.ts";

/** What is often there is found in the first few hundred; the rest ends within a quarter of a second. */
const scanSteps = [500, 2_000, 7_500];

type FeedRooms = Pick<DashboardDeps, "database" | "findEvidence">;

export type FeedPage = {
  reviews: FeedReview[];
  last: ReviewPosition | null;
  searchedCount: number | null;
};

export async function readFeedPage(
  deps: FeedRooms,
  page: {
    workspaceId: string;
    filters: FeedFilters;
    after: ReviewPosition | null;
    limit: number;
  },
): Promise<FeedPage> {
  const { workspaceId, filters } = page;
  if (filters.app !== undefined) {
    await requireApp(deps.database, { field: "app", id: filters.app, workspaceId });
  }
  const apps = await deps.database.listApps({ workspaceId });
  const isIndexed =
    filters.q === undefined && filters.version === undefined && filters.editedOnly !== true;
  const found = isIndexed
    ? await readByIndex(deps.database, { ...page, apps })
    : await readBySearch(deps.database, page);
  const reviews = await listReviewViews(deps, { workspaceId, apps, wanted: found.wanted });
  return { reviews, last: found.last, searchedCount: found.searchedCount };
}

type Wanted = { listingId: string; id: string };
type Found = { wanted: Wanted[]; last: ReviewPosition | null; searchedCount: number | null };

async function readByIndex(
  database: Pick<Database, "listReviewPage">,
  page: {
    workspaceId: string;
    filters: FeedFilters;
    after: ReviewPosition | null;
    limit: number;
    apps: readonly App[];
  },
): Promise<Found> {
  const { workspaceId, filters, after, limit } = page;
  const { json, last } = await database.listReviewPage({
    filters: {
      workspaceId,
      appId: filters.app ?? null,
      stores: filters.store === undefined ? storeIds : [filters.store],
      from: filters.from ?? null,
      to: filters.to ?? null,
      rating: filters.rating ?? null,
      sentiment: filters.sentiment ?? null,
      topic: filters.topic ?? null,
    },
    after,
    limit,
  });
  const named = asNamed(JSON.parse(`[${json}]`));
  // A workspace follows an app of a store through one source only.
  const listings = new Map(page.apps.map((app) => [keyOf(app), app.listingId]));
  const wanted = named.flatMap((one) => {
    const listingId = listings.get(keyOf(one));
    return listingId === undefined ? [] : [{ listingId, id: one.id }];
  });
  return { wanted, last, searchedCount: null };
}

async function readBySearch(
  database: Pick<Database, "searchReviews">,
  page: {
    workspaceId: string;
    filters: FeedFilters;
    after: ReviewPosition | null;
    limit: number;
  },
): Promise<Found> {
  const { filters, limit } = page;
  const searched = {
    workspaceId: page.workspaceId,
    appIds: filters.app === undefined ? null : [filters.app],
    stores: filters.store === undefined ? storeIds : [filters.store],
    from: filters.from ?? null,
    to: filters.to ?? null,
    ratings: filters.rating === undefined ? null : [filters.rating],
    sentiment: filters.sentiment ?? null,
    topics: filters.topic === undefined ? null : [filters.topic],
    version: filters.version ?? null,
    editedOnly: filters.editedOnly ?? false,
    words: filters.q === undefined ? [] : letterCases(filters.q),
  };
  const wanted: Wanted[] = [];
  let searchedCount = 0;
  let last = page.after;
  for (const scanMax of scanSteps) {
    const rest = limit - wanted.length;
    const step = { filters: searched, after: last, limit: rest, scanMax };
    const { found, scannedCount, last: end } = await database.searchReviews(step);
    wanted.push(...found);
    searchedCount += scannedCount;
    last = end;
    if (end === null || wanted.length >= limit) break;
  }
  return { wanted, last, searchedCount };
}

/** In the order they are wanted; what went meanwhile is left out. */
export async function listReviewViews(
  deps: FeedRooms,
  shown: { workspaceId: string; apps: readonly App[]; wanted: readonly Wanted[] },
): Promise<FeedReview[]> {
  const { workspaceId, wanted } = shown;
  const loaded = await deps.database.loadFeedReviews({ workspaceId, reviews: wanted });
  const rows = new Map(loaded.map((row) => [`${row.listingId} ${row.id}`, row]));
  const apps = new Map(shown.apps.map((app) => [app.listingId, app]));
  return wanted.flatMap(({ listingId, id }) => {
    const row = rows.get(`${listingId} ${id}`);
    const app = apps.get(listingId);
    return row && app ? [toReviewView(deps, { row, app })] : [];
  });
}

const evidenceMax = 5;

function toReviewView(
  { findEvidence }: Pick<FeedRooms, "findEvidence">,
  { row, app }: { row: FeedReviewRow; app: App },
): FeedReview {
  const evidence = row.topics.length === 0 ? [] : findEvidence(row);
  return {
    id: row.id,
    appId: app.id,
    store: app.store,
    author: row.author,
    rating: row.rating,
    title: row.title,
    text: row.text,
    translatedText: row.translatedText,
    translatedFrom: row.translatedFrom,
    version: row.version,
    country: row.country,
    language: row.language,
    date: formatTimestamp(row.date),
    firstSeenAt: formatTimestamp(row.firstSeenAt),
    editedAt: row.editedAt && formatTimestamp(row.editedAt),
    sentiment: row.sentiment && { label: row.sentiment, score: row.sentimentScore ?? 0 },
    topics: row.topics.map((name) => {
      const words = evidence.filter(({ topic }) => topic === name).map((find) => find.words);
      return { name, evidence: [...new Set(words)].slice(0, evidenceMax) };
    }),
    votes: row.votes,
    reply:
      row.replyText === null
        ? null
        : { text: row.replyText, at: row.replyAt && formatTimestamp(row.replyAt) },
  };
}

function keyOf(app: { store: string; externalAppId: string }): string {
  return `${app.store} ${app.externalAppId}`;
}

// Written by our own statement a moment ago.
function asNamed(json: unknown): { id: string; store: string; externalAppId: string }[] {
  return json as { id: string; store: string; externalAppId: string }[];
}
