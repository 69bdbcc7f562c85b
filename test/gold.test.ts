// Our own gold: each row is complete and labelled with names of the code, and none is there twice.
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasRows } from "../analysis-training/data-rows.ts";
import { agreementTables, decidingTables, precisionTable } from "../analysis-training/eval-gold.ts";
import { isKindRight, readKindRows } from "../analysis-training/eval-kinds.ts";
import {
  isNegatedRight,
  negationTable,
  readNegationPairs,
} from "../analysis-training/eval-negation.ts";
import {
  fullText,
  goldKey,
  readDecidingGold,
  readDevelopmentGold,
  readGold,
  readOtherReviews,
  readStoreReviews,
  storeReviewSource,
  writtenOrigin,
} from "../analysis-training/gold-rows.ts";
import { isPermissive, isTrainable, readPolarityRows } from "../analysis-training/sources.ts";
import { describeTraining } from "../analysis-training/trained-with.ts";
import { readSentimentWords } from "../src/analysis/lexicon.ts";
import { sentimentLabels } from "../src/domain/review/analysis.ts";
import { topicNames } from "../src/domain/review/topics.ts";

const rows = [...readGold(), ...readOtherReviews()];
const hasStoreReviews = hasRows(storeReviewSource);
if (!hasStoreReviews) {
  process.stderr.write(
    "REVIEWS_DATA has no reviews: tests of labelled store reviews are skipped\n",
  );
}

test("each row has a text, a language, topics and a sentiment of the code, stars, a licence and an origin", () => {
  for (const row of rows) {
    const context = JSON.stringify(row);
    expect(row.text.trim(), context).not.toBe("");
    expect(row.language, context).toMatch(/^[a-z]{2}$/);
    for (const labels of [row, row.first, row.second].filter((one) => one !== undefined)) {
      expect(topicNames, context).toEqual(expect.arrayContaining(labels.topics));
      expect(sentimentLabels, context).toContain(labels.sentiment);
    }
    expect([null, 1, 2, 3, 4, 5], context).toContain(row.stars);
    expect(row.licence, context).toBe("MIT");
  }
});

test("every row that is not kept for deciding is of a source that weights may be trained with", () => {
  for (const { origin, text } of readDevelopmentGold()) {
    const isPermitted = isPermissive({ source: origin, kind: "app_review", text });
    expect(origin === writtenOrigin || isPermitted, origin).toBe(true);
  }
});

test.skipIf(!hasStoreReviews)(
  "two annotators labelled each of 3,000 store reviews, whose texts aren't here",
  () => {
    const reviews = readStoreReviews();
    expect(reviews.length).toBeGreaterThanOrEqual(3_000);
    for (const { first, second } of reviews) expect(first && second).toBeDefined();
    for (const name of ["store-reviews", "other-reviews"]) {
      const file = new URL(`../analysis-training/gold/${name}.jsonl`, import.meta.url);
      expect(fs.readFileSync(file, "utf8")).not.toContain('"text"');
    }
  },
);

test.skipIf(!hasStoreReviews)("500 reviews of other sources all decide, in four languages", () => {
  const reviews = readOtherReviews();
  expect(reviews.length).toBeGreaterThanOrEqual(500);
  expect([...new Set(reviews.map(({ language }) => language))].sort()).toEqual([
    "de",
    "es",
    "id",
    "ko",
  ]);
  expect(readDecidingGold()).toEqual(expect.arrayContaining(reviews));
});

test.skipIf(!hasStoreReviews)("no weights are trained with a review that decides", () => {
  const deciding = new Set(readDecidingGold().map(({ text }) => goldKey(text)));
  const trained = readPolarityRows().filter(isTrainable);
  expect(trained.some((row) => deciding.has(goldKey(fullText(row))))).toBe(false);
});

test("no text is there twice", () => {
  expect(new Set(rows.map(({ text }) => goldKey(text))).size).toBe(rows.length);
});

test("about a third decides, and the page of definitions has every topic and label", () => {
  expect(readDecidingGold().length + readDevelopmentGold().length).toBe(rows.length);
  expect(readDecidingGold().length / rows.length).toBeCloseTo(1 / 3, 1);
  const page = fs.readFileSync(
    new URL("../analysis-training/gold/README.md", import.meta.url),
    "utf8",
  );
  for (const name of [...topicNames, ...sentimentLabels]) expect(page).toContain(`| \`${name}\` |`);
});

test.skipIf(!hasStoreReviews)(
  "the model card has the figures of the third that decides, and the agreement of two passes",
  () => {
    const file = new URL("../src/analysis/models/MODEL_CARD.md", import.meta.url);
    const card = fs.readFileSync(file, "utf8");
    // No test prints rows or figures of that third where they differ.
    expect(card.includes(decidingTables())).toBe(true);
    expect(card.includes(precisionTable())).toBe(true);
    for (const table of Object.values(agreementTables())) expect(card.includes(table)).toBe(true);
    expect(card.includes(negationTable())).toBe(true);
  },
);

test.skipIf(!hasStoreReviews)(
  "the model card says whether the weights are those of these lists, rows and code",
  () => {
    const folder = new URL("../src/analysis/models/", import.meta.url);
    const card = fs.readFileSync(new URL("MODEL_CARD.md", folder), "utf8");
    const state = describeTraining(fileURLToPath(folder));
    expect(card).toContain(state);
    expect(state).not.toContain(".bin");
  },
);

test("each language with sentiment words has ten pairs of a plain and a negated sentence, and negation turns them", () => {
  const pairs = readNegationPairs();
  const { emoji: _, ...lists } = readSentimentWords();
  for (const language of Object.keys(lists)) {
    const ofLanguage = pairs.filter((pair) => pair.language === language);
    expect(ofLanguage.length, language).toBeGreaterThanOrEqual(10);
    const right = ofLanguage.filter(isNegatedRight).length / ofLanguage.length;
    expect(right, language).toBeGreaterThanOrEqual(0.85);
  }
});

test("each kind of short review that lists alone misread is there in ten languages, and nearly all are right", () => {
  const rows = readKindRows();
  expect(new Set(rows.map(({ language }) => language)).size).toBe(10);
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const own = rows.filter((row) => row.kind === kind);
    expect(own.filter(isKindRight).length / own.length, kind).toBeGreaterThanOrEqual(0.75);
  }
});
