// The line in which passwords are hashed: no client fills it for others, and clients that disconnect lose their place.
import { expect, test } from "vitest";
import { createPasswordQueue, type PasswordTurn } from "./password-queue.ts";

const limits = { runningMax: 1, waitingMax: 4, waitingPerNetworkMax: 2, waitingPerAccountMax: 1 };
const aTurn = (overrides: Partial<PasswordTurn> = {}): PasswordTurn => ({
  network: "192.0.2.1",
  account: "ida",
  standing: "few tries",
  signal: new AbortController().signal,
  ...overrides,
});

/** Work that runs until the test ends it. */
function aHash() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end: () => end(), work: () => ended };
}

function openQueue() {
  const queue = createPasswordQueue(limits);
  const first = aHash();
  const running = queue.run(null, first.work);
  const started: string[] = [];
  const enqueue = (name: string, overrides: Partial<PasswordTurn>) =>
    queue.run(aTurn({ account: name, ...overrides }), async () => void started.push(name));
  const finish = async () => {
    first.end();
    await running;
  };
  return { enqueue, started, finish };
}

test("one network has two places, one account has one, and others still get in", async () => {
  const { enqueue, started, finish } = openQueue();
  const waiting = [enqueue("a", {}), enqueue("b", {})];
  await expect(enqueue("c", {})).rejects.toMatchObject({ code: "rate_limited" });
  await expect(enqueue("a", { network: "192.0.2.2" })).rejects.toMatchObject({
    code: "rate_limited",
  });
  waiting.push(enqueue("d", { network: "192.0.2.2" }));
  await finish();
  await Promise.all(waiting);
  expect(started).toEqual(["a", "d", "b"]);
});

test("with all places taken from many networks, a browser that signed in before goes first", async () => {
  const { enqueue, started, finish } = openQueue();
  const waiting = ["1", "2", "3", "4"].map((name) => enqueue(name, { network: name }));
  await expect(enqueue("5", { network: "5" })).rejects.toMatchObject({ code: "unavailable" });
  waiting.push(enqueue("ida", { network: "6", standing: "known browser" }));
  await finish();
  await Promise.all(waiting);
  expect(started).toEqual(["ida", "1", "2", "3", "4"]);
});

test("a network with few tries goes before those that flood the line, and has places of its own", async () => {
  const { enqueue, started, finish } = openQueue();
  const flood = { standing: "many tries" } as const;
  const waiting = ["1", "2", "3", "4"].map((name) => enqueue(name, { network: name, ...flood }));
  await expect(enqueue("5", { network: "5", ...flood })).rejects.toMatchObject({
    code: "unavailable",
  });
  // Somebody guesses at this account, too.
  waiting.push(enqueue("1", { network: "6" }));
  await finish();
  await Promise.all(waiting);
  expect(started).toEqual(["1", "1", "2", "3", "4"]);
});

test("others who guess at an account leave a network its first try, but no second one", async () => {
  const { enqueue, started, finish } = openQueue();
  const first = { standing: "first try" } as const;
  const waiting = ["1", "2", "3"].map((network) => enqueue("ida", { network, ...first }));
  waiting.push(enqueue("ida", { network: "1" }));
  await expect(enqueue("ida", { network: "2" })).rejects.toMatchObject({ code: "rate_limited" });
  await finish();
  await Promise.all(waiting);
  expect(started).toEqual(["ida", "ida", "ida", "ida"]);
});

test("who goes away loses the place, and nothing is hashed", async () => {
  const { enqueue, started, finish } = openQueue();
  const gone = new AbortController();
  const left = enqueue("a", { signal: gone.signal });
  const second = enqueue("b", {});
  gone.abort();
  await expect(left).rejects.toThrow("nobody waits");
  await expect(enqueue("c", { network: "192.0.2.3", signal: gone.signal })).rejects.toThrow(
    "nobody waits",
  );
  const third = enqueue("a", {});
  await finish();
  await Promise.all([second, third]);
  expect(started).toEqual(["b", "a"]);
});
