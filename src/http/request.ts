// Reads single parts of a request. Over a connection they come straight from what Node parsed, because
// building a Headers object costs more than the rest of the work for a hot page of the read API.
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";

/** @param name in lower case */
export function headerOf(context: Context, name: string): string | undefined {
  const headers = nodeRequestOf(context)?.headers;
  if (headers === undefined) return context.req.header(name);
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Without the question mark. A fragment is cut off by clients before they send the URL. */
export function queryStringOf(context: Context): string {
  const { url } = context.req;
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** Where the client reached us, as far as it says: for display only, because it can say anything. */
export function originOf(context: Context): string {
  const { protocol, host } = new URL(context.req.url);
  const isForwarded = headerOf(context, "x-forwarded-proto") === "https";
  return `${isForwarded ? "https:" : protocol}//${host}`;
}

/** The IP address at the other end of the connection; "" in calls without a server. */
export function peerAddressOf(context: Context): string {
  return unmapIpv4(nodeRequestOf(context)?.socket?.remoteAddress ?? "");
}

/** An IPv4 address inside IPv6 (`::ffff:192.0.2.1`) is the same client. */
export function unmapIpv4(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Node's own request as the server's adapter passes it on; undefined in calls without a server. */
export function nodeRequestOf(context: Context): IncomingMessage | undefined {
  return (context.env as { incoming?: IncomingMessage } | undefined)?.incoming;
}
