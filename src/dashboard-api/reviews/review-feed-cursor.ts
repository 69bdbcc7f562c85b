// Cursors of the feed: a position and a seal over the workspace and the filters, so that a cursor is good
// for nothing but the next page of the same list.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ReviewPosition } from "../../database/read-models/review-pages.ts";
import { AppError } from "../../domain/error.ts";
import { isUuid } from "../../lib/uuid.ts";

const sealLength = 22;

export function encodeCursor(key: Buffer, of: { list: string; position: ReviewPosition }): string {
  const { dateMicros, id } = of.position;
  const text = `${dateMicros}.${id}`;
  return `${sign(key, { list: of.list, text })}.${text}`;
}

/** @throws AppError `invalid_cursor` for all but what was sealed for the same list */
export function decodeCursor(key: Buffer, given: { list: string; cursor: string }): ReviewPosition {
  const { list, cursor } = given;
  const text = cursor.slice(sealLength + 1);
  const right = Buffer.from(sign(key, { list, text }));
  const stated = Buffer.from(cursor.slice(0, sealLength));
  const [dateMicros = "", id = ""] = text.split(".");
  const isOurs = right.length === stated.length && timingSafeEqual(right, stated);
  if (!isOurs || !/^\d{1,18}$/.test(dateMicros) || !isUuid(id)) {
    throw new AppError("invalid_cursor", "this page is not of this list: start again from the top");
  }
  return { dateMicros: BigInt(dateMicros), id };
}

function sign(key: Buffer, sealed: { list: string; text: string }): string {
  const hmac = createHmac("sha256", key).update(`feed ${sealed.list}\n${sealed.text}`);
  return hmac.digest("base64url").slice(0, sealLength);
}
