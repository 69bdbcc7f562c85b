// Words and phrases are found where a reader would see them, and as often as a plain search would.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildPhraseFinder, type Phrase, prepareSearch } from "./phrase-finder.ts";

const build = (phrases: Phrase<string>[]) => {
  const search = buildPhraseFinder(phrases);
  return (text: string, eachMax?: number) => search(prepareSearch(text), eachMax);
};
const find = build(
  ["ads", "ad_free", "free", "crash*", "*gate", "広告", "告", "déjà", "bán"].map((phrase) => ({
    phrase,
    meaning: phrase,
  })),
);
const found = (text: string) => find(text).map(({ meaning }) => meaning);

describe("finding phrases", () => {
  test("a word is found at either end of a text, and not inside another word", () => {
    expect(found("ads")).toEqual(["ads"]);
    expect(found("heads, roads, adsense")).toEqual([]);
  });

  test("a star lets a word continue", () => {
    expect(found("crashing")).toEqual(["crash*"]);
    expect(found("the tailgate")).toEqual(["*gate"]);
    expect(found("gates")).toEqual([]);
  });

  test("a phrase and a word inside it are both found", () => {
    expect(found("ad free")).toEqual(["ad_free", "free"]);
  });

  test("scripts without spaces need no word boundaries", () => {
    expect(found("この広告は")).toEqual(["広告", "告"]);
  });

  test("a Vietnamese word may lack its accent, but with another accent it is another word", () => {
    expect(found("ban lại")).toEqual(["bán"]);
    expect(found("đã bán")).toEqual(["bán"]);
    expect(found("bạn tôi")).toEqual([]);
    expect(found("bàn ở đây")).toEqual([]);
    expect(found("bàn")).toEqual(["bán"]);
  });

  test("a position is one in the original text, also with accents left out or added", () => {
    expect(find("àds deja")).toEqual([
      { start: 0, end: 3, meaning: "ads" },
      { start: 4, end: 8, meaning: "déjà" },
    ]);
  });

  test("a second part may follow a few words later, in the same clause", () => {
    const findParted = build([{ phrase: "stürz*", second: "ab", meaning: "crash" }]);
    expect(findParted("sie stürzt bei jedem öffnen ab")).toEqual([
      { start: 4, end: 30, meaning: "crash" },
    ]);
    expect(findParted("stürzt ab")).toHaveLength(1);
    expect(findParted("stürzt absichtlich")).toEqual([]);
    expect(findParted("er stürzt. ab morgen")).toEqual([]);
  });

  test("overlapping patterns are found as a plain search finds them", () => {
    // Normalizing shortens threefold repetitions, which would make another phrase of this one.
    const part = fc
      .string({ unit: fc.constantFrom("広", "告", "神"), minLength: 1, maxLength: 4 })
      .filter((phrase) => !/(.)\1\1/u.test(phrase));
    const whole = fc.string({ unit: fc.constantFrom("広", "告", "神"), maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(part, { maxLength: 8 }), whole, (phrases, text) => {
        const quick = build(phrases.map((phrase) => ({ phrase, meaning: phrase })));
        const plain = phrases.flatMap((phrase) =>
          [...text].flatMap((_, at) => (text.startsWith(phrase, at) ? [`${at} ${phrase}`] : [])),
        );
        const matches = quick(text).map(({ start, meaning }) => `${start} ${meaning}`);
        expect(matches.sort()).toEqual(plain.sort());
      }),
    );
  });
});
