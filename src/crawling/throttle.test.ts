import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MovableClock } from "../../test/support/movable-clock.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import type { Http, HttpResult } from "../lib/http.ts";
import { hourMs, minuteMs } from "../lib/timestamp.ts";
import type { Store, UnknownOutcome } from "../stores/store.ts";
import { throttleHttp } from "./throttle.ts";

const ok = answer(200);
const unknown = { outcome: "unknown", reason: "", blocked: false, retryAfterMs: null } as const;

let context: TestContext;
beforeEach(async () => {
  context = await openTestContext();
});
afterEach(() => context.close());

test("requests to one host come one after the other, at most at the set rate", async () => {
  const { clock, send, sentAt } = throttled(() => ok);
  await Promise.all([send("a"), send("a"), send("a")]);
  expect(sentAt.map((at) => at - (sentAt[0] ?? 0))).toEqual([0, 500, 1_000]);
  expect(clock.now().getTime()).toBe(sentAt[2]);
});

test("callers and crawls take turns, and a caller that has left sends nothing", async () => {
  const sentPaths: string[] = [];
  const left = new AbortController();
  const http: Http = async ({ url }) => {
    sentPaths.push(new URL(url).pathname);
    if (sentPaths.length === 3) left.abort();
    return ok;
  };
  const { database: hosts } = context;
  const clock = new MovableClock(new Date("2026-03-01T00:00:00Z"));
  const delay = async (durationMs: number): Promise<void> => clock.advance(durationMs);
  const options = { clock, delay, random: () => 0, requestsPerSecond: 2, hosts };
  const throttled = throttleHttp(options, http);
  const send = (path: string) => throttled.http({ method: "GET", url: `https://a.test/${path}` });
  const sending = (...paths: string[]): Store => ({
    ...aStore(unknown)(http),
    fetchApp: async () => {
      await Promise.all(paths.map(send));
      return unknown;
    },
  });
  const fetchAs = (workspaceId: string, store: Store, { signal } = new AbortController()) =>
    throttled.forCaller({ store }, { workspaceId, signal }).store.fetchApp(app);
  const crawls = ["crawl/1", "crawl/2"].map(send);
  const many = fetchAs("many", sending("many/1", "many/2", "many/3"), left);
  await Promise.all([...crawls, many, fetchAs("other", sending("other/1", "other/2"))]);
  expect(sentPaths).toEqual(["/crawl/1", "/many/1", "/other/1", "/crawl/2", "/other/2"]);
});

test("a request that is no longer wanted when its turn comes is not sent", async () => {
  const sentPaths: string[] = [];
  const { database: hosts, clock } = context;
  const delay = async (durationMs: number): Promise<void> => clock.advance(durationMs);
  const http: Http = async ({ url }) => {
    sentPaths.push(new URL(url).pathname);
    return ok;
  };
  const options = { clock, delay, random: () => 0, requestsPerSecond: 2, hosts };
  const throttled = throttleHttp(options, http);
  const untilMs = clock.now().getTime() + 700;
  const isStillWanted = (): boolean => clock.now().getTime() < untilMs;
  const answers = await Promise.all(
    ["/1", "/2", "/3"].map((path) =>
      throttled.http({ method: "POST", url: `https://a.test${path}`, isStillWanted }),
    ),
  );
  expect(sentPaths).toEqual(["/1", "/2"]);
  expect(answers[2]).toMatchObject({ kind: "failed", reason: "not_sent" });
});

test("a caller waits five seconds for a store that doesn't answer, and crawls longer", async () => {
  vi.useFakeTimers();
  const { database: hosts, clock } = context;
  const silent: Http = () => new Promise(() => {});
  const options = { clock, delay: async () => {}, random: () => 0, requestsPerSecond: 2, hosts };
  const throttled = throttleHttp(options, silent);
  const waiting = async () => {
    await silent({ method: "GET", url: "https://a.test/" });
    return unknown;
  };
  const store: Store = { ...aStore(unknown)(silent), fetchApp: waiting, findApps: waiting };
  const { signal } = new AbortController();
  const called = throttled.forCaller({ store }, { workspaceId: "one", signal }).store;
  const answers = Promise.all([called.fetchApp(app), called.findApps({ term: "a", region: "us" })]);
  const crawled = vi.fn();
  void store.fetchApp(app).then(crawled);
  await vi.advanceTimersByTimeAsync(5_000);
  const late = { outcome: "unknown", reason: "the store did not answer within 5 seconds" };
  expect(await answers).toMatchObject([late, late]);
  expect(crawled).not.toHaveBeenCalled();
  vi.useRealTimers();
});

test("hosts don't wait for each other", async () => {
  const { send, sentAt } = throttled(() => ok);
  await Promise.all([send("a"), send("b")]);
  expect(sentAt[0]).toBe(sentAt[1]);
});

