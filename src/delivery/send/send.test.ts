import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import { monotonicMs } from "../../lib/clock.ts";
import { openHostNames } from "./host-names.ts";
import { openSender } from "./send.ts";
import { openUrlPolicy } from "./url-check.ts";

// Nothing may ever connect to it: it listens where the guard has to stop us.
let forbidden: Receiver;
let allowed: Receiver;
let port: number;

beforeAll(async () => {
  forbidden = await openReceiver({ host: "127.0.0.2" });
  allowed = await openReceiver();
  port = forbidden.port;
});
afterAll(() => Promise.all([forbidden.close(), allowed.close()]));
beforeEach(() => allowed.reply({ kind: "status", status: 200 }));

const body = Buffer.from("{}");

type Answers = readonly (readonly string[])[];

/** One POST under the guard; a name resolves to one answer after the other. */
async function post(
  url: string,
  options: {
    allowHttp?: boolean;
    allowedCidrs?: readonly string[];
    answers?: Answers;
    timeoutMs?: number;
  } = {},
) {
  const { allowHttp = true, allowedCidrs = ["127.0.0.1/32"], answers = [[]] } = options;
  const { timeoutMs = 2_000 } = options;
  const policy = openUrlPolicy({ allowHttp, allowedCidrs });
  const clock = new MovableClock(new Date("2026-03-01T00:00:00Z"));
  let queryCount = 0;
  const resolveDns = async () => answers[Math.min(queryCount++, answers.length - 1)] ?? [];
  const names = openHostNames({ clock, addresses: policy.addresses, resolveDns });
  const sender = openSender({ policy, names, timeoutMs });
  const posts = [];
  for (const _answer of answers) {
    posts.push(
      await sender.post({ target: sender.check(url), headers: [], body, isFresh: () => true }),
    );
    // Beyond what a name is kept for.
    clock.advance(60_000);
  }
  await sender.close();
  const last = posts.at(-1);
  return last?.kind === "answered" ? last : undefined;
}

