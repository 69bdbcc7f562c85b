// HTTP servers that slow and many clients can't exhaust: a time limit for each part of a request, looked at
// every second, and a limit for open connections.
import { createServer, type RequestListener, type Server } from "node:http";
import { secondMs } from "../lib/timestamp.ts";
import { answerRefusedHeads, noSniffing, requireHost } from "./refused-head.ts";

export const serverLimits = {
  /** From the connection to the last byte of the head. */
  headersTimeoutMs: 10 * secondMs,
  /** From the connection to the last byte of the body. */
  requestTimeoutMs: 30 * secondMs,
  /** Of the request line and all headers. Twice what the API reads of a query string. */
  headerBytesMax: 32_768,
  /** Further connections are closed at once. */
  connectionCountMax: 2_000,
};

// Node looks at its time limits every 30 seconds unless told otherwise: 10 seconds would be up to 40.
const checkIntervalMs = secondMs;

export function createLimitedServer(
  listener: RequestListener,
  limits: Partial<typeof serverLimits> = {},
): Server {
  const { headersTimeoutMs, requestTimeoutMs, headerBytesMax, connectionCountMax } = {
    ...serverLimits,
    ...limits,
  };
  const options = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    maxHeaderSize: headerBytesMax,
    connectionsCheckingInterval: checkIntervalMs,
    // Checked by `requireHost`, which answers with a document.
    requireHostHeader: false,
  };
  const checked = requireHost(listener);
  const server = createServer(options, (request, response) => {
    // Whatever answers: no browser may take an answer for what it does not say it is.
    response.setHeader(...noSniffing);
    checked(request, response);
  });
  answerRefusedHeads(server);
  server.maxConnections = connectionCountMax;
  return server;
}
