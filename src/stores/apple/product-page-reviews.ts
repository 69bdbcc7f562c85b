// Parses the reviews on an app's product page: a helpful few, without versions.
import { type Reply, reviewLimits, type SourceReview } from "../../domain/review.ts";
import { numberAt, textAt, valueAt } from "../../lib/json.ts";
import { isStars, sourceText, statedText } from "../source-text.ts";
import type { AppInRegion } from "../store.ts";
import { firstOfEach } from "../unique-reviews.ts";
import { nodesOfKind } from "./product-page-data.ts";
import { dateOf, isReviewId } from "./rss-entry.ts";

const reviewsMax = 200;

export function parseProductReviews(html: string, { region }: AppInRegion): SourceReview[] {
  const nodes = nodesOfKind(html, { kind: "Review", countMax: reviewsMax });
  return firstOfEach(
    nodes.map((node) => parseNode(node, region)).filter((review) => review !== null),
  );
}

function parseNode(node: unknown, region: string): SourceReview | null {
  const id = textAt(node, "id");
  const rating = numberAt(node, "rating");
  if (id === null || !isReviewId(id)) return null;
  if (!isStars(rating)) return null;
  return {
    storeReviewId: id,
    author: sourceText(valueAt(node, "reviewerName"), reviewLimits.authorMax),
    rating,
    title: statedText(valueAt(node, "title"), reviewLimits.titleMax),
    text: statedText(valueAt(node, "contents"), reviewLimits.textMax),
    version: "",
    country: region,
    languageHint: null,
    date: dateOf(textAt(node, "date")),
    votes: null,
    reply: parseReply(valueAt(node, "response")),
  };
}

function parseReply(response: unknown): Reply | null {
  const text = sourceText(valueAt(response, "contents"), reviewLimits.textMax);
  return text === "" ? null : { text, at: dateOf(textAt(response, "date")) };
}
