// Where a crawl of Google Play's reviews is. The store's tokens can repeat, so the cursor
// carries short hashes of those already used.
import { createHash } from "node:crypto";
import { listAt, parseJson, textAt, valueAt } from "../../lib/json.ts";

export type CrawlPosition = {
  /** null for the first page. */
  token: string | null;
  /** The call that the token is of. */
  rpcId: string | null;
  /** The page before this one was empty and yet had a token. */
  isAfterEmpty: boolean;
  /** Hashes of all tokens of this crawl. */
  marks: string[];
};

export const crawlStart: CrawlPosition = {
  token: null,
  rpcId: null,
  isAfterEmpty: false,
  marks: [],
};

/** 150,000 reviews: deeper than any crawl, and a bound for the cursor's length. */
const marksMax = 1_000;

/** The position after this page, or null where the token was used before. */
export function nextPosition(
  position: CrawlPosition,
  page: { token: string; rpcId: string; isEmpty: boolean },
): CrawlPosition | null {
  const { marks } = position;
  const mark = createHash("sha256").update(page.token).digest("base64url").slice(0, 8);
  if (marks.includes(mark) || marks.length >= marksMax) return null;
  const { token, rpcId, isEmpty } = page;
  return { token, rpcId, isAfterEmpty: isEmpty, marks: [...marks, mark] };
}

export function formatCursor(position: CrawlPosition): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** null: not a cursor of this store. */
export function parseCursor(cursor: string): CrawlPosition | null {
  const json = parseJson(Buffer.from(cursor, "base64url").toString());
  const token = textAt(json, "token");
  const rpcId = textAt(json, "rpcId");
  const marks = listAt(json, "marks")?.filter((mark) => typeof mark === "string");
  if (token === null || rpcId === null || marks === undefined) return null;
  return { token, rpcId, isAfterEmpty: valueAt(json, "isAfterEmpty") === true, marks };
}
