// The opinion on each topic of a review, apart from the others.
import { describe, expect, test } from "vitest";
import { analyzeReview } from "./analyze.ts";

function opinionsOf(text: string, rating = 3) {
  const analysis = analyzeReview({ title: null, text, rating, languageHint: null });
  const { topics, topicScores = [], sentiment } = analysis;
  const scores = Object.fromEntries(topics.map((topic, at) => [topic, topicScores[at] ?? 0]));
  return { scores, label: sentiment?.label };
}

test.each([
  ["Love the design. Way too expensive though!", "ui", "pricing"],
  ["Great maps, but it crashes all the time", "content", "crash"],
  ["Die App ist toll, aber die Werbung nervt", "praise", "ads"],
  ["J'adore l'application mais il y a trop de bugs", "praise", "bug"],
  ["aplikasi bagus tapi sering error", "praise", "bug"],
])("%s: good of %s, bad of %s, and mixed as a whole", (text, good, bad) => {
  const { scores, label } = opinionsOf(text);
  expect(scores[good]).toBeGreaterThan(0.5);
  expect(scores[bad]).toBeLessThan(-0.5);
  expect(label).toBe("mixed");
});

test.each([
  ["Good, but the battery drains", 3],
  ["App is good but battery drain", 3],
  ["Me encanta, pero se cierra sola", 2],
])("%s with %d stars is mixed, although the complaint has no sentiment word", (text, rating) => {
  expect(opinionsOf(text, rating).label).toBe("mixed");
});

describe("the stars lean", () => {
  test("a fixed crash is not a complaint of five stars", () => {
    expect(
      opinionsOf("No more crashes since the update, thank you!", 5).scores["crash"],
    ).toBeGreaterThan(-0.2);
  });

  test("without a rating the words alone count", () => {
    const { scores } = opinionsOf("Great maps, but it crashes all the time", 0);
    expect(scores["crash"]).toBeLessThan(-0.5);
  });
});

test("every topic has a score from -1 to 1, and a review without text has none", () => {
  for (const rating of [1, 3, 5]) {
    const { scores } = opinionsOf("Hate the ads, the price, the login and the crashes!!!", rating);
    expect(Object.keys(scores).length).toBeGreaterThanOrEqual(3);
    for (const score of Object.values(scores)) expect(Math.abs(score)).toBeLessThanOrEqual(1);
  }
  const empty = analyzeReview({ title: null, text: "", rating: 1, languageHint: null });
  expect(empty).toMatchObject({ topics: [], topicScores: [], sentiment: null });
});
