// Goes on training the shipped weights of sentiment on the starred reviews of one installation, for one
// language. A part of them is held out, and whatever does not do better there by more than chance would
// is thrown away. Works in short strides, so that whoever drives it can do other things in between.
import type { AdaptationFigures, TriedAdaptation } from "../domain/fine-tuning.ts";
import { type Adaptation, ShiftTable, writeShifts } from "./fine-tuning.ts";
import { doesBetter, figuresOf, isNoLower, type Verdict } from "./fine-tuning-figures.ts";
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import { type OpinionWord, readOpinions } from "./lexicon-score.ts";
import { normaliseReview } from "./normalized-text.ts";
import { weighLeaning } from "./sentiment.ts";
import { listFeatures, sentimentPlaceCount } from "./sentiment-features.ts";
import { type Token, tokenise } from "./tokens.ts";

/** A review of the language, with its stars. */
export type StarredReview = { title: string | null; text: string; rating: number };

export type AdaptationTry = {
  /** Different texts of one, two, four or five stars, those held out included. */
  rowCount: number;
  heldOutCount: number;
  /** On the rows held out, with the shipped weights; null when there were too few to try. */
  shipped: AdaptationFigures | null;
  /** With what is in use after this try. */
  inUse: AdaptationFigures | null;
  change: TriedAdaptation["change"];
  /** In words, for people. */
  outcome: string;
};

/** Below these nothing is tried: the figures would be chance. */
export const rowCountMin = 200;
export const rarerCountMin = 50;

// Chosen on starred reviews of five languages: more of either learns the rows by heart.
const epochCount = 4;
const rate = 0.08;
const lastRateShare = 0.2;
const mildWeight = 0.6;
const stride = 16;

type Row = {
  text: string;
  tokens: readonly Token[];
  opinions: readonly OpinionWord[];
  isPraise: boolean;
  weight: number;
  isHeldOut: boolean;
};
type Lesson = { places: Uint32Array; leaning: number; target: number; weight: number };

/** @param given.current the adaptation in use, which a new one has to beat; null without one */
export function* tryAdaptation(given: {
  language: string;
  reviews: Iterable<StarredReview>;
  current: Adaptation | null;
}): Generator<undefined, AdaptationTry> {
  const rows = yield* readRows(given);
  const heldOut = rows.filter(({ isHeldOut }) => isHeldOut);
  const counts = { rowCount: rows.length, heldOutCount: heldOut.length };
  const praiseCount = rows.filter(({ isPraise }) => isPraise).length;
  const rarerCount = Math.min(praiseCount, rows.length - praiseCount);
  if (rows.length < rowCountMin || rarerCount < rarerCountMin) {
    const outcome = `too few: ${rowCountMin} different reviews that praise or blame are needed and ${rarerCountMin} of each, there are ${rows.length} and ${rarerCount}`;
    return { ...counts, shipped: null, inUse: null, change: { kind: "keep" }, outcome };
  }
  const lessons = yield* readLessons(rows.filter((row) => !row.isHeldOut));
  const weights = writeShifts(yield* train(lessons));
  const shipped = yield* judge(heldOut, null);
  const current = given.current ? yield* judge(heldOut, given.current.shifts) : null;
  const next = yield* judge(heldOut, new ShiftTable(weights));
  return { ...counts, ...choose({ shipped, current, next, weights }) };
}

/** What was not seen in training decides: nothing is taken, or kept in use, that lowers its figures. */
function choose(of: {
  shipped: readonly Verdict[];
  current: readonly Verdict[] | null;
  next: readonly Verdict[];
  weights: Buffer;
}): Pick<AdaptationTry, "shipped" | "inUse" | "change" | "outcome"> {
  const shipped = figuresOf(of.shipped);
  const current = of.current ? figuresOf(of.current) : null;
  const isWorse = current !== null && !isNoLower(current, shipped);
  const before = of.current && !isWorse ? of.current : of.shipped;
  if (doesBetter(of.next, before) && isNoLower(figuresOf(of.next), shipped)) {
    const change = { kind: "take" as const, weights: of.weights };
    const outcome = "taken: it does better on the reviews held out";
    return { shipped, inUse: figuresOf(of.next), change, outcome };
  }
  if (isWorse) {
    const outcome = "given up: on the reviews held out, the shipped weights do better by now";
    return { shipped, inUse: shipped, change: { kind: "drop" }, outcome };
  }
  const outcome = "nothing changed: training further does no better on the reviews held out";
  return { shipped, inUse: current ?? shipped, change: { kind: "keep" }, outcome };
}

