// The topics of complaints: the topics of bad reviews by how many have them, each with the review that says it
// best. Pure.
import type { DigestReview } from "../../../domain/changes/digest.ts";
import { shorten } from "../../../domain/review/quote.ts";
import { closenessTo, findBest, textUnitsMin } from "./quotes.ts";

type Complaint = {
  /** null: of bad reviews in which no topic was found. */
  topic: string | null;
  /** Bad reviews with it, of those that were read. */
  count: number;
  review: DigestReview;
  /** The part of its text that fits into a quote. */
  text: string;
};

const complaintsMax = 3;
const badRatingMax = 2;
const textUnitsBest = 160;

/** The most frequent first; no review is shown twice. With how many topics are left out. */
export function listComplaints(reviews: readonly DigestReview[]): {
  complaints: Complaint[];
  moreTopicCount: number;
} {
  const groups = new Map<string | null, DigestReview[]>();
  for (const review of reviews.filter(isBad)) {
    const topics = review.topics.filter((topic) => topic !== "praise");
    for (const topic of topics.length > 0 ? topics : [null]) {
      groups.set(topic, [...(groups.get(topic) ?? []), review]);
    }
  }
  // Complaints without a topic come last.
  const bySize = [...groups].sort(
    ([one, ones], [other, others]) =>
      Number(one === null) - Number(other === null) || others.length - ones.length,
  );
  const complaints: Complaint[] = [];
  for (const [topic, group] of bySize) {
    if (complaints.length === complaintsMax) break;
    const review = chooseReview(
      group.filter(
        (one) => one.text !== "" && !complaints.some((shown) => shown.review.id === one.id),
      ),
    );
    if (review) complaints.push({ topic, count: group.length, review, text: shorten(review.text) });
  }
  return { complaints, moreTopicCount: groups.size - complaints.length };
}

function isBad({ rating, sentiment }: DigestReview): boolean {
  return rating <= badRatingMax || sentiment === "negative";
}

/** Neither a cry nor an essay, and the clearest of those; the newest of equals. */
function chooseReview(group: readonly DigestReview[]): DigestReview | undefined {
  return findBest(group, ({ text, score }) => {
    const { length } = text.trim();
    const fit = length < textUnitsMin ? 0 : closenessTo(textUnitsBest, length);
    return fit + Math.max(0, -score);
  });
}
