// Cursors of lists of reviews: a position and its HMAC, 40 bytes in base64url. The HMAC covers the workspace and
// the filters, so a cursor is valid for nothing but the next page of the same list.

import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../domain/error.ts";

const positionBytes = 24;
// Half of a SHA-256: 128 bits are beyond guessing and keep the cursor short.
const macBytes = 16;
const cursorLength = Math.ceil(((positionBytes + macBytes) * 4) / 3);
// Mixed into the HMAC: a change of the layout makes old cursors invalid instead of misread.
const layout = "reviews-2";

/** The position of the last review of a page. */
type CursorPosition = { micros: bigint; id: string };

/** The subject of a list: its workspace, and the filters without the page size, which may change. */
export type ListKey = { workspaceId: string; filters: object };

export type Cursors = {
  encode(position: CursorPosition, list: ListKey): string;
  /** @throws AppError `invalid_cursor` for all but what `encode` made for the same list */
  decode(cursor: string, list: ListKey): CursorPosition;
};

/**
 * @param keys the first makes cursors, all open them: those of a replaced key stay valid with it
 * @throws Error without a key, which is a bug
 */
export function createCursors(keys: readonly Buffer[]): Cursors {
  const [first] = keys;
  if (!first) throw new Error("cursors need a key");
  return {
    encode(position, list) {
      const bytes = packPosition(position);
      return Buffer.concat([bytes, signPosition(first, bytes, list)]).toString("base64url");
    },
    decode(cursor, list) {
      const bytes = Buffer.from(cursor.slice(0, cursorLength), "base64url");
      const position = bytes.subarray(0, positionBytes);
      const mac = bytes.subarray(positionBytes);
      // Base64 decoding is lenient, so only the exact text that was issued is accepted.
      const isComplete = mac.length === macBytes && bytes.toString("base64url") === cursor;
      const isOwn = (key: Buffer) => timingSafeEqual(mac, signPosition(key, position, list));
      if (!isComplete || !keys.some(isOwn)) {
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

function signPosition(key: Buffer, position: Buffer, { workspaceId, filters }: ListKey): Buffer {
  const text = JSON.stringify([layout, workspaceId, filters]);
  return createHmac("sha256", key).update(text).update(position).digest().subarray(0, macBytes);
}

function packPosition(position: CursorPosition): Buffer {
  const bytes = Buffer.alloc(positionBytes);
  bytes.writeBigInt64BE(position.micros);
  bytes.write(position.id.replaceAll("-", ""), 8, "hex");
  return bytes;
}

function unpackPosition(bytes: Buffer): CursorPosition {
  const id = bytes
    .toString("hex", 8)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { micros: bytes.readBigInt64BE(), id };
}
