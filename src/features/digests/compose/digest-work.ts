// Runs in threads for digests: thousands of texts, in any length, would keep the service from everything else.
import type { Digest, DigestReview } from "../../../domain/changes/digest.ts";
import { listComplaints } from "./complaints.ts";
import { composeDigest, type DigestInput } from "./compose-digest.ts";

/** Names this file for the work pool. */
export const digestWork = import.meta.url;

/** The reviews are JSON. */
export function composeDigestOf(
  input: Omit<DigestInput, "reviews" | "reviewsBefore"> & {
    reviews: string;
    reviewsBefore: string;
  },
): Digest {
  const { reviews, reviewsBefore, ...rest } = input;
  return composeDigest({
    ...rest,
    reviews: parseReviews(reviews),
    reviewsBefore: parseReviews(reviewsBefore),
  });
}

export function readComplaints(reviews: string) {
  return listComplaints(parseReviews(reviews));
}

type StoredReview = Omit<DigestReview, "date"> & { date: string };

/** As `listDigestReviews` writes them. */
function parseReviews(json: string): DigestReview[] {
  const stored = JSON.parse(json) as StoredReview[];
  return stored.map((review) => ({ ...review, date: new Date(review.date) }));
}
