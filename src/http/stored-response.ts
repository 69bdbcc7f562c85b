// A response with a strong ETag, 304 for clients that have it, and gzip or brotli. Own code instead of
// hono/etag and hono/compress: these hash and compress every response anew, offer no brotli, and leave one
// tag for differently compressed bytes.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { headerOf } from "./request.ts";

type Bytes = Uint8Array<ArrayBuffer>;

type ResponseContent = {
  content: string | Bytes;
  contentType: string;
  cacheControl: string;
  /** `fast` for what changes often, `best` for what is compressed once per start. */
  compression: "none" | "fast" | "best";
  /** Another one for other content, without quotes; by default a hash of the bytes. */
  etag?: string | undefined;
};

/** It can be sent many times. */
export type StoredResponse = ResponseContent & {
  byteCount: number;
  etag: string;
  /** The compressed forms that clients asked for so far. */
  compressed: Partial<Record<ContentEncoding, Promise<Bytes>>>;
};

export function createStoredResponse(response: ResponseContent): StoredResponse {
  const { content, etag = createEtag(content) } = response;
  return { ...response, byteCount: Buffer.byteLength(content), etag, compressed: {} };
}

export function createEtag(content: string | Bytes): string {
  return hash("sha256", content, "base64url").slice(0, 27);
}

// Below one network packet there is nothing to gain.
const compressedFromBytes = 1_024;

type Sending = {
  context: Context;
  /** Those of every response to this request; they are added to. */
  headers: Record<string, string>;
};

export function sendResponse(
  response: StoredResponse,
  { context, headers }: Sending,
): Response | Promise<Response> {
  const isCompressible =
    response.compression !== "none" && response.byteCount >= compressedFromBytes;
  const encoding = isCompressible
    ? chooseEncoding(headerOf(context, "accept-encoding") ?? "")
    : null;
  // Other bytes, other tag: that makes it a strong one.
  const etag = encoding ? `"${response.etag}-${encoding}"` : `"${response.etag}"`;
  const caching = { ...response, context, headers };
  const isAnyKnown = headerOf(context, "if-none-match")?.trim() === "*";
  const unchanged = isAnyKnown ? sendNotModified(etag, caching) : sendIfUnchanged(caching);
  if (unchanged) return unchanged;
  addCaching(etag, caching);
  headers["Content-Type"] = response.contentType;
  if (encoding === null) return sendBytes(response.content, response.byteCount, headers);
  headers["Content-Encoding"] = encoding;
  return compress(response, encoding).then((bytes) => sendBytes(bytes, bytes.length, headers));
}

type Caching = Sending & Pick<StoredResponse, "etag" | "cacheControl">;

/** 304 when the client names the tag, for which the content need not be made; else null. */
export function sendIfUnchanged(caching: Caching): Response | null {
  const { etag, context } = caching;
  const known = headerOf(context, "if-none-match");
  if (known === undefined) return null;
  // The tag identifies the content regardless of its compression.
  const tags = [`"${etag}"`, ...contentEncodings.map((encoding) => `"${etag}-${encoding}"`)];
  const found = known
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .find((tag) => tags.includes(tag));
  return found === undefined ? null : sendNotModified(found, caching);
}

function sendNotModified(etag: string, caching: Caching): Response {
  addCaching(etag, caching);
  return new Response(null, { status: 304, headers: caching.headers });
}

function addCaching(etag: string, { headers, cacheControl }: Caching): void {
  headers["ETag"] = etag;
  headers["Cache-Control"] = cacheControl;
  headers["Vary"] = headers["Vary"] ? `Accept-Encoding, ${headers["Vary"]}` : "Accept-Encoding";
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

/** In our order of preference. */
const contentEncodings = ["br", "gzip"] as const;
type ContentEncoding = (typeof contentEncodings)[number];

/** The best of what the client accepts; null for no compression. By RFC 9110, 12.5.3. */
function chooseEncoding(acceptEncoding: string): ContentEncoding | null {
  if (acceptEncoding === "") return null;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, Number(weight) || 0);
  }
  const weightOf = (encoding: string): number => weights.get(encoding) ?? weights.get("*") ?? 0;
  const [best] = [...contentEncodings].sort((a, b) => weightOf(b) - weightOf(a));
  return best && weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0)
    ? best
    : null;
}
