// A response that can be sent many times: a strong ETag of its exact bytes, 304 for clients that have them,
// and gzip or brotli made once for each. Own code instead of hono/etag and hono/compress: these hash and
// compress every response anew, offer no brotli, and leave one tag for differently compressed bytes.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { type ContentEncoding, chooseEncoding, contentEncodings } from "./content-encoding.ts";
import { headerOf } from "./request.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export type ResponseContent = {
  content: string | Bytes;
  contentType: string;
  cacheControl: string;
  /** `fast` for what changes often, `best` for what is compressed once per start. */
  compression: "none" | "fast" | "best";
};

export type StoredResponse = ResponseContent & {
  byteCount: number;
  /** Hash of the bytes, without quotes. */
  etag: string;
  wasSent: boolean;
  /** The content as bytes, once it was sent: see `bytesOf`. */
  bytes: Bytes | null;
  /** The compressed forms that clients asked for so far. */
  compressed: Partial<Record<ContentEncoding, Promise<Bytes>>>;
};

/** Returns `previous` itself when the content is the same: with its tag and its compressed forms. */
export function createStoredResponse(
  response: ResponseContent,
  previous: StoredResponse | null = null,
): StoredResponse {
  const { content } = response;
  if (previous?.content === content) return previous;
  const etag = hash("sha256", content, "base64url").slice(0, 27);
  const byteCount = Buffer.byteLength(content);
  return { ...response, byteCount, etag, wasSent: false, bytes: null, compressed: {} };
}

// Below one network packet there is nothing to gain.
const compressedFromBytes = 1_024;

/** @param headers those of every response to this request; they are added to */
export function sendResponse(
  response: StoredResponse,
  { context, headers }: { context: Context; headers: Record<string, string> },
): Response | Promise<Response> {
  const isCompressible =
    response.compression !== "none" && response.byteCount >= compressedFromBytes;
  const encoding = isCompressible
    ? chooseEncoding(headerOf(context, "accept-encoding") ?? "")
    : null;
  // Other bytes, other tag: that makes it a strong one.
  headers["ETag"] = encoding ? `"${response.etag}-${encoding}"` : `"${response.etag}"`;
  headers["Cache-Control"] = response.cacheControl;
  headers["Vary"] = headers["Vary"] ? `Accept-Encoding, ${headers["Vary"]}` : "Accept-Encoding";
  if (isKnown(headerOf(context, "if-none-match"), response.etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers["Content-Type"] = response.contentType;
  if (encoding === null) return sendBytes(bytesOf(response), response.byteCount, headers);
  headers["Content-Encoding"] = encoding;
  return compress(response, encoding).then((bytes) => sendBytes(bytes, bytes.length, headers));
}

function sendBytes(
  body: string | Bytes,
  byteCount: number,
  headers: Record<string, string>,
): Response {
  // Set here so that HEAD reports the length that GET would send.
  headers["Content-Length"] = String(byteCount);
  return new Response(body, { status: 200, headers });
}

const encoder = new TextEncoder();

/**
 * Sending bytes costs less than sending a string. But they lie outside of the heap, and most responses are
 * sent just once: made for each of those, they would trigger full collections all the time.
 */
function bytesOf(response: StoredResponse): string | Bytes {
  const { content } = response;
  if (typeof content !== "string") return content;
  if (response.wasSent) response.bytes ??= encoder.encode(content);
  response.wasSent = true;
  return response.bytes ?? content;
}

/** The tag stands for the content, however it was compressed. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ["*", `"${etag}"`, ...contentEncodings.map((encoding) => `"${etag}-${encoding}"`)];
  return ifNoneMatch.split(",").some((part) => tags.includes(part.trim().replace(/^W\//, "")));
}

const gzipBytes = promisify(gzip);
const brotliBytes = promisify(brotliCompress);
// Level 4 of 11: about as small as gzip's best, in less time.
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Once for each form, however many clients wait for it. */
function compress(response: StoredResponse, encoding: ContentEncoding): Promise<Bytes> {
  const { content, compressed, compression } = response;
  compressed[encoding] ??=
    encoding === "br"
      ? brotliBytes(content, compression === "fast" ? fastBrotli : {})
      : gzipBytes(content);
  return compressed[encoding];
}
