// Parses the reviews on an app's product page: a helpful few, without versions.
import type { SourceReview } from "../../domain/review.ts";
import { numberAt, textAt, valueAt } from "../../lib/json.ts";
import { collectReviews, toReply, toSourceReview } from "../source-reviews.ts";
import type { AppInRegion } from "../store.ts";
import { nodesOfKind } from "./product-page-data.ts";
import { dateOf, isReviewId } from "./rss-entry.ts";

const reviewsMax = 200;

export function parseProductReviews(html: string, { region }: AppInRegion): SourceReview[] {
  const nodes = nodesOfKind(html, { kind: "Review", countMax: reviewsMax });
  return collectReviews(nodes, (node) => parseNode(node, region)).reviews;
}

function parseNode(node: unknown, region: string): SourceReview | null {
  const repliedAt = dateOf(textAt(node, "response", "date"));
  const raw = {
    id: textAt(node, "id"),
    author: valueAt(node, "reviewerName"),
    rating: numberAt(node, "rating"),
    title: valueAt(node, "title"),
    text: valueAt(node, "contents"),
    country: region,
    date: dateOf(textAt(node, "date")),
    reply: toReply(valueAt(node, "response", "contents"), repliedAt),
  };
  return toSourceReview(raw, isReviewId);
}
