// What is read of a request, in one place: over a connection straight from what Node parsed, because
// building a Headers object for it costs more than all that is done with it.
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";

/** One header by its lower-case name. */
export function headerOf(context: Context, name: string): string | undefined {
  const headers = incomingOf(context).headers;
  if (headers === undefined) return context.req.header(name);
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Without the question mark; the URL has no fragment, clients keep it to themselves. */
export function queryStringOf(context: Context): string {
  const { url } = context.req;
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** The peer of the connection; "" where there is none, as in calls without a server. */
export function clientAddressOf(context: Context): string {
  const address = incomingOf(context).socket?.remoteAddress;
  // IPv4 in IPv6 is the same client.
  return address === undefined ? "" : address.replace(/^::ffff:/, "");
}

const nothing = {};

/** Node's own request as the server's adapter hands it over; empty in calls without a server. */
function incomingOf(context: Context): Partial<IncomingMessage> {
  return (context.env as { incoming?: IncomingMessage } | undefined)?.incoming ?? nothing;
}
