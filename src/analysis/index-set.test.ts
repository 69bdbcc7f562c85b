// The set behaves like a plain map, whatever it held in earlier rounds.
import fc from "fast-check";
import { expect, test } from "vitest";
import { IndexSet } from "./index-set.ts";

const index = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 20 - 1 }),
  // Neighbours in the slots of every size.
  fc.integer({ min: 0, max: 40 }).map((high) => high << 13),
);
const round = fc.array(fc.tuple(index, fc.integer({ min: 0, max: 3 })), { maxLength: 300 });

function addToMap(known: Map<number, number>, [at, group]: [number, number]): string {
  const before = known.get(at);
  known.set(at, group);
  if (before === undefined) return "new";
  return before === group ? "known" : "new to the group";
}

test("every round starts empty and distinguishes new indexes from known ones", () => {
  const set = new IndexSet();
  fc.assert(
    fc.property(fc.array(round, { maxLength: 5 }), (rounds) => {
      for (const added of rounds) {
        set.clear(added.length);
        const known = new Map<number, number>();
        for (const entry of added) expect(set.add(...entry)).toBe(addToMap(known, entry));
      }
    }),
  );
});

test("an index of thousands of rounds ago is new again", () => {
  const set = new IndexSet();
  for (let count = 0; count < 10_000; count += 1) {
    set.clear(2);
    expect(set.add(5, 0)).toBe("new");
    expect(set.add(5, 0)).toBe("known");
  }
});

test("more indexes than slots are refused", () => {
  expect(() => new IndexSet().clear(2 ** 13)).toThrow(RangeError);
});
