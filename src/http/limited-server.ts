// HTTP servers that slow and many clients can't exhaust: time limits for each part of a request and for unread
// answers, and limits for open connections, in all and of one client.
import { createServer, type RequestListener, type Server } from "node:http";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import { bodyLimits, limitBodies } from "./body-limits.ts";
import {
  type ConnectionPolicy,
  connectionLimits,
  limitConnections,
  limitPipelining,
  refuseExcess,
} from "./connection-limits.ts";
import { answerRefusedHeads, noSniffing, refuseConnection, requireHost } from "./refused-head.ts";

export const serverLimits = {
  ...connectionLimits,
  /** From the connection to the last byte of the head. */
  headersTimeoutMs: 10 * secondMs,
  ...bodyLimits,
  /** From the connection to the last byte of a body that may be long. */
  longRequestTimeoutMs: 30 * minuteMs,
  /**
   * How long an idle connection stays open. Longer than reverse proxies keep theirs (nginx and AWS: 60 seconds, Caddy:
   * 120), because a request on a connection that the server is closing fails.
   */
  keepAliveTimeoutMs: 130 * secondMs,
  /** The limit for the request line and all headers. Twice what the API reads of a query string. */
  headerBytesMax: 32_768,
};

// Node checks its time limits every 30 seconds by default: 10 seconds would be up to 40.
const checkIntervalMs = secondMs;

export function createLimitedServer(
  listener: RequestListener,
  policy: ConnectionPolicy,
  changed: Partial<typeof serverLimits> = {},
): Server {
  const limits = { ...serverLimits, ...changed };
  const options = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.longRequestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    connectionsCheckingInterval: checkIntervalMs,
    // Checked by `requireHost`, which answers with a document.
    requireHostHeader: false,
  };
  const checked = limitPipelining(refuseExcess(requireHost(listener), refuseConnection), limits);
  const server = createServer(options, (request, response) => {
    // For every answer: no browser may take an answer for what it does not say it is.
    response.setHeader(...noSniffing);
    checked(request, response);
  });
  answerRefusedHeads(server);
  limitBodies(server, limits);
  limitConnections(server, limits, policy);
  return server;
}
