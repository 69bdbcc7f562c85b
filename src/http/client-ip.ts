// The IP address of a client, by one policy for both APIs: the peer of the connection, unless TRUSTED_PROXIES
// names that peer. Then it is the last address in X-Forwarded-For that is not a trusted proxy itself.
import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { Context } from "hono";
import { headerOf, peerAddressOf, unmapIpv4 } from "./request.ts";

export type ClientIp = (context: Context) => string;

/** @param trustedProxies networks such as `10.1.0.0/16`; any other client can write anything into the header */
export function createClientIp(trustedProxies: readonly string[]): ClientIp {
  if (trustedProxies.length === 0) return peerAddressOf;
  const isTrusted = createNetworkCheck(trustedProxies);
  return (context) => {
    const forwarded = headerOf(context, "x-forwarded-for")?.split(",") ?? [];
    let address = peerAddressOf(context);
    for (const text of forwarded.reverse()) {
      const hop = readHop(text);
      if (!isTrusted(address) || hop === null) break;
      address = hop;
    }
    return address;
  };
}

/**
 * An address as proxies write it: Azure's gateways and IIS add the port, `203.0.113.5:41234` or `[2001:db8::7]:4444`. null
 * for words such as `unknown`.
 */
function readHop(text: string): string | null {
  const [, bracketed, ipv4] =
    /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(text.trim()) ?? [];
  const hop = unmapIpv4(bracketed ?? ipv4 ?? text.trim());
  return isIP(hop) === 0 || hop.includes("%") ? null : hop;
}

/**
 * Calls back once when a trusted proxy names the client in a way that is not read, so that all of its clients count as one:
 * with the name and value of its header.
 */
export function watchForwarded(
  server: Server,
  options: {
    trustedProxies: readonly string[];
    onUnread: (header: { name: string; value: string }) => void;
  },
): void {
  const isTrusted = createNetworkCheck(options.trustedProxies);
  const listener = ({ headers, socket }: IncomingMessage): void => {
    const found = findUnread(headers);
    if (found === null || !isTrusted(unmapIpv4(socket.remoteAddress ?? ""))) return;
    server.removeListener("request", listener);
    options.onUnread(found);
  };
  if (options.trustedProxies.length > 0) server.on("request", listener);
}

/** Only its last hop comes from the proxy itself: anyone can write the others. */
function findUnread(headers: IncomingHttpHeaders): { name: string; value: string } | null {
  const forwarded = headers["x-forwarded-for"];
  if (typeof forwarded === "string") {
    const isRead = readHop(forwarded.split(",").at(-1) ?? "") !== null;
    return isRead ? null : { name: "X-Forwarded-For", value: forwarded.slice(-200) };
  }
  for (const name of ["Forwarded", "X-Real-IP"]) {
    const value = headers[name.toLowerCase()];
    if (typeof value === "string") return { name, value: value.slice(-200) };
  }
  return null;
}

export function createNetworkCheck(cidrs: readonly string[]): (address: string) => boolean {
  // One list per family: in a mixed list Node compares IPv4 addresses with IPv6 networks as well.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [network = "", bits] = cidr.split("/");
    lists[familyOf(network)].addSubnet(network, Number(bits), familyOf(network));
  }
  return (address) =>
    isIP(address) !== 0 && lists[familyOf(address)].check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

/** The key of one client in limits: an IPv4 address, or all 2^64 addresses of an IPv6 network. */
export function ipPrefix(address: string): string {
  return prefixOf(address, 64);
}

/** The key of all clients of one place: an IPv4 address, or the 65,536 networks of an IPv6 /48 that one owner can have. */
export function siteOf(address: string): string {
  return prefixOf(address, 48);
}

function prefixOf(address: string, bits: number): string {
  if (!isIPv6(address)) return address;
  const [before = [], after = []] = address
    .toLowerCase()
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const gap = Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(gap).fill("0"), ...after].slice(0, bits / 16);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/${bits}`;
}
