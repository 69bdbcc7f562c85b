// What is read of a request, in one place: over a connection straight from what Node parsed, because
// building a Headers object for it costs more than all that is done with it.
import type { Context } from "hono";

/** One header by its lower-case name. */
export function headerOf(context: Context, name: string): string | undefined {
  const headers = readProperty(incomingOf(context), "headers");
  if (headers === undefined) return context.req.header(name);
  const value = readProperty(headers, name);
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
  const address = readProperty(readProperty(incomingOf(context), "socket"), "remoteAddress");
  // IPv4 in IPv6 is the same client.
  return typeof address === "string" ? address.replace(/^::ffff:/, "") : "";
}

/** Node's own request, where there is a server. */
function incomingOf(context: Context): unknown {
  return readProperty(context.env, "incoming");
}

function readProperty(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