test("after five blocks in a row its circuit breaker is open for an hour, then twice as long", async () => {
  let status = 403;
  const { clock, send, sentAt } = throttled(() => answer(status));
  for (let count = 0; count < 5; count += 1) await send("a");
  expect(await send("a")).toMatchObject({ kind: "failed", reason: "not_sent" });
  expect(sentAt).toHaveLength(5);

  clock.advance(hourMs);
  for (let count = 0; count < 5; count += 1) await send("a");
  clock.advance(hourMs);
  expect(await send("a")).toMatchObject({ reason: "not_sent" });

  clock.advance(hourMs);
  status = 200;
  expect(await send("a")).toMatchObject({ status: 200 });
});

test("four blocks and a response do not add up to five blocks in a row", async () => {
  const statuses = [403, 429, 403, 403, 200, 403, 429, 403, 403, 200];
  const { send } = throttled(() => answer(statuses.shift() ?? 500));
  for (let count = 0; count < 10; count += 1)
    expect(await send("a")).toMatchObject({ kind: "response" });
});

test("a captcha inside a 200 counts as a block: only the store sees it there", async () => {
  const { wrapStore, sentAt } = throttled(() => ok);
  const store = wrapStore(aStore({ ...unknown, blocked: true }));
  for (let count = 0; count < 5; count += 1) await store.fetchApp(app);
  await store.fetchApp(app);
  expect(sentAt).toHaveLength(5);
});

test("the blocks of an account count for it alone", async () => {
  let status = 403;
  const { wrapStore, sentAt } = throttled(() => answer(status));
  const refused = wrapStore(aStore(unknown), "account-1");
  for (let count = 0; count < 6; count += 1) await refused.fetchApp(app);
  expect(sentAt).toHaveLength(5);
  status = 200;
  await wrapStore(aStore(unknown), "account-2").fetchApp(app);
  await wrapStore(aStore(unknown)).fetchApp(app);
  expect(sentAt).toHaveLength(7);
  await refused.fetchApp(app);
  expect(sentAt).toHaveLength(7);
});

test("once stopped, what waits and what is in flight ends at once", async () => {
  const clock = new MovableClock(new Date("2026-03-01T00:00:00Z"));
  const never: Http = () => new Promise(() => {});
  const options = {
    clock,
    delay: async () => {},
    random: () => 0,
    requestsPerSecond: 1,
    hosts: context.database,
  };
  const { http, stop } = throttleHttp(options, never);
  const waiting = [1, 2, 3].map(() => http({ method: "GET", url: "https://a.test/" }));
  stop();
  for (const waited of await Promise.all(waiting)) {
    expect(waited).toMatchObject({ kind: "failed", detail: "the service is stopping" });
  }
});

test("two processes share the pace and the breaker of a host, and a restart keeps them", async () => {
  let status = 200;
  const { clock, send, sentAt, restart } = throttled(() => answer(status));
  const other = restart();
  for (const request of [send, other, send, other]) await request("a");
  expect(sentAt.map((at) => at - (sentAt[0] ?? 0))).toEqual([0, 500, 1_000, 1_500]);
  status = 403;
  for (let count = 0; count < 5; count += 1) await send("a");
  expect(await other("a")).toMatchObject({ reason: "not_sent" });
  expect(await restart()("a")).toMatchObject({ reason: "not_sent" });
  clock.advance(hourMs);
  status = 200;
  expect(await other("a")).toMatchObject({ status: 200 });
  expect(await send("a")).toMatchObject({ status: 200 });
});

test("a host that hangs is left alone for minutes", async () => {
  let response: HttpResult = { kind: "failed", reason: "timeout", detail: "" };
  const { clock, send } = throttled(() => response);
  for (let count = 0; count < 5; count += 1) await send("a");
  expect(await send("a")).toMatchObject({ reason: "not_sent" });
  clock.advance(5 * minuteMs);
  response = ok;
  expect(await send("a")).toMatchObject({ status: 200 });
});

test("blocks of one kind of request do not stop the others at that host", async () => {
  const { wrapStore, sentAt } = throttled(() => ok);
  const blocked = wrapStore(aStore({ ...unknown, blocked: true }));
  for (let count = 0; count < 6; count += 1) await blocked.fetchApp(app);
  expect(sentAt).toHaveLength(5);
  await blocked.fetchRatings(app);
  expect(sentAt).toHaveLength(6);
});

test.each([-hourMs, hourMs])("a clock that steps by %d ms delays no request", async (stepMs) => {
  const { clock, send, waitedMs } = throttled(() => ok);
  await send("a");
  clock.advance(stepMs);
  await send("a");
  await send("a");
  expect(Math.max(...waitedMs)).toBeLessThanOrEqual(500);
});

