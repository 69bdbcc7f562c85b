// Parses the reviews on an app's product page: a helpful few, without versions.
import type { SourceReview } from "../../domain/review.ts";
import { applePageReviews } from "../shapes/apple-shapes.ts";
import { readItem } from "../shapes/shape.ts";
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
  const { id, author, rating, title, text, date, ...review } = readItem(applePageReviews, node);
  const raw = {
    ...{ id, author, rating, title, text },
    country: region,
    date: dateOf(date),
    reply: toReply(review.replyText, dateOf(review.replyDate)),
  };
  return toSourceReview(raw, isReviewId);
}
