// An answer as bytes: a strong ETag made from them, 304 for who has them already, gzip or brotli for
// who asks. The same object gives the same bytes, so the parts can be kept and sent again.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Answer = {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  cacheControl: string;
  /** Hash of the bytes, without quotes. */
  tag: string;
};

/** Only the caller may keep it, and asks whether it still holds before each use. */
export const privateCache = "private, max-age=0, must-revalidate";

export function jsonAnswer(body: object, cacheControl: string = privateCache): Answer {
  return makeAnswer({ text: JSON.stringify(body), contentType: "application/json", cacheControl });
}

export function makeAnswer(content: {
  text: string;
  contentType: string;
  cacheControl: string;
}): Answer {
  const bytes = new TextEncoder().encode(content.text);
  const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
  return { bytes, contentType: content.contentType, cacheControl: content.cacheControl, tag };
}

const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

// Below one network packet there is nothing to gain.
const compressedFromBytes = 1_024;

export async function sendAnswer(
  answer: Answer,
  request: { headers: Headers; answerHeaders: Readonly<Record<string, string>> },
): Promise<Response> {
  const encoding =
    answer.bytes.length < compressedFromBytes
      ? null
      : chooseEncoding(request.headers.get("accept-encoding") ?? "");
  const headers: Record<string, string> = {
    ...request.answerHeaders,
    // Other bytes, other tag: that is what makes it a strong one.
    ETag: `"${answer.tag}${encoding ? `-${encoding}` : ""}"`,
    "Cache-Control": answer.cacheControl,
    Vary: joinVary(request.answerHeaders["Vary"]),
  };
  if (isKnown(request.headers.get("if-none-match"), answer.tag)) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = encoding ? await compress(answer.bytes, encoding) : answer.bytes;
  if (encoding) headers["Content-Encoding"] = encoding;
  headers["Content-Type"] = answer.contentType;
  // Stated, so that HEAD tells what GET would send.
  headers["Content-Length"] = String(bytes.length);
  return new Response(bytes, { status: 200, headers });
}

function joinVary(given: string | undefined): string {
  return given ? `Accept-Encoding, ${given}` : "Accept-Encoding";
}

/** The tag holds for the content, whatever way it was compressed. */
function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const known = ["*", `"${tag}"`, ...encodings.map((encoding) => `"${tag}-${encoding}"`)];
  return ifNoneMatch.split(",").some((part) => known.includes(part.trim().replace(/^W\//, "")));
}

/** The best of what the caller takes; null for no compression. Exported for its property test. */
export function chooseEncoding(acceptEncoding: string): Encoding | null {
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

async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  return encoding === "br" ? brotliBytes(bytes, brotliOptions) : gzipBytes(bytes);
}
