// Cursors of the review feed: a position and its HMAC, which covers the workspace and the filters, so that a
// cursor is valid for nothing but the next page of the same list.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { ReviewPosition } from "../../database/reviews/review-ranges.ts";
import { AppError } from "../../domain/error.ts";
import { isUuid } from "../../lib/uuid.ts";

const macLength = 22;

export function encodeCursor(
  key: Buffer,
  input: { list: string; position: ReviewPosition },
): string {
  const { micros, id } = input.position;
  const text = `${micros}.${id}`;
  return `${sign(key, { list: input.list, text })}.${text}`;
}

/** @throws AppError `invalid_cursor` for all but what was encoded for the same list */
export function decodeCursor(key: Buffer, input: { list: string; cursor: string }): ReviewPosition {
  const { list, cursor } = input;
  const text = cursor.slice(macLength + 1);
  const expected = Buffer.from(sign(key, { list, text }));
  const actual = Buffer.from(cursor.slice(0, macLength));
  const [micros = "", id = ""] = text.split(".");
  const isSigned = expected.length === actual.length && timingSafeEqual(expected, actual);
  if (!isSigned || !/^\d{1,18}$/.test(micros) || !isUuid(id)) {
    throw new AppError(
      "invalid_cursor",
      "this cursor belongs to another list: start again without it",
    );
  }
  return { micros: BigInt(micros), id };
}

function sign(key: Buffer, signed: { list: string; text: string }): string {
  const hmac = createHmac("sha256", key).update(`feed ${signed.list}\n${signed.text}`);
  return hmac.digest("base64url").slice(0, macLength);
}
