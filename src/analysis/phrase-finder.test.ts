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

  test("a Korean verb takes the beginning of its ending into its last syllable", () => {
    const findKorean = build([{ phrase: "튕기", meaning: "crash" }]);
    for (const text of ["튕기네요", "자꾸 튕긴다", "튕김", "튕길 때", "튕깁니다"])
      expect(findKorean(text), text).toHaveLength(1);
    expect(findKorean("튕겨요")).toEqual([]);
    expect(findKorean("튕깃")).toEqual([]);
    expect(build([{ phrase: "느려", meaning: "slow" }])("느렸어요")).toEqual([
      { start: 0, end: 2, meaning: "slow" },
    ]);
    expect(build([{ phrase: "안", meaning: "not" }])("아")).toEqual([]);
  });

  test("a space between Korean words may be left out, and not one between others", () => {
    const findSpaced = build([
      { phrase: "안_열려", meaning: "crash" },
      { phrase: "dark_mode", meaning: "ui" },
    ]);
    expect(findSpaced("앱이 안열려요")).toEqual([{ start: 3, end: 6, meaning: "crash" }]);
    expect(findSpaced("앱이 안 열렸어요")).toHaveLength(1);
    expect(findSpaced("darkmode")).toEqual([]);
  });

  test("a Korean phrase with a `_` before it begins a word", () => {
    const findYoga = build([{ phrase: "_요가", meaning: "content" }]);
    expect(findYoga("요가 영상")).toEqual([{ start: 0, end: 2, meaning: "content" }]);
    expect(findYoga("매일 요가를 해요")).toHaveLength(1);
    expect(findYoga("그럴 필요가 없어요")).toEqual([]);
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
    const findParted = build([{ phrase: "stürz*", seconds: "ab", meaning: "crash" }]);
    expect(findParted("sie stürzt bei jedem öffnen ab")).toEqual([
      { start: 4, end: 30, meaning: "crash" },
    ]);
    expect(findParted("stürzt ab")).toHaveLength(1);
    const findEither = build([{ phrase: "fliegt", seconds: "ab|raus", meaning: "crash" }]);
    expect(findEither("fliegt immer raus")).toHaveLength(1);
    expect(findEither("fliegt ab")).toHaveLength(1);
    const findNext = build([{ phrase: "no_", seconds: "widget*|map", meaning: "wish" }]);
    expect(findNext("no widgets")).toEqual([{ start: 0, end: 9, meaning: "wish" }]);
    expect(findNext("no other widgets")).toEqual([]);
    expect(findNext("no maps")).toEqual([]);
    expect(build([{ phrase: "音", seconds: "消える", meaning: "bug" }])("音が急に消える")).toEqual([
      { start: 0, end: 7, meaning: "bug" },
    ]);
    expect(findParted("stürzt absichtlich")).toEqual([]);
    expect(findParted("er stürzt. ab morgen")).toEqual([]);
    expect(findParted("stürzt seit 2.0 ab")).toHaveLength(1);
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
