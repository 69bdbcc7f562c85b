import { expect, test } from "vitest";
import { MovableClock } from "../lib/clock.ts";
import type { Http, HttpAnswer } from "../lib/http.ts";
import { hourMs } from "../lib/timestamp.ts";
import type { Store, Unknown } from "../stores/store.ts";
import { paceHttp } from "./throttle.ts";

const ok = answer(200);

test("requests to one host come one after the other, at most at the set rate", async () => {
  const { clock, ask, sentAt } = paced(() => ok);
  await Promise.all([ask("a"), ask("a"), ask("a")]);
  expect(sentAt.map((at) => at - (sentAt[0] ?? 0))).toEqual([0, 500, 1_000]);
  expect(clock.now().getTime()).toBe(sentAt[2]);
});

test("hosts don't wait for each other", async () => {
  const { ask, sentAt } = paced(() => ok);
  await Promise.all([ask("a"), ask("b")]);
  expect(sentAt[0]).toBe(sentAt[1]);
});

test("after five blocks in a row the host rests an hour, then twice as long", async () => {
  let status = 403;
  const { clock, ask, sentAt } = paced(() => answer(status));
  for (let count = 0; count < 5; count += 1) await ask("a");
  expect(await ask("a")).toMatchObject({ kind: "failed", reason: "resting" });
  expect(sentAt).toHaveLength(5);

  clock.advance(hourMs);
  for (let count = 0; count < 5; count += 1) await ask("a");
  clock.advance(hourMs);
  expect(await ask("a")).toMatchObject({ reason: "resting" });

  clock.advance(hourMs);
  status = 200;
  expect(await ask("a")).toMatchObject({ status: 200 });
});

test("four blocks and an answer are no row", async () => {
  const statuses = [403, 429, 403, 403, 200, 403, 429, 403, 403, 200];
  const { ask } = paced(() => answer(statuses.shift() ?? 500));
  for (let count = 0; count < 10; count += 1)
    expect(await ask("a")).toMatchObject({ kind: "answer" });
});

test("a captcha inside a 200 counts as a block: only the store sees it there", async () => {
  const { watch, sentAt } = paced(() => ok);
  const store = watch(aStore({ ...unknown, blocked: true }));
  for (let count = 0; count < 5; count += 1) await store.fetchApp(asked);
  await store.fetchApp(asked);
  expect(sentAt).toHaveLength(5);
});

test("an account that is refused rests alone", async () => {
  let status = 403;
  const { watch, sentAt } = paced(() => answer(status));
  const refused = watch(aStore(unknown), "account-1");
  for (let count = 0; count < 6; count += 1) await refused.fetchApp(asked);
  expect(sentAt).toHaveLength(5);
  status = 200;
  await watch(aStore(unknown), "account-2").fetchApp(asked);
  await watch(aStore(unknown)).fetchApp(asked);
  expect(sentAt).toHaveLength(7);
  await refused.fetchApp(asked);
  expect(sentAt).toHaveLength(7);
});

test("once stopped, what waits in the row and what is on its way ends at once", async () => {
  const clock = new MovableClock(new Date("2026-03-01T00:00:00Z"));
  const never: Http = () => new Promise(() => {});
  const pace = { clock, delay: async () => {}, random: () => 0, requestsPerSecond: 1 };
  const { http, stop } = paceHttp(pace, never);
  const waiting = [1, 2, 3].map(() => http({ method: "GET", url: "https://a.test/" }));
  stop();
  for (const waited of await Promise.all(waiting)) {
    expect(waited).toMatchObject({ kind: "failed", detail: "the service is stopping" });
  }
});

const asked = { externalAppId: "1", region: "us" };
const unknown = { outcome: "unknown", reason: "", blocked: false, retryAfterMs: null } as const;

/** Asks one host once for each question, and says this of what it answered. */
function aStore(word: Unknown): (http: Http) => Store {
  const unused = (): never => {
    throw new Error("not asked here");
  };
  return (http) => ({
    id: "googleplay",
    async fetchApp() {
      await http({ method: "GET", url: "https://a.test/" });
      return word;
    },
    fetchReviews: unused,
    fetchRatings: unused,
    checkAppId: unused,
    readLink: unused,
    findApps: unused,
  });
}

function paced(respond: () => HttpAnswer): {
  clock: MovableClock;
  ask: (host: string) => Promise<HttpAnswer>;
  sentAt: number[];
  watch: (store: (http: Http) => Store, account?: string) => Store;
} {
  const clock = new MovableClock(new Date("2026-03-01T00:00:00Z"));
  const sentAt: number[] = [];
  const http: Http = async () => {
    sentAt.push(clock.now().getTime());
    return respond();
  };
  const delay = async (durationMs: number): Promise<void> => clock.advance(durationMs);
  const line = paceHttp({ clock, delay, random: () => 0, requestsPerSecond: 2 }, http);
  const { http: send } = line;
  return {
    clock,
    sentAt,
    watch: (store, account) => line.watch(store(send), account),
    ask: (host) => send({ method: "GET", url: `https://${host}.test/` }),
  };
}

function answer(status: number): HttpAnswer {
  return { kind: "answer", status, headers: {}, body: Buffer.alloc(0), url: "" };
}
