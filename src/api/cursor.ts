// Cursors of GET /reviews: a position and its HMAC, 40 bytes in base64url. The HMAC covers the workspace and
// the filters, so a cursor is valid for nothing but the next page of the same list.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ReviewFilters, ReviewPosition } from "../database/read-models/review-pages.ts";
import { AppError } from "../domain/error.ts";

const positionBytes = 24;
// Half of a SHA-256: 128 bits are beyond guessing and keep the cursor short.
const macBytes = 16;
const cursorLength = Math.ceil(((positionBytes + macBytes) * 4) / 3);
// Mixed into the HMAC: a change of the layout makes old cursors invalid instead of misread.
const layout = "reviews-1";

export type Cursors = {
  encode(position: ReviewPosition, filters: ReviewFilters): string;
  /** @throws AppError `invalid_cursor` for all but what `encode` made for the same filters */
  decode(cursor: string, filters: ReviewFilters): ReviewPosition;
};

export function createCursors(key: Buffer): Cursors {
  const macOf = (position: Buffer, filters: ReviewFilters): Buffer =>
    createHmac("sha256", key)
      .update(canonicalText(filters))
      .update(position)
      .digest()
      .subarray(0, macBytes);
  return {
    encode(position, filters) {
      const bytes = packPosition(position);
      return Buffer.concat([bytes, macOf(bytes, filters)]).toString("base64url");
    },
    decode(cursor, filters) {
      const bytes = Buffer.from(cursor.slice(0, cursorLength), "base64url");
      const position = bytes.subarray(0, positionBytes);
      const mac = bytes.subarray(positionBytes);
      // Base64 decoding is lenient, so only the exact text that was issued is accepted.
      const isComplete = mac.length === macBytes && bytes.toString("base64url") === cursor;
      if (!isComplete || !timingSafeEqual(mac, macOf(position, filters))) {
        throw new AppError(
          "invalid_cursor",
          "The cursor was not issued by this API for these filters. Start again without `cursor`.",
          { fields: [{ field: "cursor", message: "is not a cursor of this list" }] },
        );
      }
      return unpackPosition(position);
    },
  };
}

// Without the page size: it may change from page to page.
function canonicalText(filters: ReviewFilters): string {
  const { workspaceId, appId, stores, from, to, rating, sentiment, topic } = filters;
  return JSON.stringify([layout, workspaceId, appId, stores, from, to, rating, sentiment, topic]);
}

function packPosition(position: ReviewPosition): Buffer {
  const bytes = Buffer.alloc(positionBytes);
  bytes.writeBigInt64BE(position.dateMicros);
  bytes.write(position.id.replaceAll("-", ""), 8, "hex");
  return bytes;
}

function unpackPosition(bytes: Buffer): ReviewPosition {
  const id = bytes
    .toString("hex", 8)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { dateMicros: bytes.readBigInt64BE(), id };
}