/** The same words are one row, and always on the same side of the split. */
function* readRows(given: {
  language: string;
  reviews: Iterable<StarredReview>;
}): Generator<undefined, Row[]> {
  const rows = new Map<string, Row>();
  let count = 0;
  for (const review of given.reviews) {
    count += 1;
    if (count % stride === 0) yield;
    const text = normaliseReview(review)?.text;
    // Three stars say nothing of the text.
    if (text === undefined || review.rating === 3 || rows.has(text)) continue;
    rows.set(text, {
      text,
      tokens: tokenise(text),
      opinions: readOpinions(text, given.language),
      isPraise: review.rating > 3,
      weight: review.rating === 1 || review.rating === 5 ? 1 : mildWeight,
      isHeldOut: isHeldOut(text),
    });
  }
  return [...rows.values()];
}

const heldOutSeed = 0x4e;

/** One row of five, by its words alone: what was held out once is never trained on later. */
function isHeldOut(text: string): boolean {
  let hash = beginHash(heldOutSeed);
  for (let at = 0; at < text.length; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return finishHash(hash, 0xffff) % 5 === 0;
}

function* readLessons(rows: readonly Row[]): Generator<undefined, Lesson[]> {
  const lessons: Lesson[] = [];
  const praiseCount = rows.filter(({ isPraise }) => isPraise).length;
  const shareOf = (isPraise: boolean): number =>
    (isPraise ? praiseCount : rows.length - praiseCount) / (rows.length || 1);
  for (const [index, row] of rows.entries()) {
    if (index % stride === 0) yield;
    const places = Uint32Array.from(new Set(listFeatures(row.text, row).places));
    if (places.length === 0) continue;
    lessons.push({
      places,
      leaning: weighLeaning({ ...row, shifts: null }),
      target: row.isPraise ? 1 : 0,
      // Both sides count the same, however many more praise than blame.
      weight: row.weight * Math.min(weightMax, 0.5 / shareOf(row.isPraise)),
    });
  }
  return lessons;
}

const weightMax = 4;
const squaresBegin = 1e-6;

/** AdaGrad on the shifts alone; the shipped weights stay as they are. */
function* train(lessons: readonly Lesson[]): Generator<undefined, Float32Array> {
  const shifts = new Float32Array(sentimentPlaceCount);
  const squares = new Float32Array(sentimentPlaceCount).fill(squaresBegin);
  // Takes up how reviews here lean as a whole, and is left behind: where praise begins is not moved.
  const lean = { shift: 0, squares: squaresBegin };
  const stepCount = lessons.length * epochCount;
  for (let step = 0; step < stepCount; step += 1) {
    if (step % stride === 0) yield;
    // A step that shares no divisor with the count visits every row once, and mixes neighbours.
    const lesson = lessons[(step * prime) % lessons.length];
    if (lesson === undefined) continue;
    const { places, leaning, target, weight } = lesson;
    const value = 1 / Math.sqrt(places.length);
    let sum = 0;
    for (const place of places) sum += shifts[place] ?? 0;
    const share = 1 / (1 + Math.exp(-(leaning + lean.shift + 2 * sum * value)));
    const leanSlope = (share - target) * weight;
    const slope = leanSlope * value;
    const nowRate = rate * (1 - (1 - lastRateShare) * (step / stepCount));
    lean.squares += leanSlope ** 2;
    lean.shift -= (nowRate * leanSlope) / Math.sqrt(lean.squares);
    for (const place of places) {
      const squared = (squares[place] ?? 0) + slope * slope;
      squares[place] = squared;
      shifts[place] = (shifts[place] ?? 0) - (nowRate * slope) / Math.sqrt(squared);
    }
  }
  return shifts;
}

const prime = 104_729;

function* judge(rows: readonly Row[], shifts: ShiftTable | null): Generator<undefined, Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % stride === 0) yield;
    verdicts.push({ leaning: weighLeaning({ ...row, shifts }), isPraise: row.isPraise });
  }
  return verdicts;
}
