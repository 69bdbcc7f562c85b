// Where a walk through Apple's feed stands: the page, and how many tries holes may still cost.

export type FeedPlace = { page: number; triesLeft: number };

/** A feed full of holes must not cost a day's worth of requests. */
const triesMax = 12;

export const feedStart: FeedPlace = { page: 1, triesLeft: triesMax };

export function writeFeedCursor({ page, triesLeft }: FeedPlace): string {
  return triesLeft === triesMax ? String(page) : `${page}.${triesLeft}`;
}

/** null: not a cursor of this store. */
export function readFeedCursor(cursor: string): FeedPlace | null {
  const [, page, triesLeft] = cursor.match(/^([1-9]\d{0,3})(?:\.(\d{1,2}))?$/) ?? [];
  if (page === undefined) return null;
  return {
    page: Number(page),
    triesLeft: triesLeft === undefined ? triesMax : Math.min(triesMax, Number(triesLeft)),
  };
}