describe("beside others, an app", () => {
  const of = (externalAppId: string) => ({ externalAppId, region: "us" });
  const blocked = { ...unknown, blocked: true, reason: "Google Play refuses to answer (HTTP 403)" };

  test("that is refused stops itself alone", async () => {
    const { wrapStore, sentAt } = throttled(() => ok);
    const refused = wrapStore(aStore(blocked));
    const fine = wrapStore(aStore(unknown));
    for (let count = 0; count < 5; count += 1) {
      await refused.fetchApp(of("refused"));
      await fine.fetchApp(of(`fine-${count}`));
    }
    expect(sentAt).toHaveLength(10);
    await refused.fetchApp(of("refused"));
    expect(sentAt).toHaveLength(10);
    for (let count = 0; count < 20; count += 1) await fine.fetchApp(of(`fine-${count}`));
    expect(sentAt).toHaveLength(30);
  });

  test("that is refused alone does not stop the host, and three do", async () => {
    const { wrapStore, sentAt } = throttled(() => ok);
    const refused = wrapStore(aStore(blocked));
    for (let count = 0; count < 8; count += 1) await refused.fetchApp(of("one"));
    expect(sentAt).toHaveLength(5);
    await refused.fetchApp(of("two"));
    expect(sentAt).toHaveLength(6);
    await refused.fetchApp(of("three"));
    expect(sentAt).toHaveLength(7);
    await refused.fetchApp(of("four"));
    expect(sentAt).toHaveLength(7);
  });

  test("that hangs costs one time-out", async () => {
    const hang = { kind: "failed", reason: "timeout", detail: "" } as const;
    let response: HttpResult = hang;
    const { wrapStore, sentAt } = throttled(() => response);
    const store = wrapStore(aStore(unknown));
    for (let count = 0; count < 4; count += 1) await store.fetchApp(of("hangs"));
    expect(sentAt).toHaveLength(1);
    response = ok;
    await store.fetchApp(of("fine"));
    expect(sentAt).toHaveLength(2);
  });
});

test("a request that is held back names the app and the failure, and when it may be sent", async () => {
  const results: HttpResult[] = [];
  const { wrapStore } = throttled(() => answer(403));
  const store = wrapStore((http) => ({
    ...aStore(unknown)(http),
    async fetchApp() {
      results.push(await http({ method: "GET", url: "https://a.test/" }));
      return unknown;
    },
  }));
  for (let count = 0; count < 6; count += 1) await store.fetchApp(app);
  expect(results.at(-1)).toEqual({
    kind: "failed",
    reason: "not_sent",
    detail: expect.stringContaining("a.test failed several in a row (app 1: HTTP 403)"),
    retryAfterMs: hourMs,
  });
});

const app = { externalAppId: "1", region: "us" };

/** Sends one request for each call and returns this outcome. */
function aStore(outcome: UnknownOutcome): (http: Http) => Store {
  const unused = (): never => {
    throw new Error("not app here");
  };
  return (http) => ({
    id: "googleplay",
    async fetchApp() {
      await http({ method: "GET", url: "https://a.test/" });
      return outcome;
    },
    async fetchRatings() {
      await http({ method: "GET", url: "https://a.test/" });
      return outcome;
    },
    fetchReviews: unused,
    validateAppId: unused,
    parseLink: unused,
    findApps: unused,
  });
}

function throttled(respond: () => HttpResult): {
  clock: MovableClock;
  send: (host: string) => Promise<HttpResult>;
  sentAt: number[];
  /** How long each wait was. */
  waitedMs: number[];
  /** Another process on the same database: sends a request. */
  restart: () => (host: string) => Promise<HttpResult>;
  wrapStore: (store: (http: Http) => Store, account?: string) => Store;
} {
  const clock = new MovableClock(new Date("2026-03-01T00:00:00Z"));
  const sentAt: number[] = [];
  const http: Http = async () => {
    sentAt.push(clock.now().getTime());
    return respond();
  };
  const waitedMs: number[] = [];
  // Waits of two processes overlap: each ends at its own moment.
  const delay = async (durationMs: number): Promise<void> => {
    waitedMs.push(durationMs);
    const end = clock.now().getTime() + durationMs;
    clock.set(new Date(Math.max(end, clock.now().getTime())));
  };
  const { database: hosts } = context;
  const options = { clock, delay, random: () => 0, requestsPerSecond: 2, hosts };
  const throttled = throttleHttp(options, http);
  const { http: sendRequest } = throttled;
  return {
    clock,
    sentAt,
    waitedMs,
    restart() {
      const other = throttleHttp(options, http);
      return (host) => other.http({ method: "GET", url: `https://${host}.test/` });
    },
    wrapStore: (store, account) => throttled.wrapStore(store(sendRequest), account),
    send: (host) => sendRequest({ method: "GET", url: `https://${host}.test/` }),
  };
}

function answer(status: number): HttpResult {
  return { kind: "response", status, headers: {}, body: Buffer.alloc(0), url: "" };
}
