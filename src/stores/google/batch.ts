// The framing of Google Play's batchexecute: a guard line, then one JSON array of frames, or chunks
// with a length line before each. The answer to a call is JSON inside a string inside a frame.
import { parseJson, textAt, valueAt } from "../json-value.ts";

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
  const answers = frames?.filter((item) => isAnswerTo(item, rpcId)) ?? [];
  const frame = answers.find((item) => textAt(item, 2) !== null) ?? answers[0];
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

function isAnswerTo(frame: unknown, rpcId: string): boolean {
  return valueAt(frame, 0) === "wrb.fr" && valueAt(frame, 1) === rpcId;
}

function readFrames(text: string): unknown[] | null {
  const start = text.indexOf("[");
  if (start < 0) return null;
  const rest = text.slice(start);
  const whole = parseJson(rest);
  if (Array.isArray(whole)) return whole;
  // Chunked. What the lengths count differs; that each stands alone on a line is reliable.
  const chunks = rest.split(/^\d+\s*$/m).flatMap(readChunk);
  return chunks.length === 0 ? null : chunks.flat();
}

/** A chunk may go over several lines; where the lengths are missing, each line is one. */
function readChunk(text: string): unknown[][] {
  const whole = parseJson(text);
  if (Array.isArray(whole)) return [whole];
  return text
    .split("\n")
    .filter((line) => line.startsWith("["))
    .map(parseJson)
    .filter((chunk) => Array.isArray(chunk));
}
