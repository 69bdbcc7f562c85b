// Reviews of a page that the feed leaves out, from other places of the store: the list of its old
// desktop program, the feed in its other order, and the few reviews on the product page. They show that
// there are reviews, and are never complete.

import type { SourceReview } from "../../domain/review/review.ts";
import { listAt, numberAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { applePageReviews } from "../shapes/apple-shapes.ts";
import { readItem } from "../shapes/shape.ts";
import { collectReviews, toReply, toSourceReview } from "../source-reviews.ts";
import { plausibleVotes } from "../source-text.ts";
import type { AppInRegion } from "../store.ts";
import { type AppleClient, productPageUrl } from "./apple-client.ts";
import { nodesOfKind } from "./product-page-data.ts";
import { dateOf, isReviewId } from "./rss-entry.ts";
import { fetchRssPage, type RssPageRequest } from "./rss-request.ts";
import { storefrontIdOf } from "./storefront-names.ts";

/** Taken from the first place that has any; empty when none has. */
export async function fetchFallbackReviews(
  client: AppleClient,
  request: RssPageRequest,
): Promise<SourceReview[]> {
  const sources =
    request.page === 1
      ? [fetchDesktopList, fetchMostHelpful, fetchProductPage]
      : [fetchDesktopList];
  for (const fetchReviews of sources) {
    await client.waitBeforeRetry();
    const reviews = await fetchReviews(client, request);
    if (reviews.length > 0) return reviews;
  }
  return [];
}

const pageSize = 50;

async function fetchDesktopList(
  client: AppleClient,
  { externalAppId, region, page }: RssPageRequest,
): Promise<SourceReview[]> {
  const storefrontId = storefrontIdOf(region);
  if (storefrontId === null) return [];
  const reviews: SourceReview[] = [];
  const start = (page - 1) * pageSize;
  // About 20 rows come at once, whatever the request says.
  while (reviews.length < pageSize) {
    const query = new URLSearchParams({
      id: externalAppId,
      "displayable-kind": "11",
      startIndex: String(start + reviews.length),
      endIndex: String(start + pageSize - 1),
      sort: "4",
      appVersion: "all",
      cc: region,
    });
    const path = `/WebObjects/MZStore.woa/wa/userReviewsRow?${query}`;
    const headers = {
      "x-apple-store-front": `${storefrontId}-1,29`,
      accept: "application/json",
    };
    const checked = await client.get(`${client.itunesBaseUrl}${path}`, { headers });
    const rows = checked.kind === "ok" ? parseDesktopReviews(checked.text, region) : null;
    if (rows === null || rows.length === 0) break;
    reviews.push(...rows);
  }
  return reviews;
}

async function fetchMostHelpful(
  client: AppleClient,
  request: RssPageRequest,
): Promise<SourceReview[]> {
  const page = await fetchRssPage(client, { ...request, variant: "helpful" });
  return "reviews" in page ? page.reviews : [];
}

async function fetchProductPage(
  client: AppleClient,
  request: RssPageRequest,
): Promise<SourceReview[]> {
  const checked = await client.get(`${productPageUrl(client, request)}?see-all=reviews`);
  return checked.kind === "ok" ? parseProductReviews(checked.text, request) : [];
}

const reviewsMax = 200;

export function parseProductReviews(html: string, { region }: AppInRegion): SourceReview[] {
  const nodes = nodesOfKind(html, { kind: "Review", countMax: reviewsMax });
  return collectReviews(nodes, (node) => parseNode(node, region)).reviews;
}

function parseNode(node: unknown, region: string): SourceReview | null {
  const { id, author, rating, title, text, date, ...review } = readItem(applePageReviews, node);
  const raw = {
    ...{ id, author, rating, title, text },
    country: region,
    date: dateOf(date),
    reply: toReply(review.replyText, dateOf(review.replyDate)),
  };
  return toSourceReview(raw, isReviewId);
}

/** null: no list of reviews. */
export function parseDesktopReviews(text: string, region: string): SourceReview[] | null {
  const rows = listAt(parseJson(text), "userReviewList");
  return rows && collectReviews(rows, (row) => parseRow(row, region)).reviews;
}

function parseRow(row: unknown, region: string): SourceReview | null {
  const raw = {
    id: textAt(row, "userReviewId"),
    author: valueAt(row, "name"),
    rating: numberAt(row, "rating"),
    title: valueAt(row, "title"),
    text: valueAt(row, "body"),
    country: region,
    date: dateOf(textAt(row, "date")),
    votes: plausibleVotes(numberAt(row, "voteSum")),
  };
  return toSourceReview(raw, isReviewId);
}
