import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestError } from "./http-request.ts";
import { Recovery } from "./recovery.ts";

let isOnline = true;
let isAway = true;
let retryAfterMs: number | undefined;
let sent: string[] = [];
let recovery: Recovery;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
  [isOnline, isAway, retryAfterMs, sent] = [true, true, undefined, []];
  recovery = new Recovery(() => isOnline);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const refused = (status: number) =>
  new RequestError({ status, code: "unknown", detail: `status ${status}`, retryAfterMs });

function read(key: string, signal = new AbortController().signal): Promise<string> {
  const attempt = async () => {
    sent.push(key);
    if (isAway) throw refused(503);
    return key;
  };
  const answer = recovery.run({ key, attempt, signal });
  answer.catch(() => undefined);
  return answer;
}

test("one read at a time asks again, with a growing distance, and all follow once it succeeds", async () => {
  const answers = ["a", "b", "c"].map((key) => read(key));
  await vi.advanceTimersByTimeAsync(3_000 + 12_500);
  expect(sent).toEqual(["a", "b", "c", "a", "b"]);
  expect(recovery.readFailure()?.message).toBe("Status 503");
  isAway = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await Promise.all(answers)).toEqual(["a", "b", "c"]);
  expect(sent.toSorted()).toEqual(["a", "a", "a", "b", "b", "b", "c", "c"].toSorted());
  expect(recovery.readFailure()).toBeNull();
});

test("Retry-After postpones the next attempt", async () => {
  retryAfterMs = 40_000;
  void read("a");
  await vi.advanceTimersByTimeAsync(39_999);
  expect(sent).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(["a", "a"]);
});

test("offline nothing is sent, and everything as soon as the connection is back", async () => {
  isOnline = false;
  const answers = ["a", "b"].map((key) => read(key));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent).toEqual(["a", "b"]);
  [isOnline, isAway] = [true, false];
  recovery.tryNow();
  expect(await Promise.all(answers)).toEqual(["a", "b"]);
});

test("what can't pass by itself fails at once", async () => {
  const attempt = () => Promise.reject(refused(404));
  const { signal } = new AbortController();
  await expect(recovery.run({ key: "a", attempt, signal })).rejects.toThrow("Status 404");
  expect(recovery.readFailure()).toBeNull();
});

test("a part that keeps failing hinders no other one", async () => {
  const { signal } = new AbortController();
  const broken = vi.fn(() => Promise.reject(refused(500)));
  void recovery.run({ key: "broken", attempt: broken, signal }).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  const answer = read("a");
  isAway = false;
  await vi.advanceTimersByTimeAsync(16_000);
  expect(await answer).toBe("a");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(broken.mock.calls.length).toBeLessThan(10);
  expect(recovery.readFailure()?.message).toBe("Status 500");
});

test("a read that is given up takes its message with it, unless another one replaces it", async () => {
  const first = new AbortController();
  void read("a", first.signal);
  await vi.advanceTimersByTimeAsync(0);
  const messages: (string | undefined)[] = [];
  recovery.subscribe(() => messages.push(recovery.readFailure()?.message));
  const second = new AbortController();
  first.abort();
  void read("a", second.signal);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messages).toEqual(["Status 503"]);
  second.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messages.at(-1)).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
