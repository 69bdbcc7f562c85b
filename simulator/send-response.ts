// Sends a response: compressed where the client accepts it, and cut, stalled, hung or slow for the faults of these names.
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Clock } from "../src/lib/clock.ts";
import type { StoreResponse } from "./store-response.ts";

export function sendResponse(
  outgoing: ServerResponse,
  options: { incoming: IncomingMessage; clock: Clock; response: StoreResponse },
): void {
  const { incoming, clock, response } = options;
  if (response.ending === "hung") return;
  if (response.status === 204) {
    outgoing.writeHead(204, response.headers).end();
    return;
  }
  const zip = /\bgzip\b/.test(String(incoming.headers["accept-encoding"] ?? ""));
  const plain = response.bytes ?? Buffer.from(response.body);
  const body = zip ? gzipSync(plain) : plain;
  outgoing.writeHead(response.status, {
    ...response.headers,
    ...(zip ? { "content-encoding": "gzip" } : {}),
    date: clock.now().toUTCString(),
    // `starpost doctor` compares no clock with this one.
    server: "starpost-simulator",
    "content-length": String(body.length),
  });
  if (response.drip) {
    dripBody(outgoing, { body, ...response.drip });
    return;
  }
  if (response.ending === undefined) {
    outgoing.end(body);
    return;
  }
  const half = body.subarray(0, Math.floor(body.length / 2));
  outgoing.write(half, () => {
    if (response.ending === "cut") outgoing.destroy();
  });
}

function dripBody(
  outgoing: ServerResponse,
  drip: { body: Buffer; pieces: number; pauseMs: number },
): void {
  const { body, pieces, pauseMs } = drip;
  const size = Math.max(1, Math.ceil(body.length / pieces));
  let at = 0;
  const writeNext = (): void => {
    outgoing.write(body.subarray(at, at + size));
    at += size;
    if (at >= body.length || outgoing.destroyed) {
      clearInterval(timer);
      outgoing.end();
    }
  };
  const timer = setInterval(writeNext, pauseMs);
  outgoing.once("close", () => clearInterval(timer));
}
