// Cursors of GET /reviews: a position and a seal, 40 bytes in base64url. The seal is keyed and covers
// the workspace and the filters, so a cursor is good for nothing but the next page of the same list.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ReviewFilters, ReviewPosition } from "../database/read-models/review-pages.ts";
import { AppError } from "../domain/error.ts";

const positionBytes = 24;
// Half of a SHA-256: 128 bits are beyond guessing and keep the cursor short.
const sealBytes = 16;
const cursorLength = Math.ceil(((positionBytes + sealBytes) * 4) / 3);
// Mixed into the seal: a change of the layout makes old cursors invalid instead of misread.
const layout = "reviews-1";

export type Cursors = {
  seal(position: ReviewPosition, filters: ReviewFilters): string;
  /** @throws AppError `invalid_cursor` for all but what `seal` gave for the same filters */
  open(cursor: string, filters: ReviewFilters): ReviewPosition;
};

export function createCursors(key: Buffer): Cursors {
  const sealOf = (position: Buffer, filters: ReviewFilters): Buffer =>
    createHmac("sha256", key)
      .update(canonicalText(filters))
      .update(position)
      .digest()
      .subarray(0, sealBytes);
  return {
    seal(position, filters) {
      const bytes = packPosition(position);
      return Buffer.concat([bytes, sealOf(bytes, filters)]).toString("base64url");
    },
    open(cursor, filters) {
      const bytes = Buffer.from(cursor.slice(0, cursorLength), "base64url");
      const position = bytes.subarray(0, positionBytes);
      const seal = bytes.subarray(positionBytes);
      // Decoding is lenient, so only the very text that was issued is taken.
      const isWhole = seal.length === sealBytes && bytes.toString("base64url") === cursor;
      if (!isWhole || !timingSafeEqual(seal, sealOf(position, filters))) {
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

// The page size is not part of it: it may change from page to page.
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
