// The proxy to the outside: what is sent through it, what is not, and that addresses are checked before.
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hasIpv6 } from "../../test/support/ipv6.ts";
import { patience } from "../../test/support/patience.ts";
import { openSender } from "../delivery/send/send.ts";
import { openUrlPolicy } from "../delivery/send/url-check.ts";
import { openHttpClient } from "./http-client.ts";

let requests: string[];
let status = 200;
let answerHeaders: Record<string, string>;
let page = "";
const target = http.createServer((_, response) => response.writeHead(204).end());
// A forward proxy that reaches every name at the one server of this test.
const proxy = http.createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  response.writeHead(status, answerHeaders).end(page);
});
proxy.on("connect", (request, socket) => {
  requests.push(`CONNECT ${request.url}`);
  if (status !== 200) {
    const lines = Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
    return void socket.end(`HTTP/1.1 ${status} No\r\n${lines.join("")}\r\n${page}`);
  }
  const upstream = net.connect(portOf(target), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    upstream.pipe(socket).pipe(upstream);
  });
});
const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [target, proxy]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
});
afterAll(() => {
  for (const server of [target, proxy]) {
    server.close();
    server.closeAllConnections();
  }
});
beforeEach(() => {
  requests = [];
  status = 200;
  answerHeaders = {};
  page = "";
});

type Found =
  | { kind: "found"; addresses: string[] }
  | { kind: "failed" | "refused"; reason: string };

const policy = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.1/32", "::1/128"] });
const request = { headers: [], body: Buffer.from("{}"), isFresh: () => true };
const namesOf = (found: Found = { kind: "failed", reason: "" }) => ({ resolve: async () => found });

async function post(url: string, options: { found?: Found; except?: string[] } = {}) {
  const { found = { kind: "failed", reason: "" }, except = [] } = options;
  const names = namesOf(found);
  const settings = { url: `http://127.0.0.1:${portOf(proxy)}`, except };
  const sender = openSender({ policy, names, timeoutMs: patience(5_000), proxy: settings });
  const posted = await sender.post({ target: sender.check(url), ...request });
  await sender.close();
  return posted.kind === "answered" ? posted : null;
}

test("webhooks go through it, also where only it resolves their names", async () => {
  expect((await post("http://hooks.example.com/hook"))?.status).toBe(200);
  expect(requests).toEqual(["POST http://hooks.example.com/hook"]);
  await post("https://hooks.example.com/hook");
  expect(requests[1]).toBe("CONNECT hooks.example.com:443");
});

test("an address that may not be reached is refused before it is asked", async () => {
  const refused = { kind: "refused", reason: "hooks.example.com: not public" } as const;
  expect(await post("https://hooks.example.com/", { found: refused })).toMatchObject({
    ...{ status: null, reason: "hooks.example.com: not public" },
  });
  expect((await post("https://10.0.0.1/"))?.reason).toContain("is not public");
  expect(requests).toEqual([]);
});

test("excepted hosts are reached without it, and those below a dot", async () => {
  const found = { kind: "found", addresses: ["127.0.0.1"] } as const;
  for (const [host, except] of [
    ["hooks.corp.example", ["hooks.corp.example"]],
    ["hooks.corp.example", [".corp.example"]],
  ] as const) {
    const url = `http://${host}:${portOf(target)}/`;
    const posted = await post(url, {
      found: { ...found, addresses: [...found.addresses] },
      except: [...except],
    });
    expect(posted?.status).toBe(204);
  }
  expect(requests).toEqual([]);
});

