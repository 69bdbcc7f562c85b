// Bets that the reviews of a release are worse than past ones, and that they are not worse by a given size. The wealth
// of a gambler who can't gain on average is evidence. docs/development/verdict-test.md has the formulas and their sources.
import { groupBy } from "../../../lib/group-by.ts";

/** A review as the test reads it. */
export type TestedReview = {
  id: string;
  /** Reviews are compared within a stratum: one storefront or language, with or without a version. */
  stratum: string;
  /** Bit n is set when the review answers question n with yes. */
  marks: number;
};

type Bets = {
  /** Settles the bets on one review; false without past reviews of its stratum to compare it with. */
  settle(review: TestedReview): boolean;
  /** The evidence (e-value) that the share of a question rose in at least one stratum. */
  worse(question: number): number;
  /** The evidence (e-value) that the share rose by less than `worseBy` on average. */
  fine(question: number): number;
};

/** Each gambler expects the odds of a yes to grow by one of these factors. */
const oddsRatios = [1.5, 2.5, 5, 12];
/** Of what the gambler on "not worse" could stake without ever going bankrupt, at most. */
const stakeMax = 0.95;
/** How much comparing with a few past reviews, not with all, adds to the variance of a comparison. */
const blockVariance = 1.25;
const gamblerCount = oddsRatios.length;
/** A new review is compared with 4 past ones at first, and with fewer as fewer are left. */
const blockMax = 4;
/** Strata with fewer past reviews are compared as one. */
const stratumMin = 30;
/** The oldest part of the past only shows which bets are promising; the others settle them, each one bet. */
const trainingShare = 1 / 8;
/** How many past reviews of its own a stratum needs to outweigh what all strata have in common. */
const priorCount = 10;

/** @param input.past oldest first */
export function openBets(input: {
  past: readonly TestedReview[];
  questionCount: number;
  worseBy: number;
}): Bets {
  const { past, questionCount, worseBy } = input;
  const strata = groupBy(past, ({ stratum }) => stratum);
  const stratumOf = ({ stratum }: TestedReview): string =>
    (strata.get(stratum)?.length ?? 0) < stratumMin ? "" : stratum;
  const trainingCount = Math.floor(past.length * trainingShare);
  const shareOf = estimateShares(past.slice(0, trainingCount), stratumOf);
  const unused = groupBy(past.slice(trainingCount), stratumOf);
  const usableCount = past.length - trainingCount;
  let unusedCount = usableCount;
  const wagers = new Map<string, Wager[][]>();
  const worse = new Float64Array(questionCount * gamblerCount);
  const fine = new Float64Array(questionCount);
  const stakes = Array.from(fine, (_, question) => chooseStake(shareOf(null, question), worseBy));
  return {
    settle(review) {
      const stratum = stratumOf(review);
      const rest = unused.get(stratum) ?? [];
      if (rest.length === 0) return false;
      const left = Math.ceil((blockMax * unusedCount) / usableCount);
      const size = Math.min(rest.length, left);
      unusedCount -= size;
      // The newest first: they are most like the reviews of today.
      const block = rest.splice(-size);
      const key = `${size} ${stratum}`;
      const prepared =
        wagers.get(key) ??
        Array.from(fine, (_, question) =>
          oddsRatios.map((ratio) => prepareWager(shareOf(stratum, question), ratio, size)),
        );
      wagers.set(key, prepared);
      prepared.forEach((ofQuestion, question) => {
        const isYes = hasMark(review, question);
        let yesCount = 0;
        for (const one of block) if (hasMark(one, question)) yesCount += 1;
        const rise = Number(isYes) - yesCount / size;
        const gain = (stakes[question] ?? 0) * (worseBy - rise);
        fine[question] = (fine[question] ?? 0) + Math.log1p(gain);
        ofQuestion.forEach(({ yes, no, pastYes, pastNo }, gambler) => {
          const at = question * gamblerCount + gambler;
          const past = yesCount * pastYes + (size - yesCount) * pastNo;
          worse[at] = (worse[at] ?? 0) + (isYes ? yes : no) + past;
        });
      });
      return true;
    },
    worse: (question) => meanWealth(worse, question),
    fine: (question) => Math.exp(fine[question] ?? 0),
  };
}

export function hasMark({ marks }: TestedReview, question: number): boolean {
  return ((marks >> question) & 1) === 1;
}

/** Kelly's stake, with which wealth grows fastest while a share stays; the same in all strata. */
function chooseStake(share: number, worseBy: number): number {
  const raised = Math.min(share + worseBy, 0.95);
  return Math.min(stakeMax / (1 - worseBy), worseBy / (blockVariance * raised * (1 - raised)));
}

/** Logarithms of what each outcome of a bet multiplies the wealth by. */
type Wager = { yes: number; no: number; pastYes: number; pastNo: number };

function prepareWager(share: number, oddsRatio: number, size: number): Wager {
  const raised = (oddsRatio * share) / (1 - share + oddsRatio * share);
  const pooled = (size * share + raised) / (size + 1);
  return {
    yes: Math.log(raised / pooled),
    no: Math.log((1 - raised) / (1 - pooled)),
    pastYes: Math.log(share / pooled),
    pastNo: Math.log((1 - share) / (1 - pooled)),
  };
}

type StratumOf = (review: TestedReview) => string;

/** Of the training alone, so that no bet depends on the reviews that settle it. */
function estimateShares(training: readonly TestedReview[], stratumOf: StratumOf) {
  const byStratum = groupBy(training, stratumOf);
  const countYes = (reviews: readonly TestedReview[], question: number): number =>
    reviews.filter((one) => hasMark(one, question)).length;
  /** null: in all strata together. */
  return (stratum: string | null, question: number): number => {
    const own = stratum === null ? [] : (byStratum.get(stratum) ?? []);
    const common = (countYes(training, question) + 0.5) / (training.length + 1);
    return (countYes(own, question) + priorCount * common) / (own.length + priorCount);
  };
}

function meanWealth(logs: Float64Array, question: number): number {
  let sum = 0;
  for (let gambler = 0; gambler < gamblerCount; gambler += 1)
    sum += Math.exp(logs[question * gamblerCount + gambler] ?? 0);
  return sum / gamblerCount;
}
