// What other places know of a page that the feed leaves out: the feed in its other order, the list of
// the old desktop program, and the few reviews on the product page. Good for signs of life, not for
// completeness.
import type { SourceReview } from "../../domain/review.ts";
import { readAnswer } from "../response-check.ts";
import { type AppleClient, appleName, productPageUrl } from "./apple-client.ts";
import { parseReviewRows } from "./desktop-reviews.ts";
import { parseProductReviews } from "./product-page-reviews.ts";
import { type AskedPage, askFeed } from "./rss-request.ts";
import { storefrontIdOf } from "./storefront-ids.ts";

/** The first place that knows anything; nothing when none does. */
export async function salvage(client: AppleClient, asked: AskedPage): Promise<SourceReview[]> {
  const places = asked.page === 1 ? [fromRows, fromOtherOrder, fromProductPage] : [fromRows];
  for (const place of places) {
    await client.waitBeforeRetry();
    const reviews = await place(client, asked);
    if (reviews.length > 0) return reviews;
  }
  return [];
}

const pageSize = 50;

async function fromRows(client: AppleClient, asked: AskedPage): Promise<SourceReview[]> {
  const storefrontId = storefrontIdOf(asked.region);
  if (storefrontId === null) return [];
  const reviews: SourceReview[] = [];
  const start = (asked.page - 1) * pageSize;
  // About 20 rows come at once, whatever was asked for.
  while (reviews.length < pageSize) {
    const query = new URLSearchParams({
      id: asked.externalAppId,
      "displayable-kind": "11",
      startIndex: String(start + reviews.length),
      endIndex: String(start + pageSize - 1),
      sort: "4",
      appVersion: "all",
      cc: asked.region,
    });
    const path = `/WebObjects/MZStore.woa/wa/userReviewsRow?${query}`;
    const answer = await client.get(`${client.itunesBaseUrl}${path}`, {
      "x-apple-store-front": `${storefrontId}-1,29`,
      accept: "application/json",
    });
    const read = readAnswer(answer, { store: appleName });
    const rows = read.kind === "answered" ? parseReviewRows(read.text, asked.region) : null;
    if (rows === null || rows.rowCount === 0) break;
    reviews.push(...rows.reviews);
    if (rows.reviews.length === 0) break;
  }
  return reviews;
}

async function fromOtherOrder(client: AppleClient, asked: AskedPage): Promise<SourceReview[]> {
  const page = await askFeed(client, { asked, form: "helpful" });
  return "reviews" in page ? page.reviews : [];
}

async function fromProductPage(client: AppleClient, asked: AskedPage): Promise<SourceReview[]> {
  const url = `${productPageUrl(client, asked)}?see-all=reviews`;
  const read = readAnswer(await client.get(url), { store: appleName });
  return read.kind === "answered" ? parseProductReviews(read.text, asked) : [];
}
