// Writes Apple's pages about one app: the product page whose embedded JSON holds the histogram, five
// stars first, as floats; the page of customer reviews; and the list of the old desktop program.

import { noRatings, sumUp } from "./histograms.ts";
import type { SimulatedApp, SimulatedReview } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import {
  errorResponse,
  htmlResponse,
  type StoreResponse,
  scriptResponse,
} from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

/** The page shows only a few reviews. */
const shownReviewsMax = 8;

export function handleProductPage(storeState: StoreState, request: StoreRequest): StoreResponse {
  const { externalAppId, region } = request;
  const app = storeState.appNow({ store: "appstore", externalAppId }, region);
  if (!app) return errorResponse(404, "The page you're looking for can't be found.");
  const histogram = storeState.ratingsNow(app, region);
  const { average, total } = sumUp(histogram ?? noRatings);
  const ratings = {
    $kind: "Ratings",
    productId: app.externalAppId,
    ratingAverage: Math.round(average * 10) / 10,
    totalNumberOfRatings: total,
    context: "productPage",
    ratingCounts: [...(histogram ?? noRatings)].reverse().map(asSloppyFloat),
  };
  const reviews = storeState.reviewList(app, region).slice(0, shownReviewsMax).map(reviewNode);
  const data = [
    {
      intent: { $kind: "ProductPageIntent", id: app.externalAppId },
      data: {
        title: app.name,
        shelfMapping: {
          productRatings: { items: total > 0 ? [ratings] : [] },
          allProductReviews: { items: reviews },
        },
      },
    },
  ];
  return htmlResponse(
    200,
    `<!doctype html><html><head><title>${app.externalAppId}</title></head><body><main></main>` +
      `<script type="application/json" id="serialized-server-data">${scriptSafe(data)}</script>` +
      "</body></html>",
  );
}

function reviewNode(review: SimulatedReview): unknown {
  return {
    $kind: "Review",
    id: review.storeReviewId,
    title: review.title ?? "",
    date: review.date.toISOString(),
    contents: review.text,
    rating: review.rating,
    reviewerName: review.author,
  };
}

/** The page shows 2000234.9999999998 where it means 2000235. */
function asSloppyFloat(count: number, index: number): number {
  return index === 1 && count > 0 ? count - 2e-10 * count : count;
}

function scriptSafe(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** Without the header that names the storefront the page is empty, as for unknown apps. */
export function handleCustomerReviews(
  storeState: StoreState,
  request: StoreRequest,
): StoreResponse {
  const { externalAppId, region, headers } = request;
  const app = storeState.appNow({ store: "appstore", externalAppId }, region);
  const isNamed = /^\d{6},12$/.test(String(headers["x-apple-store-front"] ?? ""));
  if (!app || !isNamed) return htmlResponse(200, "");
  const histogram = storeState.ratingsNow(app, region) ?? noRatings;
  const { total } = sumUp(histogram);
  const votes = histogram
    .toReversed()
    .map(
      (count) => `<div class="vote"><span class="total">${formatCount(count, region)}</span></div>`,
    );
  return htmlResponse(
    200,
    `<html><body><div class="rating-count">${formatCount(total, region)} Ratings</div>` +
      `${votes.join("")}</body></html>`,
  );
}

/** With the thousands separator of the storefront. */
function formatCount(count: number, region: string): string {
  const locale = `${localeOf[region] ?? "en"}-${region.toUpperCase()}`;
  return count.toLocaleString(locale);
}

const localeOf: Readonly<Record<string, string>> = { de: "de", fr: "fr", ch: "de", br: "pt" };

const rowsMax = 20;

/** Both indexes are inclusive; the store never sends more than 20 rows. */
export function handleReviewRows(storeState: StoreState, request: StoreRequest): StoreResponse {
  const { searchParams: query } = request.url;
  const isNamed = /^\d{6}-\d+,29$/.test(String(request.headers["x-apple-store-front"] ?? ""));
  if (!isNamed) return errorResponse(404, "Not Found");
  const start = Number(query.get("startIndex") ?? "0");
  const count = Math.min(rowsMax, Number(query.get("endIndex") ?? "0") - start + 1);
  const app: Pick<SimulatedApp, "store" | "externalAppId"> = {
    store: "appstore",
    externalAppId: request.externalAppId,
  };
  const rows = storeState.reviewList(app, request.region).slice(start, Math.max(0, count));
  return scriptResponse(200, JSON.stringify({ userReviewList: rows.map(reviewRow) }));
}

function reviewRow(review: SimulatedReview): unknown {
  return {
    userReviewId: review.storeReviewId,
    body: review.text,
    date: `${review.date.toISOString().slice(0, 19)}Z`,
    name: review.author,
    rating: review.rating,
    title: review.title ?? "",
    voteCount: review.votes,
    voteSum: review.votes,
  };
}
