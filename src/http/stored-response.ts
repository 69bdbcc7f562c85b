// An answer on its way out: a strong ETag made from its bytes, 304 for who has them already, gzip or
// brotli for who asks. The same object gives the same bytes, so the parts can be kept and sent again.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { PreSerializedJson } from "../api/endpoint.ts";
import { headerOf } from "./request.ts";

export type StoredResponse = {
  text: string;
  /** Of the text in UTF-8. */
  byteCount: number;
  contentType: string;
  cacheControl: string;
  /** Hash of the bytes, without quotes. */
  etag: string;
  wasSent: boolean;
  /** The text as bytes, once it was sent: see `encodePlain`. */
  bytes: Uint8Array<ArrayBuffer> | null;
  /** The compressed forms that were asked for so far. */
  compressed: Partial<Record<Encoding, Promise<Uint8Array<ArrayBuffer>>>>;
};

/** Only the caller may keep it, and asks whether it still holds before each use. */
const privateCache = "private, max-age=0, must-revalidate";

/** `before` itself when the bytes are the same: with its tag and its compressed forms. */
export function createJsonResponse(body: object, before: StoredResponse | null = null): StoredResponse {
  const text = body instanceof PreSerializedJson ? body.json : JSON.stringify(body);
  const made = { text, contentType: "application/json", cacheControl: privateCache };
  return createStoredResponse(made, before);
}

export function createStoredResponse(
  content: { text: string; contentType: string; cacheControl: string },
  before: StoredResponse | null = null,
): StoredResponse {
  const { text } = content;
  if (before?.text === text) return before;
  const tag = hash("sha256", text, "base64url").slice(0, 27);
  const byteCount = Buffer.byteLength(text);
  return { ...content, byteCount, etag: tag, wasSent: false, bytes: null, compressed: {} };
}

const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

// Below one network packet there is nothing to gain.
const compressedFromBytes = 1_024;

/** `headers` are those that every answer to this request has; they are added to. */
export function sendResponse(
  answer: StoredResponse,
  sent: { context: Context; headers: Record<string, string> },
): Response | Promise<Response> {
  const { context, headers } = sent;
  const encoding =
    answer.byteCount < compressedFromBytes
      ? null
      : chooseEncoding(headerOf(context, "accept-encoding") ?? "");
  // Other bytes, other tag: that is what makes it a strong one.
  headers["ETag"] = encoding ? `"${answer.etag}-${encoding}"` : `"${answer.etag}"`;
  headers["Cache-Control"] = answer.cacheControl;
  headers["Vary"] = joinVary(headers["Vary"]);
  if (isKnown(headerOf(context, "if-none-match"), answer.etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers["Content-Type"] = answer.contentType;
  if (encoding === null) return sendBytes(encodePlain(answer), answer.byteCount, headers);
  headers["Content-Encoding"] = encoding;
  return pack(answer, encoding).then((bytes) => sendBytes(bytes, bytes.length, headers));
}

function sendBytes(
  body: string | Uint8Array<ArrayBuffer>,
  byteCount: number,
  headers: Record<string, string>,
): Response {
  // Stated, so that HEAD tells what GET would send.
  headers["Content-Length"] = String(byteCount);
  return new Response(body, { status: 200, headers });
}

const encoder = new TextEncoder();

/**
 * Bytes are sent for less than a text. But they lie outside of the heap, and most answers are sent just
 * once: made for each of those, they would set off full collections all the time.
 */
function encodePlain(answer: StoredResponse): string | Uint8Array<ArrayBuffer> {
  if (answer.wasSent) answer.bytes ??= encoder.encode(answer.text);
  answer.wasSent = true;
  return answer.bytes ?? answer.text;
}

function joinVary(given: string | undefined): string {
  return given ? `Accept-Encoding, ${given}` : "Accept-Encoding";
}

/** The tag holds for the content, whatever way it was compressed. */
function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ["*", `"${tag}"`, ...encodings.map((encoding) => `"${tag}-${encoding}"`)];
  return ifNoneMatch.split(",").some((part) => known.includes(part.trim().replace(/^W\//, "")));
}

/** The best of what the caller takes; null for no compression. Exported for its property test. */
export function chooseEncoding(acceptEncoding: string): Encoding | null {
  if (acceptEncoding === "") return null;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, Number(weight) || 0);
  }
  const weightOf = (encoding: string): number => weights.get(encoding) ?? weights.get("*") ?? 0;
  const [best] = [...encodings].sort((a, b) => weightOf(b) - weightOf(a));
  return best && weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0)
    ? best
    : null;
}

const gzipBytes = promisify(gzip);
const brotliBytes = promisify(brotliCompress);
// Level 4: about as small as gzip's best, in less time.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Once for each form, however many ask for it. */
function pack(answer: StoredResponse, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  answer.compressed[encoding] ??=
    encoding === "br" ? brotliBytes(answer.text, brotliOptions) : gzipBytes(answer.text);
  return answer.compressed[encoding];
}
