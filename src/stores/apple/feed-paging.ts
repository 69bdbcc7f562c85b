// One page of Apple's review feed, and what its emptiness means: a hole, the end, an app without
// reviews, or a network that is shut out. Only what the store confirms counts as empty.
import { readAnswer, unknown } from "../refusal.ts";
import type { AppInRegion, FetchedPage, Unknown } from "../store.ts";
import { type AppleClient, appleName, lookUp } from "./apple-client.ts";
import { type FeedPage, parseReviewFeed } from "./review-feed.ts";

/** The store hands out no more, however many reviews there are. */
const pagesMax = 10;
const pageSize = 50;

type AskedPage = AppInRegion & { page: number };

export async function fetchFeedPage(client: AppleClient, asked: AskedPage): Promise<FetchedPage> {
  if (!Number.isInteger(asked.page) || asked.page < 1) {
    return { ...unknown("the cursor is not one of this store's"), next: null, truncated: false };
  }
  const first = await askFeed(client, { asked, spelling: "plain" });
  if (!("reviews" in first) || !isHole(first, asked))
    return conclude(client, { asked, seen: first });
  // A hole often belongs to one spelling of the address on one edge: the other may be whole.
  const second = await askFeed(client, { asked, spelling: "other" });
  const isFilled = "reviews" in second && second.reviews.length > 0;
  return conclude(client, { asked, seen: isFilled ? second : first });
}

type Spelling = "plain" | "other";
type DepthLimit = { kind: "depth_limit" };

async function askFeed(
  client: AppleClient,
  { asked, spelling }: { asked: AskedPage; spelling: Spelling },
): Promise<FeedPage | DepthLimit | Unknown> {
  const answer = await client.get(feedUrl(client, { asked, spelling }));
  const read = readAnswer(answer, { store: appleName, accepted: [400] });
  if (read.kind === "refused") return read.unknown;
  if (read.status === 400) {
    return /limited to \d+/.test(read.text)
      ? { kind: "depth_limit" }
      : unknown(`${appleName} knows no storefront "${asked.region}"`);
  }
  const page = parseReviewFeed(read.text, asked.region);
  return page ?? unknown(`${appleName} sent something else than a page of reviews`);
}

function feedUrl(
  { itunesBaseUrl }: AppleClient,
  { asked, spelling }: { asked: AskedPage; spelling: Spelling },
): string {
  const { region, externalAppId: id, page } = asked;
  const path =
    spelling === "plain"
      ? `page=${page}/id=${id}/sortby=mostrecent`
      : `id=${id}/sortBy=mostRecent/page=${page}`;
  return `${itunesBaseUrl}/${encodeURIComponent(region)}/rss/customerreviews/${path}/json`;
}

function isHole({ reviews, rejectedCount, lastPage }: FeedPage, { page }: AskedPage): boolean {
  return reviews.length === 0 && rejectedCount === 0 && lastPage !== null && lastPage >= page;
}

async function conclude(
  client: AppleClient,
  { asked, seen }: { asked: AskedPage; seen: FeedPage | DepthLimit | Unknown },
): Promise<FetchedPage> {
  if ("kind" in seen) return { outcome: "empty", next: null, truncated: true };
  if ("outcome" in seen) return { ...seen, next: null, truncated: false };
  const paging = pagingAfter(seen, asked);
  if (isHole(seen, asked)) {
    const reason = `${appleName} left out page ${asked.page} of ${seen.lastPage}`;
    return { ...unknown(reason), ...paging };
  }
  if (seen.reviews.length > 0) {
    client.answeringFeed = { externalAppId: asked.externalAppId, region: asked.region };
  }
  if (seen.reviews.length + seen.rejectedCount > 0) {
    const { reviews, rejectedCount, copyMadeAt } = seen;
    return { outcome: "ok", value: { reviews, rejectedCount, copyMadeAt }, ...paging };
  }
  // Past the end: the links that the store sends say so.
  if (seen.lastPage !== null && seen.lastPage > 0) return { outcome: "empty", ...paging };
  return { ...(await confirmEmpty(client, asked)), next: null, truncated: false };
}

function pagingAfter(
  { reviews, rejectedCount, lastPage }: FeedPage,
  { page }: AskedPage,
): { next: string | null; truncated: boolean } {
  const isFull = reviews.length + rejectedCount >= pageSize;
  // Without links a full page is the only sign that there is more.
  const last = Math.min(pagesMax, lastPage ?? (isFull ? pagesMax : page));
  return {
    next: page < last ? String(page + 1) : null,
    truncated: page === pagesMax && isFull,
  };
}

/** One of the largest apps: its feed is empty only where all are. */
const controlApp: AppInRegion = { externalAppId: "389801252", region: "us" };

/**
 * An empty feed without links is the answer for an app without reviews, for an app that is not sold
 * there and, at times, for everything that a shut-out network asks. An app without ratings has no
 * reviews; for one with ratings, a feed that should not be empty tells which it is.
 */
async function confirmEmpty(
  client: AppleClient,
  asked: AskedPage,
): Promise<{ outcome: "empty" } | Unknown> {
  const found = await lookUp(client, asked);
  if ("outcome" in found) return found;
  if (found.kind === "not_found" || found.ratings?.total === 0) return { outcome: "empty" };
  const { answeringFeed } = client;
  const isSelf =
    answeringFeed?.externalAppId === asked.externalAppId && answeringFeed.region === asked.region;
  const control = answeringFeed === null || isSelf ? controlApp : answeringFeed;
  const feed = await askFeed(client, { asked: { ...control, page: 1 }, spelling: "plain" });
  if ("reviews" in feed && feed.reviews.length > 0) return { outcome: "empty" };
  const reason = `${appleName} shows no reviews, not even of an app that has many`;
  // Where a feed that was full has fallen silent, the host as a whole is to be left alone.
  return { ...unknown(reason), blocked: control === answeringFeed };
}
