// Which of the known reviews a page of a whole list should have: those between its oldest review and the one that the
// page before ended with. Pure.
import type { IdentifiedReview } from "./diff-reviews.ts";
import type { IngestBatch } from "./ingest-batch.ts";

type RemovalRange = {
  /** Exclusive; null is the end of the list. */
  above: Date | null;
  /** Exclusive; null is its beginning. */
  below: Date | null;
  shownIds: readonly string[];
  /** More missing at once are rather a mistake of the store. */
  countMax: number;
};

const missingMin = 3;
const missingShareMax = 0.2;

/** null where the page does not show it: it is of no whole list, in no order, or a part of it could not be read. */
export function findRemovalRange(
  { isFromWholeList, crawlPage }: Pick<IngestBatch, "isFromWholeList" | "crawlPage">,
  identified: readonly IdentifiedReview[],
): RemovalRange | null {
  if (!isFromWholeList || !crawlPage) return null;
  const { checkpoint, isFirstPage, isInOrder, isCapped, isCursorRepeated } = crawlPage;
  const hasGap = checkpoint.gapCount + checkpoint.rejectedCount > 0;
  const isReadable = checkpoint.isFullCrawl && isInOrder && !checkpoint.isUnordered && !hasGap;
  const dates = identified.flatMap(({ review }) => review.date ?? []);
  const oldest = dates.at(-1);
  if (!isReadable || !oldest || dates.length < identified.length) return null;
  const below = isFirstPage ? null : checkpoint.oldest;
  // Where an earlier version of the service left off, nothing says what was there.
  if (below === null && !isFirstPage) return null;
  const isEnd = checkpoint.cursor === null && !isCapped && !isCursorRepeated;
  return {
    above: isEnd ? null : oldest,
    below,
    shownIds: identified.map(({ id }) => id),
    countMax: Math.max(missingMin, Math.floor(identified.length * missingShareMax)),
  };
}
