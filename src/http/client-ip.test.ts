import { createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { createClientIp, ipPrefix, siteOf, watchForwarded } from "./client-ip.ts";

const proxies = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "::1/128"];

async function addressOf(request: {
  peer: string;
  forwarded: string;
  trustedProxies: readonly string[];
}): Promise<string> {
  const clientIp = createClientIp(request.trustedProxies);
  const app = new Hono().get("/", (context) => context.text(clientIp(context)));
  const headers = request.forwarded ? { "x-forwarded-for": request.forwarded } : {};
  const incoming = { headers, socket: { remoteAddress: request.peer } };
  return (await app.request("http://starpost.test/", {}, { incoming })).text();
}

describe("the address of a client", () => {
  test.each([
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:172.18.0.2", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
    ["::1", "2001:db8::7", "2001:db8::7"],
    ["10.1.2.3", "203.0.113.5:41234", "203.0.113.5"],
    ["10.1.2.3", "[2001:db8::7]:4444", "2001:db8::7"],
    ["10.1.2.3", "[2001:db8::7]", "2001:db8::7"],
    ["10.1.2.3", "[::ffff:203.0.113.5]:80", "203.0.113.5"],
    ["10.1.2.3", "198.51.100.1, 203.0.113.5:41234", "203.0.113.5"],
    ["10.1.2.3", "203.0.113.5:41234, 10.0.0.7:80", "203.0.113.5"],
    ["10.1.2.3", "203.0.113.5:port", "10.1.2.3"],
    ["10.1.2.3", "fe80::1%eth0", "10.1.2.3"],
    ["10.1.2.3", "<script>", "10.1.2.3"],
    ["10.1.2.3", "", "10.1.2.3"],
  ])("of peer %s with X-Forwarded-For %j is %s", async (peer, forwarded, address) => {
    expect(await addressOf({ peer, forwarded, trustedProxies: proxies })).toBe(address);
  });

  test.each([
    ["behind two trusted proxies is the one before them", "192.0.2.66, 198.51.100.1, 10.0.0.7"],
    ["is not read past what no address can be", "192.0.2.66, unknown, 198.51.100.1"],
    ["may be an IPv4 address inside IPv6", "::ffff:198.51.100.1"],
  ])("%s", async (_, forwarded) => {
    const address = await addressOf({ peer: "127.0.0.1", forwarded, trustedProxies: proxies });
    expect(address).toBe("198.51.100.1");
  });

  test.each(["127.0.0.1", "10.1.2.3", "::1", "203.0.113.9"])(
    "without trusted proxies is the peer %s, whatever the header says",
    async (peer) => {
      const forwarded = "198.51.100.1";
      expect(await addressOf({ peer, forwarded, trustedProxies: [] })).toBe(peer);
    },
  );
});

test("no text in the header breaks the reading", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...'0:.[]%,f "x'), { maxLength: 20 }),
      async (parts) => {
        const forwarded = parts.join("");
        const address = await addressOf({ peer: "::1", forwarded, trustedProxies: proxies });
        expect(isIP(address)).not.toBe(0);
      },
    ),
  );
});

describe("a trusted proxy whose header is not read is reported once", () => {
  async function reportsOf(headers: Record<string, string>, trustedProxies = proxies) {
    const server = createServer((_, response) => response.end());
    const reports: { name: string; value: string }[] = [];
    watchForwarded(server, { trustedProxies, onUnread: (header) => reports.push(header) });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    for (let count = 0; count < 2; count += 1)
      await fetch(`http://127.0.0.1:${port}/`, { headers });
    server.closeAllConnections();
    server.close();
    return reports;
  }

  test.each([
    ["X-Forwarded-For", "203.0.113.5, unknown"],
    ["Forwarded", "for=203.0.113.5;proto=https"],
    ["X-Real-IP", "203.0.113.5"],
  ])("%s: %s", async (name, value) => {
    expect(await reportsOf({ [name]: value })).toEqual([{ name, value }]);
    expect(await reportsOf({ [name]: value }, ["192.0.2.0/24"])).toEqual([]);
  });

  test("one that is read, or none, is not", async () => {
    expect(await reportsOf({ "X-Forwarded-For": "unknown, 203.0.113.5:80" })).toEqual([]);
    expect(await reportsOf({})).toEqual([]);
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:0:7:aaaa::1", "2001:db8:0:7::/64"],
  ["2001:DB8::7:bbbb:0:0:2", "2001:db8:0:7::/64"],
  ["2001:0db8:0000:0007:1:2:3:4", "2001:db8:0:7::/64"],
  ["::1", "0:0:0:0::/64"],
])("address %s is counted as %s", (address, network) => {
  expect(ipPrefix(address)).toBe(network);
});

test("a site is an IPv4 address, or an IPv6 /48", () => {
  expect(["192.0.2.7", "2001:db8:0:ff::1", "2001:db8::"].map(siteOf)).toEqual([
    "192.0.2.7",
    "2001:db8:0::/48",
    "2001:db8:0::/48",
  ]);
});
