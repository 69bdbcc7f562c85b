// Limits of a real service for clients that are slow, too frequent or use a foreign host name.
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelDefaults } from "../src/domain/channel/channel.ts";
import { serverLimits } from "../src/http/limited-server.ts";
import type { Log } from "../src/lib/log.ts";
import { createKey } from "./support/acts.ts";
import { type DashboardFixture, openDashboardFixture } from "./support/dashboard.ts";
import { waitFor } from "./support/wait-for.ts";

let world: DashboardFixture;
let base: string;
const logged: string[] = [];
beforeAll(async () => {
  const write = (facts: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  world = await openDashboardFixture({
    env: { METRICS_PORT: "0", TRUSTED_PROXIES: "127.0.0.1/32" },
    log,
  });
  base = `/workspaces/${world.service.workspaceId}`;
});
afterAll(() => world.close());

/** Sends the text and nothing more; resolves with what the server wrote until it closed the connection. */
function hold(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname, () => socket.write(text));
  return new Promise((resolve, reject) => {
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

/** The body of a response that is a problem document. */
function problemOf(answer: string): unknown {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toContain("application/problem+json");
  expect(head).toMatch(/^X-Request-Id: /im);
  return JSON.parse(body);
}

describe("heads that are refused", () => {
  const close = "Connection: close\r\n\r\n";
  test.each([
    ["no HTTP", 400, "HELLO\r\n\r\n"],
    ["an invalid header", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA b: c\r\n\r\n"],
    ["no host", 400, `GET /x HTTP/1.1\r\n${close}`],
    ["a host that is none", 400, `GET /x HTTP/1.1\r\nHost: a b\r\n${close}`],
    ["a head that is too long", 431, `GET /metrics?${"x".repeat(40_000)} HTTP/1.1\r\n`],
  ])(
    "%s is answered with a problem document of status %i, on both ports",
    async (_, status, text) => {
      for (const url of [world.service.url, String(world.service.metricsUrl)]) {
        const answer = await hold(url, text);
        expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`));
        expect(problemOf(answer)).toMatchObject({ status, detail: expect.any(String) });
      }
    },
  );

  test("a target that makes no URL is one of them", async () => {
    const answer = await hold(
      world.service.url,
      `GET /\\evil HTTP/1.1\r\nHost: localhost\r\n${close}`,
    );
    expect(problemOf(answer)).toMatchObject({ status: 400, code: "malformed_request" });
  });

  test("a query that is too long for the API is told from a head that is", async () => {
    const target = `/api/v1/apps?${"x".repeat(20_000)}`;
    const authorization = `Authorization: Bearer ${world.service.key}\r\n`;
    const answer = await hold(
      world.service.url,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${authorization}${close}`,
    );
    expect(problemOf(answer)).toMatchObject({ status: 400, code: "invalid_parameter" });
  });
});

describe("a client that does not go on", () => {
  // With Node's own interval the servers would look for the first time after this test has failed.
  const timeoutMs = serverLimits.headersTimeoutMs + 8_000;

  test("loses its connection once its time is up, on both ports", {
    timeout: timeoutMs,
  }, async () => {
    const halfHead = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    const urls = [world.service.url, String(world.service.metricsUrl)];
    const answers = await Promise.all(urls.map((url) => hold(url, halfHead)));
    for (const answer of answers) {
      expect(answer).toContain("408 Request Timeout");
      expect(problemOf(answer)).toMatchObject({ status: 408, code: "request_timeout" });
    }
  });

  test("is no failure of the service when it breaks off a body", async () => {
    const head = "POST /console/api/session/sign-in HTTP/1.1\r\nHost: localhost\r\n";
    const fields =
      "Origin: http://localhost\r\nContent-Type: application/json\r\nContent-Length: 99";
    const { hostname, port } = new URL(world.service.url);
    const socket = net.connect(Number(port), hostname, () =>
      socket.write(`${head}${fields}\r\nExpect: 100-continue\r\n\r\n{`),
    );
    // The server has the head, and waits for the body.
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await waitFor(() => logged.find((line) => line.includes("broke off")), {
      withinMs: 5_000,
      what: () => `a line about the body in ${logged.slice(-3).join("")}`,
    });
    expect(logged.filter((line) => line.includes("a request failed"))).toEqual([]);
  });
});

test("an idle connection stays open longer than a reverse proxy keeps it, on both ports", async () => {
  const caddySeconds = 120;
  for (const url of [`${world.service.url}/healthz`, `${world.service.metricsUrl}/metrics`]) {
    const response = await fetch(url);
    await response.arrayBuffer();
    const [, seconds] = /timeout=(\d+)/.exec(response.headers.get("keep-alive") ?? "") ?? [];
    expect(Number(seconds)).toBeGreaterThan(caddySeconds);
  }
});

describe("beyond a hundred connections of one address", () => {
  const request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const urls = () => [world.service.url, String(world.service.metricsUrl)];
  const connectTo = (url: string) => (localAddress: string) => {
    const { hostname: host, port } = new URL(url);
    return net.connect({ port: Number(port), host, localAddress }).on("error", () => {});
  };
  const read = async (socket: net.Socket) => String((await once(socket, "data"))[0]);
  const fill = async (connect: (address: string) => net.Socket, address: string) => {
    const held = Array.from({ length: serverLimits.perClientMax }, () => connect(address));
    await Promise.all(held.map((socket) => once(socket, "connect")));
    return held;
  };

  test("a request is answered with 429, and others have theirs, on both ports", async () => {
    for (const url of urls()) {
      const connect = connectTo(url);
      const held = await fill(connect, "127.0.0.9");
      const extra = connect("127.0.0.9");
      extra.write(request);
      const answer = await read(extra);
      expect(answer).toMatch(/^HTTP\/1.1 429 .*^Connection: close\r$.*^Retry-After: 1\r$/ms);
      expect(problemOf(answer)).toMatchObject({ status: 429, code: "rate_limited" });
      await once(extra, "close");
      const other = connect("127.0.0.10");
      other.write(request);
      expect(await read(other)).not.toMatch(/^HTTP\/1.1 429/);
      for (const socket of [...held, other]) socket.destroy();
    }
  });

  test("a new one takes the place of the oldest idle one, on both ports", async () => {
    for (const url of urls()) {
      const connect = connectTo(url);
      const held = await fill(connect, "127.0.0.11");
      const answers = held.slice(0, 2).map((socket) => {
        socket.write(request);
        return read(socket);
      });
      await Promise.all(answers);
      const [oldest, next] = held;
      const closed = once(oldest?.resume() ?? new net.Socket(), "close");
      const extra = connect("127.0.0.11");
      extra.write(request);
      expect(await read(extra)).not.toMatch(/^HTTP\/1.1 429/);
      await closed;
      expect(next?.destroyed).toBe(false);
      for (const socket of [...held, extra]) socket.destroy();
    }
  });
});

describe("bodies", () => {
  const signIn = (body: unknown) => world.newClient().post("/session/sign-in", body);

  test("of whoever is not signed in are small, and those of others as large as they need", async () => {
    expect((await signIn({ email: "a@b.example", password: "x".repeat(5_000) })).status).toBe(413);
    const owner = await world.signIn({ email: "bodies@example.com" });
    const refused = await owner.post(`${base}/keys`, { name: "x".repeat(9_000) });
    expect([refused.status, refused.headers.get("connection")]).toEqual([413, "close"]);
    const channel = await owner.post(`${base}/channels`, { name: "x".repeat(9_000) });
    expect(channel.status).toBe(400);
  });

  test("with thousands of unknown fields get a short answer", async () => {
    const fields = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`k${i}`, 1]));
    const owner = await world.signIn({ email: "fields@example.com" });
    const response = await owner.post(`${base}/channels`, fields);
    expect(response.status).toBe(400);
    expect(response.json.fields).toHaveLength(20);
    expect(response.text.length).toBeLessThan(4_000);
    const query = Array.from({ length: 500 }, (_, i) => `k${i}=1`).join("&");
    const headers = { authorization: `Bearer ${world.service.key}` };
    const refused = await fetch(`${world.service.url}/api/v1/apps?${query}`, { headers });
    expect((await refused.json()) as unknown).toMatchObject({ errors: { length: 20 } });
  });
});

describe("a host name", () => {
  const statusFor = (host: string, path = "/console/api/session"): Promise<number> =>
    new Promise((resolve, reject) => {
      const options = { headers: { host, origin: `http://${host}` } };
      http
        .get(`${world.service.url}${path}`, options, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .on("error", reject);
    });

  test.each(["evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example"])(
    "%s, which is not ours, is refused",
    async (host) => expect(await statusFor(host)).toBe(403),
  );

  test.each(["127.0.0.1:8080", "localhost", "starpost.localhost:80", "[::1]:8080", "192.168.1.7"])(
    "%s can't be pointed here by somebody else, and is answered",
    async (host) => expect(await statusFor(host)).toBe(200),
  );

  test("is no matter to the read API, which nothing but a key opens", async () => {
    expect(await statusFor("starpost.internal", "/api/v1/apps")).toBe(401);
    expect(await statusFor("starpost.internal", "/healthz")).toBe(200);
  });
});

describe("limits by the minute", () => {
  test("a channel is tested ten times, whoever asks", async () => {
    const owner = await world.signIn({ email: "tester@example.com" });
    const input = { ...channelDefaults, name: "Tested", url: "http://127.0.0.1:9/hook" };
    const { channel } = (await owner.post(`${base}/channels`, input)).json;
    const member = await world.signIn({ email: "tester2@example.com", role: "member" });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const client = count % 2 === 0 ? owner : member;
      statuses.push((await client.post(`${base}/channels/${channel.id}/test`)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });

  test("whoever is not signed in has sixty bodies, before they are read", async () => {
    const headers = { "x-forwarded-for": "198.51.100.7" };
    const client = world.newClient();
    const statuses = new Map<number, number>();
    for (let count = 0; count < 62; count += 1) {
      const request = { method: "POST", body: { no: count }, headers };
      const { status } = await client.request("/session/sign-in", request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 400: 60, 429: 2 });
  });
});

test("pages that wait for the database keep no other workspace waiting", async () => {
  const { deps } = world.service;
  const workspaceId = await world.addWorkspace("Elsewhere");
  const { key } = await createKey({ ...deps, actor: "test" }, { workspaceId, name: "Key" });
  const owner = await world.signIn({ email: "slow@example.com" });
  const holder = new pg.Client(String(world.service.deps.config.databaseUrl));
  await holder.connect();
  await holder.query("begin; lock table invitations in access exclusive mode");
  const isWaiting = async (): Promise<boolean> => {
    const waiting = "select count(*)::int as count from pg_locks where not granted";
    return (await holder.query(waiting)).rows[0].count >= 2;
  };
  // Two at a time wait in the database, the others in the line of their workspace.
  const answers = Array.from({ length: 20 }, () => owner.get(`${base}/invitations`));
  await waitFor(isWaiting, { withinMs: 5_000, what: "pages that wait for the lock" });
  const apps = await fetch(`${world.service.url}/api/v1/apps`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(apps.status).toBe(200);
  await holder.query("commit");
  await holder.end();
  await Promise.all(answers);
});
