// The framing of Google Play's batchexecute: a guard line, then one JSON array of frames, or chunks
// with a length line before each. The payload of a call is JSON inside a string inside a frame.
import { numberAt, parseJson, textAt, valueAt } from "../../lib/json.ts";

type BatchResult =
  /** `payload` null: the list is empty, which is not an error. */
  | { kind: "payload"; payload: unknown }
  /** The store is overloaded, or limits this client. */
  | { kind: "throttled" }
  /** An error of the store in place of the payload; `status` as in gRPC: 5 is "not found", 13 "internal". */
  | { kind: "refused"; status: number }
  /** Well framed, without a frame of this call. */
  | { kind: "missing" }
  | { kind: "malformed" };

/** @param rpcId null: of whichever call */
export function parseBatch(text: string, rpcId: string | null): BatchResult {
  const frames = parseFrames(text);
  const matching = frames?.filter((item) => isFrameOf(item, rpcId)) ?? [];
  const frame = matching.find((item) => textAt(item, 2) !== null) ?? matching[0];
  const inner = valueAt(frame, 2);
  if (typeof inner === "string") {
    const payload = parseJson(inner);
    return payload === undefined ? { kind: "malformed" } : { kind: "payload", payload };
  }
  // Only without a payload: a reviewer may write the word.
  if (text.includes("PlayGatewayError")) return { kind: "throttled" };
  const status = statusOf(frame) ?? frames?.map(statusOf).find((one) => one !== null) ?? null;
  if (status !== null) return { kind: "refused", status };
  if (frames === null || (frame !== undefined && inner !== null)) return { kind: "malformed" };
  return frame === undefined ? { kind: "missing" } : { kind: "payload", payload: null };
}

/** The form that calls `rpcId` with an argument. */
export function batchBody(rpcId: string, argument: unknown): string {
  const envelope = JSON.stringify([[[rpcId, JSON.stringify(argument), null, "generic"]]]);
  return new URLSearchParams({ "f.req": envelope }).toString();
}

/** A frame of an error has its status behind the empty payload, and not always the name of the call. */
function statusOf(frame: unknown): number | null {
  return valueAt(frame, 0) === "wrb.fr" ? numberAt(valueAt(frame, 5), 0) : null;
}

function isFrameOf(frame: unknown, rpcId: string | null): boolean {
  return valueAt(frame, 0) === "wrb.fr" && (rpcId === null || valueAt(frame, 1) === rpcId);
}

/** A response has a few. Each invalid JSON text costs an exception. */
const chunksMax = 20;

function parseFrames(text: string): unknown[] | null {
  const start = text.indexOf("[");
  if (start < 0) return null;
  const rest = text.slice(start);
  const json = parseJson(rest);
  if (Array.isArray(json)) return json;
  // Chunked. The unit of a length varies; that it is alone on its line does not.
  const chunks = rest.split(/^\d+\s*$/m, chunksMax).flatMap(parseChunk);
  return chunks.length === 0 ? null : chunks.flat();
}

/** A chunk may go over several lines; where the lengths are missing, each line is one. */
function parseChunk(text: string): unknown[][] {
  const whole = text.trim();
  const json = parseJson(whole);
  if (Array.isArray(json)) return [json];
  return whole
    .split("\n")
    .filter((line) => line.startsWith("[") && line !== whole)
    .slice(0, chunksMax)
    .map((line) => parseJson(line))
    .filter((chunk) => Array.isArray(chunk));
}
