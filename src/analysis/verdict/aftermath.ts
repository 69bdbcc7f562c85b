// Whether a later release ended the complaints that made one worse. Reviews are counted by the version that they name: a
// reviewer who hasn't updated says nothing about the later release.
import { differenceOf, type Share } from "../../domain/share-difference.ts";
import type { Aftermath, Verdict } from "../../domain/verdict.ts";

type NamedReview = { version: string; isComplaint: boolean; isPraise: boolean };

/** With fewer reviews of the later release nothing can be said. */
const reviewsMin = 5;

/**
 * @param input.reviews of the days since the next release; any versions
 * @param input.own complaints among the reviews of the release itself
 * @param input.usual the same among its past
 */
export function judgeAftermath(input: {
  question: string;
  version: string;
  laterVersions: readonly string[];
  reviews: readonly NamedReview[];
  own: Share;
  usual: Share;
}): Aftermath {
  const { question, version, laterVersions, reviews, own, usual } = input;
  const later = reviews.filter((one) => laterVersions.includes(one.version));
  const count = later.filter(({ isComplaint }) => isComplaint).length;
  const now = { count, total: later.length };
  const isComplaintWith = (isOf: (version: string) => boolean): number =>
    reviews.filter((one) => one.isComplaint && isOf(one.version)).length;
  return {
    state: stateOf({ now, own, usual }),
    question,
    version: laterVersions[0] ?? "",
    laterVersions: [...laterVersions],
    ...now,
    praiseCount: later.filter(({ isPraise }) => isPraise).length,
    ownCount: own.count,
    ownTotal: own.total,
    stragglerCount: isComplaintWith((named) => named === version),
    unknownCount: isComplaintWith((named) => named === ""),
  };
}

function stateOf({ now, own, usual }: Record<"now" | "own" | "usual", Share>): Aftermath["state"] {
  if (now.total < reviewsMin) return "too_early";
  if (differenceOf(usual, now).low > 0) return "not_fixed";
  return differenceOf(own, now).high < 0 ? "fixed" : "too_early";
}

/** The verdict and its aftermath in one word. */
export function findOutcome(
  {
    result,
    shares,
    pastCount,
    reviewCount,
  }: Pick<Verdict, "result" | "shares" | "pastCount" | "reviewCount">,
  aftermath: Aftermath | null,
): Verdict["outcome"] {
  if (result === "undecided") return "too_early";
  if (result === "worse")
    return aftermath === null || aftermath.state === "too_early" ? "worse" : aftermath.state;
  const negative = shares.find(({ question }) => question === "negative");
  if (!negative) return "fine";
  const of = (share: number, total: number): Share => ({ count: Math.round(share * total), total });
  const { high } = differenceOf(of(negative.pastShare, pastCount), of(negative.share, reviewCount));
  return high < 0 ? "better" : "fine";
}
