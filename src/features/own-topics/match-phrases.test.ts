import { expect, test } from "vitest";
import { buildPhraseFinder, prepareSearch } from "../../analysis/phrase-finder.ts";
import { createOwnTopicFinder, findPhraseWords, previewPhrases } from "./match-phrases.ts";
import { ownTopicSchema } from "./own-topic.ts";

const rule = (id: string, phrases: string[], revision = 1) => ({
  ...{ id, phrases, revision },
  weights: null,
});
const review = (text: string) => ({ title: null, text });

test("finds each topic whose phrase a review has, in any spelling, and no part of a word", () => {
  const rules = [rule("timer", ["sleep timer*", "wecker"]), rule("car", ["car"])];
  const { find } = createOwnTopicFinder();
  expect([...find(rules, review("The SLEEP  TIMERS are gone, my Car too"))].sort()).toEqual([
    "car",
    "timer",
  ]);
  expect([...find(rules, review("I care. Carpet!"))]).toEqual([]);
  expect([...find(rules, { title: "Wécker", text: "" })]).toEqual(["timer"]);
  expect([...find(rules, review(""))]).toEqual([]);
});

test("a topic whose phrases changed is looked for by the new ones", () => {
  const { find } = createOwnTopicFinder();
  expect(find([rule("a", ["old"])], review("old")).size).toBe(1);
  expect(find([rule("a", ["new"], 2)], review("old")).size).toBe(0);
});

test("shows the words as the review spells them, each once", () => {
  const find = findPhraseWords(["sync*", "同期"]);
  expect(find(review("Syncing fails. Syncing! 同期しない"))).toEqual(["Syncing", "同期"]);
});

test("an excluded word is not found, and other words of the same review are", () => {
  const { find } = createOwnTopicFinder();
  const rules = [rule("abo", ["abo*", "-about"]), rule("talk", ["about"])];
  expect([...find(rules, review("All about tides"))]).toEqual(["talk"]);
  expect([...find(rules, review("All about my Abonnement"))].sort()).toEqual(["abo", "talk"]);
});

test("a preview counts the reviews of each phrase, without excluded words", () => {
  const reviews = ["My Abo ended", "All about tides", "Cancel my abonnement"].map(review);
  const { words, phraseCounts } = previewPhrases(["abo*", "cancel", "-about"], reviews);
  expect(phraseCounts).toEqual([2, 1, 0]);
  expect(words).toEqual([["Abo"], [], ["Cancel", "abonnement"]]);
});

test("names have the shape of the built-in ones, and phrases are cleaned", () => {
  const parsed = ownTopicSchema.parse({
    name: " Sleep-Timer ",
    phrases: [" Sleep   timer", "sleep timer"],
  });
  expect(parsed).toEqual({ name: "sleep_timer", phrases: ["sleep timer"] });
});

test.each([
  [{ name: "crash" }, "a topic that every workspace has"],
  [{ name: "a,b" }, "letters and digits"],
  [{ name: "" }, "letters and digits"],
  [{ name: "x".repeat(41) }, "at most 40"],
  [{ phrases: [] }, "must be 1 to 50"],
  [{ phrases: ["*"] }, "2 to 60"],
  [{ phrases: ["-about"] }, "must not all be excluded"],
  [{ phrases: ["x"] }, "2 to 60"],
  [{ phrases: ["x".repeat(61)] }, "2 to 60"],
  [{ phrases: ["https://example.com"] }, "links"],
  [{ phrases: Array.from({ length: 51 }, (_, at) => `word ${at}`) }, "must be 1 to 50"],
])("refuses %j", (input, message) => {
  const parsed = ownTopicSchema.safeParse({ name: "timer", phrases: ["timer"], ...input });
  expect(parsed.error?.message).toContain(message);
});

test("one in ten reviews that the weights would take away keeps its topic", () => {
  const step = Buffer.alloc(8);
  // A bias below zero and no weights: every review would lose the topic.
  step.writeFloatLE(-1, 4);
  const weights = Buffer.concat([step, Buffer.alloc(4_096)]);
  const { find } = createOwnTopicFinder();
  const letters = "abcdefghij";
  const texts = [...Array(1_000).keys()].map(
    (at) => `timer ${[...String(at)].map((digit) => letters[Number(digit)]).join("")}`,
  );
  const kept = texts.filter(
    (text) => find([{ ...rule("t", ["timer"]), weights }], review(text)).size,
  );
  expect(kept.length).toBeGreaterThan(70);
  expect(kept.length).toBeLessThan(130);
});

test("nested phrases make a bounded number of matches, and find what single ones find", () => {
  const nested = Array.from({ length: 28 }, (_, index) => `*${"ab".repeat(index + 1)}*`);
  const text = "ab".repeat(4_000);
  const searched = prepareSearch(text);
  const find = buildPhraseFinder(nested.map((phrase) => ({ phrase, meaning: phrase })));
  expect(find(searched, 1)).toHaveLength(nested.length);
  expect(find(searched, 3)).toHaveLength(3 * nested.length);
  // 28 phrases end at almost each of the 4,000 places.
  expect(find(searched).length).toBeGreaterThan(100_000);
  expect(findPhraseWords(nested)(review(text)).length).toBeLessThanOrEqual(5);
  const rules = nested.map((phrase) => rule(phrase, [phrase]));
  const { find: findTopics } = createOwnTopicFinder();
  expect(findTopics(rules, review(text)).size).toBe(nested.length);
  expect(findTopics(rules, review("ababa")).size).toBe(2);
});
