// Expected reviews that people read from recorded pages: ids, ratings, dates, versions, votes and hashes
// of texts, so that the project contains no text of reviewers.
import { createHash } from "node:crypto";
import type { SourceReview } from "../../src/domain/review/review.ts";

/** `index id rating date version votes hash reply`, where `-` is a value that the page does not have. */
export function parseGoldenReview(line: string): { index: number; expected: GoldenReview } {
  const [index, id, rating, date, version, votes, words, reply = "-"] = line.split(" ");
  const facts = { id, rating, date, version, votes, words, reply } as GoldenReview;
  return { index: Number(index), expected: facts };
}

export type GoldenReview = Record<
  "id" | "rating" | "date" | "version" | "votes" | "words" | "reply",
  string
>;

export function toGoldenReview(review: SourceReview | undefined): GoldenReview | null {
  if (!review) return null;
  const { storeReviewId, rating, date, version, votes, title, reply } = review;
  const text = review.text ?? "";
  return {
    id: storeReviewId,
    rating: String(rating),
    date: plainDate(date),
    version: version === "" ? "-" : version,
    votes: votes === null ? "-" : String(votes),
    words: hashText(title === null ? text : `${title}\n${text}`),
    reply: reply ? plainDate(reply.at) : "-",
  };
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function plainDate(date: Date | null): string {
  return date === null ? "-" : date.toISOString().replace(".000Z", "Z");
}
