// Requests that Node refuses before a handler runs: heads that are not HTTP, too large or too slow. They
// get a problem document, too (RFC 9457), where Node would send an empty response.
import { randomUUID } from "node:crypto";
import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RequestError } from "@hono/node-server";
import { errorCode } from "../lib/errors.ts";
import { canParseUrl } from "../lib/urls.ts";
import { type HttpErrorCode, httpErrors, problemType } from "./problem.ts";

const details = {
  malformed_request: "The request could not be read as HTTP/1.1.",
  request_timeout: "The request took too long to arrive.",
  rate_limited: "Your address has too many open connections.",
  head_too_large: "The request line and the headers are too long.",
  internal: "Something went wrong on our side.",
} satisfies Partial<Record<HttpErrorCode, string>>;

type RefusalCode = keyof typeof details;

export const noSniffing = ["X-Content-Type-Options", "nosniff"] as const;

/** Answers what the server can't read. */
export function answerRefusedHeads(server: Server): void {
  // A socket can hold a response that has begun: nothing may be written into the middle of it.
  const responding = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", (request, response) => {
    responding.set(request.socket, response);
    response.once("close", () => responding.delete(request.socket));
  });
  server.on("clientError", (error, socket) => {
    const hasBegun = responding.get(socket)?.headersSent === true;
    if (!socket.writable || hasBegun) return void socket.destroy(error);
    socket.end(writeResponse(codeOf(error)), () => socket.destroy());
  });
}

/** Asked by machines, and without secrets. */
const machinePaths = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Refuses what Node would pass on, or refuse without a document: HTTP/1.1 without `Host`, or with an invalid one. The
 * server needs `requireHostHeader: false`.
 */
export function requireHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    const [path = ""] = request.url?.split("?", 1) ?? [];
    // Load balancers ask in HTTP/1.0 and without a host, or by one of their own: `option httpchk` of HAProxy, keepalived.
    if (machinePaths.has(path)) {
      request.headers.host = "localhost";
      return listener(request, response);
    }
    const { host } = request.headers;
    const isNamed = host === undefined ? request.httpVersion === "1.0" : isHost(host);
    if (isNamed) return listener(request, response);
    const { status, headers, body } = describeRefusal("malformed_request");
    response.writeHead(status, headers).end(body);
  };
}

/** For a client that has as many connections as it may have, all of them busy. */
export const refuseConnection: RequestListener = (_, response) => {
  const { status, headers, body } = describeRefusal("rate_limited");
  response.writeHead(status, { ...headers, "Retry-After": "1" }).end(body);
};

/** For the errors of Hono's adapter: targets that make no URL. Any other error that gets here is a bug. */
export function respondToRefusal(error: unknown): Response {
  const code = error instanceof RequestError ? "malformed_request" : "internal";
  const { status, headers, body } = describeRefusal(code);
  return new Response(body, { status, headers });
}

function isHost(host: string): boolean {
  return /^[\w.:[\]-]+$/.test(host) && canParseUrl(`http://${host}`);
}

// Codes of Node and of its parser, all others of which begin with HPE_.
function codeOf(error: Error): RefusalCode {
  const code = errorCode(error);
  if (code === "HPE_HEADER_OVERFLOW") return "head_too_large";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "request_timeout" : "malformed_request";
}

function describeRefusal(code: RefusalCode) {
  const { status, title } = httpErrors[code];
  const requestId = randomUUID();
  const problem = { type: `/docs#error-${code}`, title, status, detail: details[code], code };
  const body = JSON.stringify({ ...problem, requestId });
  const headers = {
    "Content-Type": problemType,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    [noSniffing[0]]: noSniffing[1],
    "X-Request-Id": requestId,
    Connection: "close",
  };
  return { status, headers, body };
}

function writeResponse(code: RefusalCode): string {
  const { status, headers, body } = describeRefusal(code);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
