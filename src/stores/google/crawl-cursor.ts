// Where a crawl of Google Play's reviews is. The store's tokens can repeat, so the cursor
// carries short hashes of those already used.
import { createHash } from "node:crypto";
import { countAt, listAt, parseJson, textAt, valueAt } from "../../lib/json.ts";

export type CrawlPosition = {
  /** null for the first page. */
  token: string | null;
  /** The call that the token is of. */
  rpcId: string | null;
  /** The page before this one was empty and yet had a token. */
  isAfterEmpty: boolean;
  /** Items on the pages before this one. */
  seenCount: number;
  /** Hashes of all tokens of this crawl. */
  marks: string[];
  /**
   * The cookies that the store set with the first page, as a `cookie` header: it leads to the server that knows the
   * tokens.
   */
  cookie: string;
};

export const crawlStart: CrawlPosition = {
  token: null,
  rpcId: null,
  isAfterEmpty: false,
  seenCount: 0,
  marks: [],
  cookie: "",
};

/** 150,000 reviews: deeper than any crawl, and a bound for the cursor's length. */
const marksMax = 1_000;

/** The position after this page, or null where the token was used before. */
export function nextPosition(
  position: CrawlPosition,
  page: { token: string; rpcId: string; itemCount: number; cookie: string },
): CrawlPosition | null {
  const { marks } = position;
  const mark = createHash("sha256").update(page.token).digest("base64url").slice(0, 8);
  if (marks.includes(mark) || marks.length >= marksMax) return null;
  const { token, rpcId, itemCount } = page;
  const seenCount = position.seenCount + itemCount;
  const cookie = page.cookie || position.cookie;
  return {
    token,
    rpcId,
    isAfterEmpty: itemCount === 0,
    seenCount,
    marks: [...marks, mark],
    cookie,
  };
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
  const seenCount = countAt(json, "seenCount");
  if (token === null || rpcId === null || marks === undefined || seenCount === null) return null;
  const isAfterEmpty = valueAt(json, "isAfterEmpty") === true;
  return { token, rpcId, isAfterEmpty, seenCount, marks, cookie: textAt(json, "cookie") ?? "" };
}
