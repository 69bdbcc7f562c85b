// How long the body of a request may take. Files of people with slow connections take minutes: a route that takes one allows
// it for its request, once it knows who sends it, and the body has to go on arriving.
import type { IncomingMessage, Server } from "node:http";
import { secondMs } from "../lib/timestamp.ts";

export const bodyLimits = {
  /** From the end of the head to the last byte of the body. */
  requestTimeoutMs: 30 * secondMs,
  /** Bytes that a long body has to bring in each such period: 4 kB a second. */
  longBodyBytesMin: 128 * 1024,
};

const longBodies = new WeakSet<IncomingMessage>();

export function allowLongBody(request: IncomingMessage): void {
  longBodies.add(request);
}

/** Ends requests whose bodies are too slow, as Node does with heads. */
export function limitBodies(
  server: Server,
  { requestTimeoutMs, longBodyBytesMin }: typeof bodyLimits,
): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { headers, socket } = request;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined)
      return;
    let knownCount = socket.bytesRead;
    const timer = setInterval(() => {
      const newCount = socket.bytesRead - knownCount;
      knownCount += newCount;
      if (request.complete || (longBodies.has(request) && newCount >= longBodyBytesMin)) return;
      clearInterval(timer);
      const error = Object.assign(new Error("the body is too slow"), {
        code: "ERR_HTTP_REQUEST_TIMEOUT",
      });
      server.emit("clientError", error, socket);
    }, requestTimeoutMs);
    timer.unref();
    request.once("close", () => clearInterval(timer));
  });
}
