import fc from "fast-check";
import { expect, test } from "vitest";
import { diffWords } from "./text-diff.ts";

test("a changed word stands between what stayed", () => {
  expect(diffWords("The new map is slow", "The new map is fast")).toEqual([
    { kind: "same", text: "The new map is" },
    { kind: "removed", text: " slow" },
    { kind: "added", text: " fast" },
  ]);
});

test("a sentence added at the end leaves what stood before it", () => {
  expect(diffWords("Works well.", "Works well. Until today.")).toEqual([
    { kind: "same", text: "Works well." },
    { kind: "added", text: " Until today." },
  ]);
});

test("a text without spaces is compared by character", () => {
  expect(diffWords("地図が遅い", "地図が速い")).toEqual([
    { kind: "same", text: "地図が" },
    { kind: "removed", text: "遅" },
    { kind: "added", text: "速" },
    { kind: "same", text: "い" },
  ]);
});

test("the same text has no change, and nothing has no part", () => {
  expect(diffWords("as it was", "as it was")).toEqual([{ kind: "same", text: "as it was" }]);
  expect(diffWords("", "")).toEqual([]);
});

const words = fc.array(fc.constantFrom("good ", "bad ", "map\n", "遅", "い", " "), {
  maxLength: 30,
});

test("without what was added it is the old text, without what was removed the new one", () => {
  fc.assert(
    fc.property(words, words, (left, right) => {
      const [before, after] = [left.join(""), right.join("")];
      const parts = diffWords(before, after);
      const textWithout = (kind: string) =>
        parts
          .filter((part) => part.kind !== kind)
          .map((part) => part.text)
          .join("");
      expect(textWithout("added")).toBe(before);
      expect(textWithout("removed")).toBe(after);
    }),
  );
});

test("two long texts are compared without a diff of all their words", () => {
  const [before, after] = ["a b ".repeat(2_000), "b c ".repeat(2_000)];
  expect(diffWords(before.trim(), after.trim()).map((part) => part.kind)).toEqual([
    "removed",
    "added",
  ]);
});
