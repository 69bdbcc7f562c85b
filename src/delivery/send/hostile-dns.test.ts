// Name servers that attack: addresses that change between two requests or lie inside, thousands of addresses, answers
// that never come. No forbidden address is connected to, and each attempt ends within its time with a sentence.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import { openHostNames, type ResolveDns } from "./host-names.ts";
import { openSender } from "./send.ts";
import { openUrlPolicy } from "./url-check.ts";

let inside: Receiver;
let outside: Receiver;
beforeAll(async () => {
  inside = await openReceiver({ host: "127.0.0.2" });
  outside = await openReceiver();
});
afterAll(() => Promise.all([inside.close(), outside.close()]));

const timeoutMs = 500;

/** As many POSTs as times are given, each with the given name server. */
async function post(port: number, resolveDns: ResolveDns, pausesMs: readonly number[] = [0]) {
  const policy = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.1/32"] });
  const clock = new MovableClock(new Date("2026-03-01T00:00:00Z"));
  const names = openHostNames({ clock, addresses: policy.addresses, resolveDns });
  const sender = openSender({ policy, names, timeoutMs });
  const results = [];
  for (const pauseMs of pausesMs) {
    clock.advance(pauseMs);
    const target = sender.check(`http://hooks.example.com:${port}/`);
    results.push(
      await sender.post({ target, headers: [], body: Buffer.from("{}"), isFresh: () => true }),
    );
  }
  await sender.close();
  return results;
}

const reasonOf = (result: Awaited<ReturnType<typeof post>>[number] | undefined) =>
  result && "reason" in result ? result.reason : null;

describe("a name server", () => {
  test.each([
    ["names an address inside", ["127.0.0.2"]],
    ["names one outside first", ["127.0.0.1", "127.0.0.2"]],
    ["names one inside last of four thousand", [...Array(4_000).fill("127.0.0.1"), "127.0.0.2"]],
    ["names an address inside in another notation", ["::ffff:127.0.0.2"]],
    ["names the address of cloud credentials", ["169.254.169.254"]],
    ["names no address at all", []],
    ["names a text", ["hooks.example.com"]],
  ])("that %s leads nowhere", async (_name, addresses) => {
    const before = inside.connectionCount();
    const [result] = await post(inside.port, async () => addresses);
    expect(reasonOf(result)).toMatch(/\w+ \w+/);
    expect(inside.connectionCount()).toBe(before);
  });

  test("that changes its mind is asked again for a new connection, and followed nowhere", async () => {
    const before = inside.connectionCount();
    const answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]];
    const resolveDns = async () => answers.shift() ?? [];
    outside.reply({ kind: "status", status: 200, headers: { connection: "close" } });
    const results = await post(outside.port, resolveDns, [0, 60_000, 60_000]);
    expect(results.map((result) => ("status" in result ? result.status : null))).toEqual([
      200,
      null,
      200,
    ]);
    expect(inside.connectionCount()).toBe(before);
  });

  test("that never answers costs one attempt its time", async () => {
    const [result] = await post(outside.port, () => new Promise(() => {}));
    expect(reasonOf(result)).toMatch(/\w+ \w+/);
  });

  test("that fails is a sentence as well", async () => {
    const [result] = await post(outside.port, () => Promise.reject(new Error("SERVFAIL at once")));
    expect(reasonOf(result)).toMatch(/\w+ \w+/);
  });
});
