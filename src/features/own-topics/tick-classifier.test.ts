import { expect, test } from "vitest";
import { createRandom } from "../../../analysis-training/random.ts";
import { findTickedRows } from "./match-phrases.ts";
import { isAboutTopic, trainOnTicks } from "./tick-classifier.ts";

const phrases = ["timer"];
const things = ["lamp", "radio", "coffee", "garden", "piano", "bread", "walk", "night"];
const endings = ["today", "again", "since monday", "as before", "on my tablet", "for hours"];

/** About the app's timer when it is set or stops; about an oven's when it bakes. */
function ticked(count: number, isRightOf: (at: number) => boolean) {
  return Array.from({ length: count }, (_, at) => {
    const isApp = at % 3 !== 0;
    const thing = things[at % things.length];
    const end = `${endings[at % endings.length]} ${at}`;
    const text = isApp
      ? `The ${thing} is on and the timer stops the music ${end}`
      : `With the ${thing} my oven timer bakes the cake ${end}`;
    return { title: null, text, isRight: isRightOf(at) };
  });
}

test("words around the phrases are learned where they decide", () => {
  const rows = findTickedRows(
    phrases,
    ticked(60, (at) => at % 3 !== 0),
  );
  const { rowCount, figures, weights } = trainOnTicks(rows);
  expect({ rowCount, phrases: figures?.phrases }).toEqual({ rowCount: 60, phrases: 40 });
  expect(figures?.classifier).toBeGreaterThanOrEqual(57);
  const { removedWrong = 0, removedRight = 0 } = figures ?? {};
  expect(removedWrong).toBeGreaterThanOrEqual(17);
  expect(figures?.classifier).toBe(40 + removedWrong - removedRight);
  if (weights === null) throw new Error("nothing was learned");
  const decide = (text: string): boolean => {
    const [row] = findTickedRows(phrases, [{ title: null, text, isRight: true }]);
    return row !== undefined && isAboutTopic(weights, row);
  };
  expect(decide("My new oven timer bakes too long")).toBe(false);
  expect(decide("I set it, then the timer stops the music too early")).toBe(true);
});

test("ticks without a reason teach nothing", () => {
  const random = [...Array(80).keys()].map((at) => (at * 7_919 + 13) % 97 > 30);
  const rows = findTickedRows(
    phrases,
    ticked(80, (at) => random[at] ?? true),
  );
  const { figures, weights } = trainOnTicks(rows);
  expect(figures).not.toBeNull();
  expect(weights).toBeNull();
});

test("ticks without a reason are hardly ever accepted, however often they are trained on", () => {
  const random = createRandom(5);
  const topicCount = 60;
  const isEverAccepted = (): boolean => {
    const rows = findTickedRows(
      phrases,
      ticked(100, () => random() < 0.5),
    );
    const sizes = [...Array(9).keys()].map((at) => 20 + 10 * at);
    return sizes.some((size) => trainOnTicks(rows.slice(0, size)).weights !== null);
  };
  const accepted = [...Array(topicCount)].filter(isEverAccepted);
  expect(accepted.length / topicCount).toBeLessThanOrEqual(0.05);
});

test("the same ticks teach the same", () => {
  const rows = findTickedRows(
    phrases,
    ticked(40, (at) => at % 3 !== 0),
  );
  expect(trainOnTicks(rows)).toEqual(trainOnTicks(rows));
});

test.each([
  [19, (at: number) => at % 3 !== 0],
  [40, () => true],
  [40, (at: number) => at > 3],
])("%d ticks, too few of one kind, are not trained on", (count, isRight) => {
  const { figures, weights } = trainOnTicks(findTickedRows(phrases, ticked(count, isRight)));
  expect({ figures, weights }).toEqual({ figures: null, weights: null });
});

test("reviews that the phrases don't find are left out", () => {
  const other = { title: null, text: "No word of it", isRight: false };
  expect(findTickedRows(phrases, [...ticked(3, () => true), other])).toHaveLength(3);
});
