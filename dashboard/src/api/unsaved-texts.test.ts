import { expect, test } from "vitest";
import { forgetUnsavedTexts, keepUnsavedText, readUnsavedText } from "./unsaved-texts.ts";

test("each key keeps its own text, until it is saved or the user signs out", () => {
  const texts = ["ada/w/1", "ada/w/2", "eve/w/1"].map(
    (key) => [key, { text: `Of ${key}`, basis: key }] as const,
  );
  for (const [key, unsaved] of texts) keepUnsavedText(key, unsaved);
  for (const [key, unsaved] of texts) expect(readUnsavedText(key)).toEqual(unsaved);
  keepUnsavedText("ada/w/1", null);
  expect(texts.map(([key]) => readUnsavedText(key)?.text)).toEqual([
    ...[undefined, "Of ada/w/2", "Of eve/w/1"],
  ]);
  forgetUnsavedTexts();
  expect(texts.map(([key]) => readUnsavedText(key))).toEqual([null, null, null]);
});
