// Reviews of a page in Starpost's form, whatever the store's. Only id and rating are required; broken items are counted,
// never guessed.
import { type Reply, reviewLimits, type SourceReview } from "../domain/review/review.ts";
import { isStars, sourceText, statedText, versionMax } from "./source-text.ts";

/** The fields as the source has them, and those that its parser has checked. One that a source never has is left out. */
type RawReview = Pick<SourceReview, "date"> &
  Partial<
    Omit<SourceReview, "storeReviewId" | "rating" | "author" | "title" | "text" | "version">
  > & {
    id: string | null;
    rating: number | null;
    author: unknown;
    title?: unknown;
    text: unknown;
    version?: unknown;
  };

/** null without a rating or an id of that store. */
export function toSourceReview(
  raw: RawReview,
  isReviewId: (id: string) => boolean,
): SourceReview | null {
  const { id, rating, author, title, text, version, ...checked } = raw;
  if (id === null || !isReviewId(id) || !isStars(rating)) return null;
  return {
    storeReviewId: id,
    author: sourceText(author, reviewLimits.authorMax),
    rating,
    title: statedText(title, reviewLimits.titleMax),
    text: statedText(text, reviewLimits.textMax),
    version: sourceText(version, versionMax),
    country: null,
    languageHint: null,
    votes: null,
    reply: null,
    ...checked,
  };
}

/** null for an empty reply. */
export function toReply(text: unknown, at: Date | null): Reply | null {
  const clean = sourceText(text, reviewLimits.textMax);
  return clean === "" ? null : { text: clean, at };
}

export function collectReviews<Item>(
  items: readonly Item[],
  parse: (item: Item) => SourceReview | null,
): { reviews: SourceReview[]; rejectedCount: number } {
  const read = items.map((item) => parse(item)).filter((review) => review !== null);
  const reviews = firstOfEach(read);
  // Ids of which most repeat name something else than reviews.
  if (reviews.length * 2 < read.length) return { reviews: [], rejectedCount: items.length };
  return { reviews, rejectedCount: items.length - read.length };
}

/** Lists move while they are read, so one review can stand twice in a page, the current version first. */
export function firstOfEach(reviews: readonly SourceReview[]): SourceReview[] {
  const seen = new Set<string>();
  return reviews.filter(({ storeReviewId }) => {
    const isFirst = !seen.has(storeReviewId);
    seen.add(storeReviewId);
    return isFirst;
  });
}