describe("a proxy that can't be used is named, at once, whatever is behind it", () => {
  const onSocket: Record<string, (socket: net.Socket) => void> = {
    "closes the connection": (socket) => socket.destroy(),
    "speaks another protocol": (socket) => socket.end("SSH-2.0-other\r\n"),
    "never answers": () => {},
    "is not there": () => {},
  };
  const schemes = ["http", "https"];
  const cases = Object.keys(onSocket).flatMap((fault) => schemes.map((scheme) => [fault, scheme]));

  test.each(cases)("one that %s, for %s", async (fault = "", scheme = "") => {
    let connectionCount = 0;
    const broken = net.createServer((socket) => {
      connectionCount += 1;
      socket.on("error", () => {});
      onSocket[fault]?.(socket);
      onTestFinished(() => void socket.destroy());
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const { port } = broken.address() as AddressInfo;
    if (fault === "is not there") broken.close();
    onTestFinished(() => void broken.close());
    const settings = { url: `http://127.0.0.1:${port}`, except: [] };
    const timeoutMs = 1_000;
    const url = `${scheme}://hooks.example.com/hook`;

    const sender = openSender({ policy, names: namesOf(), timeoutMs, proxy: settings });
    const posted = await sender.post({ target: sender.check(url), ...request });
    const client = openHttpClient({ totalTimeoutMs: timeoutMs, proxy: settings });
    const got = await client.http({ method: "GET", url });
    await Promise.all([sender.close(), client.close()]);

    const isNamed = fault !== "never answers" && (scheme === "https" || fault === "is not there");
    const reason = isNamed ? expect.stringMatching(/^OUTGOING_PROXY /) : expect.any(String);
    expect(posted).toMatchObject({ status: null, reason });
    expect(got).toMatchObject({ kind: "failed", detail: reason });
    expect(connectionCount).toBeLessThan(20);
  });
});

test.each([
  [407, "OUTGOING_PROXY doesn't accept the credentials (HTTP 407)"],
  [502, "OUTGOING_PROXY answers HTTP 502"],
])("its refusal by %i is named", async (answer, reason) => {
  status = answer;
  expect(await post("https://hooks.example.com/")).toMatchObject({ status: null, reason });
  if (answer === 407)
    expect(await post("http://hooks.example.com/")).toMatchObject({ status: null, reason });
});

const squidPage = `<html><title>ERROR: The requested URL could not be retrieved</title><body id="ERR_DNS_FAIL">
<blockquote id="data"><pre>Name Error: The domain name does not exist.</pre></blockquote>`;

test.each([
  [
    { "X-Squid-Error": "ERR_DNS_FAIL 0" },
    squidPage,
    "it can't resolve the host name: Name Error: The domain name does not exist.",
  ],
  [{ "X-Squid-Error": "ERR_ACCESS_DENIED 0" }, "", "its rules don't allow this host or port"],
  [{ "X-Squid-Error": "ERR_NEW_PAGE 0" }, "", "ERR_NEW_PAGE"],
  [
    { "Proxy-Status": 'proxy.example; error=dns_error; rcode="NXDOMAIN"; details="no such name"' },
    "",
    "dns error (no such name)",
  ],
  [{}, "<title>500 Unable to connect</title>", "500 Unable to connect"],
])("the reason of its answer is kept: %j", async (headers, body, reason) => {
  status = 503;
  answerHeaders = headers;
  page = body;
  const tunnelled = await post("https://hooks.example.com/");
  expect(tunnelled?.reason).toBe(`OUTGOING_PROXY answers HTTP 503: ${reason}`);
  const hasHeader = Object.keys(headers).length > 0;
  const plain = await post("http://hooks.example.com/");
  const [words = ""] = reason.split(": ");
  const expected = hasHeader ? `OUTGOING_PROXY answers HTTP 503: ${words}` : "HTTP 503";
  expect(plain).toMatchObject({ status: 503, reason: expected });
  const client = openHttpClient({
    proxy: { url: `http://127.0.0.1:${portOf(proxy)}`, except: [] },
  });
  const got = await client.http({ method: "GET", url: "http://stores.example.com/" });
  expect(got).toMatchObject(hasHeader ? { kind: "failed", detail: expected } : { status: 503 });
  await client.close();
});

test.skipIf(!hasIpv6())("excepted IPv6 addresses count with and without brackets", async () => {
  for (const except of ["[::1]", "::1"]) {
    expect((await post("http://[::1]:9/", { except: [except] }))?.reason).toContain("refused");
  }
  expect(requests).toEqual([]);
});

test("stores and providers go through it, and this machine does not", async () => {
  const client = openHttpClient({
    proxy: { url: `http://127.0.0.1:${portOf(proxy)}`, except: [] },
  });
  const get = (url: string) => client.http({ method: "GET", url });
  expect(await get("http://stores.example.com/robots.txt")).toMatchObject({ status: 200 });
  expect(await get(`http://127.0.0.1:${portOf(target)}/`)).toMatchObject({ status: 204 });
  expect(requests).toEqual(["GET http://stores.example.com/robots.txt"]);
  await client.close();
});
