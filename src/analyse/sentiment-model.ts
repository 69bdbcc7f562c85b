// The trained part of sentiment: how much each feature of a text speaks for and against, summed for
// the whole and for each clause.
import { once } from "../lib/once.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import type { ShiftTable } from "./adaptation.ts";
import type { Clause } from "./clauses.ts";
import type { OpinionWord } from "./opinion-words.ts";
import { PlaceSet } from "./place-set.ts";
import { listFeatures } from "./sentiment-features.ts";
import type { Token } from "./tokens.ts";

/** What speaks for and against, as logits over neutral. */
export type Opinion = { good: number; bad: number };

export type SentimentHead = {
  /** What one step of a stored weight is worth. */
  badStep: number;
  goodStep: number;
  badBias: number;
  goodBias: number;
};

const modelUrl = new URL("./model/sentiment.bin", import.meta.url);
const openModel = once(() => readWeightFile<SentimentHead>(modelUrl));
const seen = new PlaceSet();

export function weighFeatures(weigh: {
  text: string;
  tokens: readonly Token[];
  clauses: readonly Clause[];
  opinions: readonly OpinionWord[];
  /** What training on the installation's own reviews shifted; null for the shipped weights alone. */
  shifts: ShiftTable | null;
}): { whole: Opinion; clauses: Opinion[] } {
  const { head, weights } = openModel();
  const { places, counts } = listFeatures(weigh.text, weigh);
  const shiftStep = weigh.shifts?.step ?? 0;
  const whole = new Sum(head, shiftStep);
  const clauses = weigh.clauses.map(() => new Sum(head, shiftStep));
  seen.clear();
  let clause = 0;
  let from = 0;
  for (const [index, token] of weigh.tokens.entries()) {
    while (clause < clauses.length - 1 && token.start >= (weigh.clauses[clause]?.end ?? 0)) {
      clause += 1;
    }
    const to = counts[index] ?? from;
    const part = clauses[clause];
    for (let at = from; at < to; at += 1) {
      const place = places[at] ?? 0;
      const found = seen.add(place, clause);
      if (found === "known") continue;
      const bad = weights[place * 2] ?? 0;
      const good = weights[place * 2 + 1] ?? 0;
      const shift = weigh.shifts === null ? 0 : weigh.shifts.stepsAt(place);
      if (found === "new") whole.add(bad, good, shift);
      part?.add(bad, good, shift);
    }
    from = to;
  }
  return { whole: whole.opinion(), clauses: clauses.map((part) => part.opinion()) };
}

class Sum {
  readonly #head: SentimentHead;
  #count = 0;
  #bad = 0;
  #good = 0;
  readonly #shiftStep: number;
  #shift = 0;

  constructor(head: SentimentHead, shiftStep: number) {
    this.#head = head;
    this.#shiftStep = shiftStep;
  }

  add(bad: number, good: number, shift: number): void {
    this.#shift += shift;
    this.#count += 1;
    this.#bad += bad;
    this.#good += good;
  }

  opinion(): Opinion {
    // As in training: a long text does not say more, it says it with more features.
    const value = 1 / Math.sqrt(this.#count || 1);
    const { badStep, goodStep, badBias, goodBias } = this.#head;
    const shift = this.#shift * this.#shiftStep * value;
    return {
      bad: this.#bad * badStep * value + badBias - shift,
      good: this.#good * goodStep * value + goodBias + shift,
    };
  }
}
