// The framing of Google Play's batchexecute: a guard line, then one JSON array of frames, or chunks
// with a length line before each. The answer to a call is JSON inside a string inside a frame.
import { parseJson, valueAt } from "../json-value.ts";

export type BatchAnswer =
  /** `payload` null: the store has nothing to say, which is no error. */
  | { kind: "payload"; payload: unknown }
  /** The store is overloaded or tired of this client. */
  | { kind: "throttled" }
  /** Well framed, without an answer to this call. */
  | { kind: "missing" }
  | { kind: "malformed" };

export function parseBatch(text: string, rpcId: string): BatchAnswer {
  const frames = readFrames(text);
  const frame = frames?.find((item) => valueAt(item, 0) === "wrb.fr" && valueAt(item, 1) === rpcId);
  const inner = valueAt(frame, 2);
  if (typeof inner === "string") {
    const payload = parseJson(inner);
    return payload === undefined ? { kind: "malformed" } : { kind: "payload", payload };
  }
  // Looked for only where there is no payload: a reviewer may write the word.
  if (text.includes("PlayGatewayError")) return { kind: "throttled" };
  if (frames === null || (frame !== undefined && inner !== null)) return { kind: "malformed" };
  return frame === undefined ? { kind: "missing" } : { kind: "payload", payload: null };
}

/** The form that calls `rpcId` with an argument. */
export function batchBody(rpcId: string, argument: unknown): string {
  const envelope = JSON.stringify([[[rpcId, JSON.stringify(argument), null, "generic"]]]);
  return new URLSearchParams({ "f.req": envelope }).toString();
}

function readFrames(text: string): unknown[] | null {
  const start = text.indexOf("[");
  if (start < 0) return null;
  const rest = text.slice(start);
  const whole = parseJson(rest);
  if (Array.isArray(whole)) return whole;
  // Chunked: lengths count characters in a way of their own, lines are reliable.
  const chunks = rest
    .split("\n")
    .filter((line) => line.startsWith("["))
    .map(parseJson)
    .filter((chunk) => Array.isArray(chunk));
  return chunks.length === 0 ? null : chunks.flat();
}
