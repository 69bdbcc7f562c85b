// Who asks: the address and the browser of a request, and whether the request comes from our own pages.
import { isIPv6 } from "node:net";
import type { Context } from "hono";
import { AppError } from "../domain/error.ts";

const browserLengthMax = 300;

export type ClientInfo = { address: string; browser: string };

export function clientInfo(context: Context): ClientInfo {
  const browser = (context.req.header("user-agent") ?? "").replace(/[^\x20-\x7e]/g, "");
  return { address: addressOf(context), browser: browser.slice(0, browserLengthMax) };
}

/**
 * The peer of the connection. A proxy of this machine or network is believed about whom it speaks for;
 * a peer of the open internet is not, because anybody can write that header.
 */
function addressOf(context: Context): string {
  const peer = peerOf(context).replace(/^::ffff:/, "");
  const forwarded = context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  const isProxy = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd])/.test(peer);
  return isProxy && forwarded && /^[0-9a-f.:]{2,45}$/i.test(forwarded) ? forwarded : peer;
}

/** For counting: whoever has one IPv6 address has the 2^64 of its network, and they count as one. */
export function ipPrefix(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = [], after = []] = address
    .toLowerCase()
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const gap = Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(gap).fill("0"), ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

function peerOf(context: Context): string {
  const address = readProperty(
    readProperty(readProperty(context.env, "incoming"), "socket"),
    "remoteAddress",
  );
  return typeof address === "string" ? address : "";
}

function readProperty(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Refuses what changes something and was not asked by a page of ours: browsers tell where a request
 * comes from, and a page can't change what they say. Who tells nothing is no browser.
 *
 * @throws AppError `forbidden`
 */
export function requireSameSite(context: Context, publicUrl: string | null): void {
  const { method } = context.req;
  if (method === "GET" || method === "HEAD") return;
  const site = context.req.header("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = context.req.header("origin");
  // Browsers leave the site out where the page is not served over TLS or from this machine.
  if (site === undefined && origin !== undefined && isOwn(origin, { context, publicUrl })) return;
  throw new AppError("forbidden", "this request does not come from the dashboard's own pages");
}

function isOwn(origin: string, at: { context: Context; publicUrl: string | null }): boolean {
  if (!URL.canParse(origin)) return false;
  if (at.publicUrl !== null && new URL(at.publicUrl).origin === origin) return true;
  return new URL(origin).host === at.context.req.header("host");
}
