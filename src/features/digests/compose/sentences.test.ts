// Sentences of a digest: none denies another one.
import { expect, test } from "vitest";
import type { Digest } from "../../../domain/changes/digest.ts";
import { describeDigest, describePhrase } from "./sentences.ts";

const digest: Omit<Digest, "sentences"> = {
  app: { id: "app", name: "Driftnote", store: "appstore" },
  ...{ kind: "week", version: null },
  range: { from: "2026-11-14", to: "2026-11-20" },
  baseline: { from: "2026-10-17", to: "2026-11-13" },
  reviews: {
    ...{ total: 20, expected: 20, averageRating: 3, averageRatingBefore: 4 },
    ...{ negative: 8, repeated: 0, read: 20 },
  },
  ...{ spikes: [], newPhrases: [], duplicates: [], quotes: [] },
};

test.each([
  ["worse", "Nothing else changed beyond what is usual."],
  ["not_fixed", "Nothing else changed beyond what is usual."],
  ["fixed", "Nothing else changed beyond what is usual."],
  ["better", "Nothing else changed beyond what is usual."],
  ["fine", "Nothing changed beyond what is usual."],
  ["too_early", "Nothing changed beyond what is usual."],
] as const)("beside a release that is %s the last sentence is: %s", (outcome, last) => {
  const verdict = { version: "2.0", outcome, words: "After 9 reviews: 5 of 9 are negative." };
  expect(describeDigest(digest, [verdict]).at(-1)).toBe(last);
});

test.each([
  [0, "“the battery” is new this week: 7 of 20 reviews in English say it, 0 of 80 before."],
  [
    7,
    "“the battery” is more frequent this week: 7 of 20 reviews in English say it, 7 of 80 before.",
  ],
])("a phrase of %i earlier reviews", (countBefore, sentence) => {
  const totals = { total: 20, totalBefore: 80 };
  const phrase = {
    phrase: "the battery",
    count: 7,
    countBefore,
    language: "en",
    reviewIds: [],
    ...totals,
  };
  expect(describePhrase(phrase, "this week")).toBe(sentence);
});
