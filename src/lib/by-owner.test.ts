import { expect, test } from "vitest";
import { forEachByOwner } from "./by-owner.ts";

test("an owner with many items keeps no other one waiting, and has one of them at a time", async () => {
  const items = [..."aaaaabcd"].map((owner, index) => ({ owner, index }));
  const running = new Map<string, number>();
  const order: string[] = [];
  let most = 0;
  await forEachByOwner(
    items,
    ({ owner }) => owner,
    async ({ owner, index }) => {
      running.set(owner, (running.get(owner) ?? 0) + 1);
      most = Math.max(most, running.get(owner) ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
      running.set(owner, (running.get(owner) ?? 0) - 1);
      order.push(`${owner}${index}`);
    },
  );
  expect(most).toBe(1);
  expect(order.filter((one) => one.startsWith("a"))).toEqual(["a0", "a1", "a2", "a3", "a4"]);
  expect(order.toSorted()).toEqual(items.map(({ owner, index }) => `${owner}${index}`).toSorted());
  expect(order.slice(0, 5)).toEqual(expect.arrayContaining(["b5", "c6", "d7"]));
});

test("a failure is passed on", async () => {
  const failing = forEachByOwner([1], String, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
});