test("an answer that came in time is in time, however late a busy process reads it", async () => {
  const timeoutMs = 200;
  const server = createServer((_request, response) => {
    response.end("in time");
    setImmediate(() => {
      const busyUntilMs = monotonicMs() + 2 * timeoutMs;
      while (monotonicMs() < busyUntilMs);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: ownPort } = server.address() as AddressInfo;
  const posted = await post(`http://127.0.0.1:${ownPort}/`, { timeoutMs });
  expect(posted).toMatchObject({ status: 200, isTimeout: false });
  server.close();
});

describe("no connection is made to", () => {
  test.each([
    ["a loopback address", () => `http://127.0.0.2:${port}/`],
    ["a short one", () => `http://127.2:${port}/`],
    ["a decimal one", () => `http://2130706434:${port}/`],
    ["a hexadecimal one", () => `http://0x7f.0.0.2:${port}/`],
    ["an octal one", () => `http://0177.0.0.2:${port}/`],
    ["one in Unicode digits", () => `http://①②⑦.0.0.②:${port}/`],
    ["one with a trailing dot", () => `http://127.0.0.2.:${port}/`],
    ["the unspecified address", () => `http://0.0.0.0:${port}/`],
    ["the unspecified address of IPv6", () => `http://[::]:${port}/`],
    ["a mapped metadata address", () => `http://[::ffff:169.254.169.254]:${port}/`],
    ["a mapped one", () => `http://[::ffff:127.0.0.2]:${port}/`],
    ["one behind a user name", () => `http://good@127.0.0.2:${port}/`],
  ])("%s", async (_what, url) => {
    const posted = await post(url());
    expect(posted).toMatchObject({ status: null, isTimeout: false });
    expect(posted?.reason).toMatch(/WEBHOOK_ALLOWED_CIDRS|user name/);
    expect(forbidden.connectionCount()).toBe(0);
  });

  test.each<[string, Answers]>([
    ["a name with a private address", [["127.0.0.2"]]],
    ["a name with an allowed and a private address", [["127.0.0.1", "127.0.0.2"]]],
    ["a name that moves to a private address after it was used", [["127.0.0.1"], ["127.0.0.2"]]],
  ])("%s", async (_what, answers) => {
    const posted = await post(`http://hooks.example.com:${port}/`, { answers });
    expect(posted?.reason).toContain("hooks.example.com: the address 127.0.0.2 is not public");
    expect(forbidden.connectionCount()).toBe(0);
  });

  test("a name whose only address is a private one of IPv6", async () => {
    const posted = await post("http://hooks.example.com/", { answers: [["fd00::7"]] });
    expect(posted?.reason).toContain("hooks.example.com: the address fd00::7 is not public");
  });

  test.each(["localhost", "localhost."])("this host as %s unless it is allowed", async (host) => {
    const before = allowed.connectionCount();
    const posted = await post(`http://${host}:${allowed.port}/`, { allowedCidrs: [] });
    expect(posted).toMatchObject({ status: null, isTimeout: false });
    expect(posted?.reason).toContain("WEBHOOK_ALLOWED_CIDRS");
    expect(allowed.connectionCount()).toBe(before);
  });

  test("plain http unless it is allowed, and the reason names the setting", async () => {
    const before = allowed.connectionCount();
    const posted = await post(allowed.url, { allowHttp: false });
    expect(posted?.reason).toContain("WEBHOOK_ALLOW_HTTP");
    expect(allowed.connectionCount()).toBe(before);
  });

  test.each([301, 302, 303, 307, 308])("the target of a redirect by %i", async (status) => {
    const headers = { location: forbidden.url };
    allowed.reply({ kind: "status", status, headers });
    const posted = await post(allowed.url);
    const reason = `HTTP ${status}: redirects are not followed, and this one leads to http://127.0.0.2:${port}…`;
    expect(posted).toMatchObject({ status, reason });
    expect(forbidden.connectionCount()).toBe(0);
  });

  test("a proxy of the environment", async () => {
    const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"];
    for (const name of names) process.env[name] = `http://127.0.0.2:${port}`;
    try {
      expect((await post(allowed.url))?.status).toBe(200);
    } finally {
      for (const name of names) delete process.env[name];
    }
    expect(forbidden.connectionCount()).toBe(0);
  });
});

describe("a connection is made to", () => {
  test("a name whose every address may be reached", async () => {
    const url = `http://hooks.example.com:${allowed.port}/`;
    expect(await post(url, { answers: [["127.0.0.1"]] })).toMatchObject({ status: 200 });
  });

  test("this host by its own name, when its address is allowed", async () => {
    expect((await post(`http://localhost:${allowed.port}/`))?.status).toBe(200);
  });
});

test("a name that can't be resolved says so", async () => {
  const posted = await post("http://hooks.example.com/");
  expect(posted?.reason).toBe("the host name hooks.example.com can't be resolved");
});

test.each([
  ["/sign-in?next=/hook/s3cret", "/sign-in"],
  ["https://hooks.example.com/hook/s3cret", "https://hooks.example.com…"],
  ["/hook/s3cret/", "…/"],
  ["https://hooks.example.com/a\u202eb", "https://hooks.example.com/a%E2%80%AEb"],
])(
  "a redirect to %s shows where it leads, and never the path of the URL",
  async (location, shown) => {
    allowed.reply({ kind: "status", status: 308, headers: { location: encodeURI(location) } });
    const { reason } = (await post(`${new URL(allowed.url).origin}/hook/s3cret`)) ?? {};
    expect(reason).toBe(`HTTP 308: redirects are not followed, and this one leads to ${shown}`);
    expect(reason).not.toContain("s3cret");
  },
);

test.each([304, 305, 399])("%i leads nowhere, and is not called a redirect", async (status) => {
  allowed.reply({ kind: "status", status, headers: { location: "/elsewhere" } });
  expect(await post(allowed.url)).toMatchObject({ status, reason: `HTTP ${status}` });
});

test.each([
  ["resets", (socket: Socket) => socket.resetAndDestroy()],
  ["closes", (socket: Socket) => socket.end()],
])(
  "a request over a used connection that the other side %s was not read, and its repeat takes a new one",
  async (_, end) => {
    let connectionCount = 0;
    // Each connection is answered over once.
    let isAnswering = true;
    const used = new WeakSet<Socket>();
    const server = createServer(({ socket }, response) => {
      if (used.has(socket) || !isAnswering) return void end(socket);
      used.add(socket);
      response.writeHead(204).end();
    });
    server.on("connection", () => {
      connectionCount += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const policy = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.1/32"] });
    const names = { resolve: async () => ({ kind: "failed", reason: "" }) as const };
    const sender = openSender({ policy, names, timeoutMs: 2_000 });
    const target = sender.check(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const send = (isRepeat = false) =>
      sender.post({ target, headers: [], body, isFresh: () => true, isRepeat });
    // Two at once make two connections.
    expect(await Promise.all([send(), send()])).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect(await send()).toMatchObject({
      status: null,
      isUnread: true,
      reason: expect.stringContaining("it had been idle, so the delivery is sent again at once"),
    });
    // The other connection would end under it as well.
    expect(await send(true)).toMatchObject({ status: 204 });
    expect(connectionCount).toBe(3);
    // A new connection that ends without an answer is a failure.
    isAnswering = false;
    expect(await send(true)).toMatchObject({ status: null, isUnread: false });
    expect(connectionCount).toBe(4);
    await sender.close();
    await new Promise((resolve) => server.close(resolve));
  },
);

test("a request whose connection comes after the deadline is never sent", async () => {
  const late = await openReceiver();
  const policy = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.1/32"] });
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const found = { kind: "found", addresses: ["127.0.0.1"] } as const;
  const names = { resolve: () => gate.then(() => found) };
  const sender = openSender({ policy, names, timeoutMs: 50 });
  const url = `http://hooks.example.com:${late.port}/`;
  const posted = await sender.post({
    target: sender.check(url),
    headers: [],
    body,
    isFresh: () => true,
  });
  expect(posted).toMatchObject({ status: null, isTimeout: true });
  open();
  await late.waitForEnded(1);
  expect(late.requests).toEqual([]);
  await sender.close();
  await late.close();
});

test("proxies of the environment are not used", async () => {
  for (const name of ["http_proxy", "HTTP_PROXY", "all_proxy", "NODE_USE_ENV_PROXY"]) {
    vi.stubEnv(name, name.startsWith("NODE") ? "1" : `http://127.0.0.2:${port}`);
  }
  expect(await post(`http://127.0.0.1:${allowed.port}/`)).toMatchObject({ status: 200 });
  vi.unstubAllEnvs();
  expect(forbidden.connectionCount()).toBe(0);
});
