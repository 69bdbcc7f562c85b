// Where a crawl of Apple's RSS feed is: the page, and how many retries gaps may still cost.

export type RssCursor = { page: number; retriesLeft: number };

/** A feed full of gaps must not cost a day's worth of requests. */
const retriesMax = 12;

export const rssStart: RssCursor = { page: 1, retriesLeft: retriesMax };

export function formatRssCursor({ page, retriesLeft }: RssCursor): string {
  return retriesLeft === retriesMax ? String(page) : `${page}.${retriesLeft}`;
}

/** null: not a cursor of this store. */
export function parseRssCursor(cursor: string): RssCursor | null {
  const [, page, left] = cursor.match(/^([1-9]\d{0,3})(?:\.(\d{1,2}))?$/) ?? [];
  if (page === undefined) return null;
  const retriesLeft = left === undefined ? retriesMax : Math.min(retriesMax, Number(left));
  return { page: Number(page), retriesLeft };
}
