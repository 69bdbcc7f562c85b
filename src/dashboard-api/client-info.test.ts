// Who asks, as far as a request tells: addresses behind proxies, our own pages, and cookies over TLS.
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { clientInfo, ipPrefix, requireSameSite } from "./client-info.ts";
import { createSessionCookie } from "./session/session-cookie.ts";
import { securityHeaders } from "../http/security-headers.ts";

const app = new Hono();
app.get("/caller", (context) => context.json(clientInfo(context)));

async function callerFrom(peer: string, headers: Record<string, string>) {
  const env = { incoming: { socket: { remoteAddress: peer } } };
  return (await app.request("http://starpost.test/caller", { headers }, env)).json();
}

describe("the address of a caller", () => {
  test.each([
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:172.18.0.2", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
    ["::1", "2001:db8::7", "2001:db8::7"],
    ["10.1.2.3", "<script>", "10.1.2.3"],
    ["10.1.2.3", "", "10.1.2.3"],
  ])("of peer %s with X-Forwarded-For %j is %s", async (peer, forwarded, address) => {
    const headers = forwarded ? { "x-forwarded-for": forwarded } : {};
    expect(await callerFrom(peer, headers)).toMatchObject({ address });
  });

  test("comes with the browser's name, cut and printable", async () => {
    const { browser } = (await callerFrom("::1", { "user-agent": "B".repeat(400) })) as {
      browser: string;
    };
    expect(browser).toHaveLength(300);
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

describe("a request that changes something", () => {
  const own = new Hono();
  own.post("/", (context) => {
    requireSameSite(context, "https://reviews.example.com");
    return context.text("done");
  });
  own.onError((error, context) => context.text(error.message, 403));
  const statusOf = async (headers: Record<string, string>) => {
    const all = { host: "127.0.0.1:8080", ...headers };
    return (await own.request("http://127.0.0.1:8080/", { method: "POST", headers: all })).status;
  };

  test.each([
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ origin: "https://reviews.example.com" }, 200],
    [{ origin: "http://127.0.0.1:8080" }, 200],
    [{ origin: "https://reviews.example.com.evil.example" }, 403],
    [{ origin: "http://127.0.0.1:8081" }, 403],
    [{ "sec-fetch-site": "none" }, 403],
    [{ "sec-fetch-site": "cross-site", origin: "https://reviews.example.com" }, 403],
    [{}, 403],
  ])("with %o is answered %i", async (headers, status) => {
    expect(await statusOf(headers as Record<string, string>)).toBe(status);
  });
});

test("over TLS the cookie is Secure and for this host alone, and the host stays on TLS", () => {
  const cookie = createSessionCookie("https://reviews.example.com").write("t".repeat(43), 60_000);
  expect(cookie).toBe(
    `__Host-starpost=${"t".repeat(43)}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
  );
  expect(createSessionCookie(null).write(null, 60_000)).toContain("starpost=; Path=/; Max-Age=0");
  const headers = securityHeaders("https://reviews.example.com");
  expect(headers["Strict-Transport-Security"]).toBe("max-age=31536000");
  expect(securityHeaders(null)).not.toHaveProperty("Strict-Transport-Security");
});
