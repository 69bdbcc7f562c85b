// The trained part of sentiment: how much each feature of a text speaks for and against, summed for
// the whole and for each clause.
import { once } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import type { Clause } from "./clauses.ts";
import type { ShiftTable } from "./fine-tuning.ts";
import { PlaceSet } from "./index-set.ts";
import type { OpinionWord } from "./lexicon-score.ts";
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

const modelUrl = new URL("./models/sentiment.bin", import.meta.url);
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
  const { shifts } = weigh;
  const whole = beginSum();
  const clauses = weigh.clauses.map(beginSum);
  seen.clear(places.length);
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
      const shift = shifts === null ? 0 : shifts.stepsAt(place);
      if (found === "new") add(whole, { bad, good, shift });
      if (part !== undefined) add(part, { bad, good, shift });
    }
    from = to;
  }
  const step = { ...head, shiftStep: shifts?.step ?? 0 };
  return { whole: toOpinion(whole, step), clauses: clauses.map((part) => toOpinion(part, step)) };
}

/** In steps. */
type Sum = { count: number; bad: number; good: number; shift: number };

function beginSum(): Sum {
  return { count: 0, bad: 0, good: 0, shift: 0 };
}

function add(sum: Sum, { bad, good, shift }: Omit<Sum, "count">): void {
  sum.count += 1;
  sum.bad += bad;
  sum.good += good;
  sum.shift += shift;
}

function toOpinion(sum: Sum, step: SentimentHead & { shiftStep: number }): Opinion {
  // As in training: a long text does not say more, it says it with more features.
  const value = 1 / Math.sqrt(sum.count || 1);
  const shift = sum.shift * step.shiftStep * value;
  return {
    bad: sum.bad * step.badStep * value + step.badBias - shift,
    good: sum.good * step.goodStep * value + step.goodBias + shift,
  };
}
