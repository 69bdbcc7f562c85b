// Where a walk through Google Play's reviews stands. The store's tokens can lead in a circle, so the
// cursor carries short marks of those already used.
import { createHash } from "node:crypto";
import { listAt, parseJson, textAt, valueAt } from "../json-value.ts";

export type Walk = {
  /** null for the first page. */
  token: string | null;
  rpcId: string | null;
  /** The page before this one was empty and yet promised more. */
  isAfterEmpty: boolean;
  /** Marks of all tokens of this walk. */
  marks: string[];
};

export const walkStart: Walk = { token: null, rpcId: null, isAfterEmpty: false, marks: [] };

/** 150,000 reviews: further than any pass goes, and a bound for the cursor's length. */
const marksMax = 1_000;

/** The walk after this page, or null where the token was used before. */
export function nextStep(
  walk: Walk,
  page: { token: string; rpcId: string; isEmpty: boolean },
): Walk | null {
  const mark = createHash("sha256").update(page.token).digest("base64url").slice(0, 8);
  if (walk.marks.includes(mark) || walk.marks.length >= marksMax) return null;
  return {
    token: page.token,
    rpcId: page.rpcId,
    isAfterEmpty: page.isEmpty,
    marks: [...walk.marks, mark],
  };
}

export function writeCursor(walk: Walk): string {
  return Buffer.from(JSON.stringify(walk)).toString("base64url");
}

/** null: not a cursor of this store. */
export function readCursor(cursor: string): Walk | null {
  const json = parseJson(Buffer.from(cursor, "base64url").toString());
  const token = textAt(json, "token");
  const rpcId = textAt(json, "rpcId");
  const marks = listAt(json, "marks")?.filter((mark) => typeof mark === "string");
  if (token === null || rpcId === null || marks === undefined) return null;
  return { token, rpcId, isAfterEmpty: valueAt(json, "isAfterEmpty") === true, marks };
}
