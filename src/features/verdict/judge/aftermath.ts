// Whether a later release ended what made one worse. Reviews are counted by the version that they name: a reviewer who
// hasn't updated says nothing about the later release, and a later release that is worse itself says nothing about this one.
import { intervalOf, type Share } from "../../../domain/changes/share-difference.ts";
import type { Aftermath, Verdict } from "../../../domain/changes/verdict.ts";
import { complaintTopics, markOf } from "./questions.ts";

type NamedReview = { version: string; marks: number; isPraise: boolean };

/** A later release, and whether its own verdict is `worse`. */
type Follower = { version: string; isWorse: boolean };

/** How many reviews answer each question with yes. */
export type QuestionCounts = { total: number; countOf: (question: string) => number };

type AftermathInput = {
  version: string;
  /** The causes of the verdict, the most telling first. */
  questions: readonly string[];
  /** The releases after it, oldest first. */
  followers: readonly Follower[];
  /** Since the next release; of any version. */
  reviews: readonly NamedReview[];
  own: QuestionCounts;
  /** null where no day before is covered. */
  before: QuestionCounts | null;
};

/** With fewer reviews of a later release nothing can be said. */
const reviewsMin = 8;
/** A release with this many is judged alone; with fewer, those after it count as well. */
const enough = 15;
/** Without this many earlier reviews it is unknown what is usual. */
const beforeMin = 20;
/**
 * The bounds of the intervals: wider than those of 95 %, because the sentence is read again after each review. `npm run
 * bench:verdict` measures how often it is false.
 */
const z = { fixed: 2.58, notFixed: 3.5 };
/** A cause has ended when at most this part of its rise is left. */
const leftMax = 1 / 4;

export function judgeAftermath(input: AftermathInput): Aftermath {
  const { followers } = input;
  const end = followers.findIndex(({ isWorse }, at) => at > 0 && isWorse);
  const counted = end === -1 ? followers : followers.slice(0, end);
  const trouble = (end === -1 ? undefined : followers[end]?.version) ?? null;
  const first = takeEnough(counted, input.reviews);
  const rest = counted.slice(first.length);
  const judge = (of: readonly Follower[]): Aftermath => judgeVersions(of, { ...input, trouble });
  const alone = judge(counted.slice(0, 1));
  // A fix stays one, whatever the release after it brings.
  const now = alone.state === "fixed" ? alone : judge(first);
  if (rest.length === 0 || now.state === "fixed") return now;
  const later = judge(rest);
  return later.state === "fixed" ? later : now;
}

/** The next release, with those after it while their reviews are too few. */
function takeEnough(
  followers: readonly Follower[],
  reviews: readonly NamedReview[],
): readonly Follower[] {
  let count = 0;
  const end = followers.findIndex(({ version }) => {
    count += reviews.filter((one) => one.version === version).length;
    return count >= enough;
  });
  return end === -1 ? followers : followers.slice(0, end + 1);
}

function judgeVersions(
  judged: readonly Follower[],
  input: AftermathInput & { trouble: string | null },
): Aftermath {
  const { version, questions, reviews, own, before } = input;
  const names = judged.map((one) => one.version);
  const later = reviews.filter((one) => names.includes(one.version));
  const countOf = (of: readonly NamedReview[], question: string): number =>
    of.filter(({ marks }) => (marks & markOf(question)) !== 0).length;
  const isTroubled = judged[0]?.isWorse === true;
  const hasTopic = questions.some((question) => complaintTopics.has(question));
  const counts = questions.map((question) => {
    const count = countOf(later, question);
    const shares = {
      now: { count, total: later.length },
      own: { count: own.countOf(question), total: own.total },
      usual: { count: before?.countOf(question) ?? 0, total: before?.total ?? 0 },
    };
    const state = stateOf(shares);
    // Other complaints raise these shares, too: without the topic's own they don't say that it goes on.
    const isOther =
      (hasTopic || isTroubled) && !complaintTopics.has(question) && state === "not_fixed";
    return {
      question,
      state: isOther ? ("too_early" as const) : state,
      isOver: hasEnded(shares),
      ...{ count, ownCount: shares.own.count, countBefore: shares.usual.count },
    };
  });
  const [leading = ""] = questions;
  const since = (isOf: (named: string) => boolean): number =>
    countOf(
      reviews.filter((one) => isOf(one.version)),
      leading,
    );
  return {
    state: stateOfAll(counts),
    question: leading,
    version: names[0] ?? "",
    laterVersions: names,
    troubleVersion: isTroubled ? (names[0] ?? null) : input.trouble,
    count: counts[0]?.count ?? 0,
    total: later.length,
    praiseCount: later.filter(({ isPraise }) => isPraise).length,
    questions: counts.map(({ isOver: _, ...one }) => one),
    ownCount: own.countOf(leading),
    ownTotal: own.total,
    stragglerCount: since((named) => named === version),
    unknownCount: since((named) => named === ""),
  };
}

type Judged = { state: Aftermath["state"]; isOver: boolean };

function stateOfAll(counts: readonly Judged[]): Aftermath["state"] {
  if (counts.some(({ state }) => state === "not_fixed")) return "not_fixed";
  const areOver = counts[0]?.state === "fixed" && counts.every(({ isOver }) => isOver);
  return areOver ? "fixed" : "too_early";
}

type Shares = Record<"now" | "own" | "usual", Share>;

function stateOf({ now, own, usual }: Shares): Aftermath["state"] {
  if (now.total < reviewsMin || usual.total < beforeMin) return "too_early";
  if (intervalOf({ first: usual, second: now, z: z.notFixed }).low > 0) return "not_fixed";
  const isFewer = intervalOf({ first: own, second: now, z: z.fixed }).high < 0;
  return isFewer && hasEnded({ now, own, usual }) ? "fixed" : "too_early";
}

/** Whether the share is about as usual: the chance of a few reviews, and not a rest of the rise. */
function hasEnded({ now, own, usual }: Shares): boolean {
  const part = ({ count, total }: Share): number => count / Math.max(1, total);
  return part(now) - part(usual) <= leftMax * (part(own) - part(usual));
}

/** The verdict and its aftermath in one word. */
export function findOutcome(
  { result, shares, before }: Pick<Verdict, "result" | "shares" | "before">,
  aftermath: Aftermath | null,
): Verdict["outcome"] {
  if (result === "undecided") return "too_early";
  if (result === "worse")
    return aftermath === null || aftermath.state === "too_early" ? "worse" : aftermath.state;
  const negative = shares.find(({ question }) => question === "negative");
  if (!negative || before === null) return "fine";
  const { count, total, countBefore } = negative;
  const usual = { count: countBefore, total: before.total };
  return intervalOf({ first: usual, second: { count, total } }).high < 0 ? "better" : "fine";
}
