// Puts an answer on the wire: zipped where the caller takes it, and as badly as a switch wants it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Clock } from "../src/lib/clock.ts";
import type { StoreResponse } from "./store-response.ts";

export function sendResponse(
  response: ServerResponse,
  sending: { incoming: IncomingMessage; clock: Clock; answer: StoreResponse },
): void {
  const { incoming, clock, answer } = sending;
  const zip = /\bgzip\b/.test(String(incoming.headers["accept-encoding"] ?? ""));
  const plain = answer.bytes ?? Buffer.from(answer.body);
  const body = zip ? gzipSync(plain) : plain;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(zip ? { "content-encoding": "gzip" } : {}),
    date: clock.now().toUTCString(),
    "content-length": String(body.length),
  });
  if (answer.drip) {
    dripBody(response, { body, ...answer.drip });
    return;
  }
  if (answer.ending === undefined) {
    response.end(body);
    return;
  }
  const half = body.subarray(0, Math.floor(body.length / 2));
  response.write(half, () => {
    if (answer.ending === "cut") response.destroy();
  });
}

function dripBody(
  response: ServerResponse,
  drip: { body: Buffer; pieces: number; pauseMs: number },
): void {
  const { body, pieces, pauseMs } = drip;
  const size = Math.max(1, Math.ceil(body.length / pieces));
  let at = 0;
  const writeNext = (): void => {
    response.write(body.subarray(at, at + size));
    at += size;
    if (at >= body.length || response.destroyed) {
      clearInterval(timer);
      response.end();
    }
  };
  const timer = setInterval(writeNext, pauseMs);
  response.once("close", () => clearInterval(timer));
}
