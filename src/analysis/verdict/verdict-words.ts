// A verdict in words: what the reviews say, and after how many of them.
import type { Aftermath, Verdict } from "../../domain/verdict.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";
import { evidenceMin } from "./test-release.ts";

const namedMax = 3;

type Facts = Pick<Verdict, "result" | "shares" | "worseBy"> & {
  /** Until the verdict. */
  reviewCount: number;
  durationMs: number;
  /** The reason for withholding a verdict in spite of the evidence; null without one. */
  obstacle: string | null;
};

/** `After 23 reviews over 19 hours: crash complaints 26% instead of 4%.` */
export function describeVerdict(facts: Facts): string {
  const { result, shares, reviewCount, obstacle } = facts;
  if (obstacle !== null) return obstacle;
  if (reviewCount === 0) return "No review of this version has arrived yet.";
  const after = `After ${countOf(reviewCount, "review")}${describeDuration(facts.durationMs)}`;
  const sure = shares.filter(({ evidence }, at) => at === 0 || evidence >= evidenceMin);
  if (result === "worse") return `${after}: ${listShares(sure.slice(0, namedMax))}.`;
  const usual = shares.filter(({ question }) => question === "negative");
  const points = `${Math.round(facts.worseBy * 100)} points`;
  return result === "fine"
    ? `${after}: no complaint rose by ${points} or more; ${listShares(usual)}.`
    : `${after}, not enough evidence: ${listShares(usual)}.`;
}

/** `Fixed in 4.13.1: 0 of 20 reviews complain, 11 praise it.` */
export function describeAftermath(aftermath: Aftermath): string {
  const { state, version, laterVersions, count, total, praiseCount } = aftermath;
  const start = {
    fixed: "Fixed in",
    not_fixed: "Not fixed in",
    too_early: "Too early to tell for",
  };
  const later = laterVersions.length > 1 ? `${version} and later` : version;
  const verb = count === 1 ? "complains" : "complain";
  const others = [
    ...(praiseCount > 0 ? [`${praiseCount} praise it`] : []),
    ...(aftermath.stragglerCount > 0
      ? [`${countOf(aftermath.stragglerCount, "complaint")} came without the update`]
      : []),
    ...(aftermath.unknownCount > 0
      ? [`${countOf(aftermath.unknownCount, "complaint")} came without a version`]
      : []),
  ];
  const counted = `${count} of ${countOf(total, "review")} ${verb}`;
  return `${start[state]} ${later}: ${[counted, ...others].join(", ")}.`;
}

function listShares(shares: Verdict["shares"]): string {
  const percent = (share: number): string => `${Math.round(share * 100)}%`;
  return shares
    .map(
      ({ question, share, pastShare }) =>
        `${nameQuestion(question)} ${percent(share)} instead of ${percent(pastShare)}`,
    )
    .join(", ");
}

function nameQuestion(question: string): string {
  if (question === "negative") return "negative reviews";
  if (question === "low_stars") return "reviews with 1 or 2 stars";
  return `${question.replaceAll("_", " ")} complaints`;
}

function describeDuration(durationMs: number): string {
  if (durationMs < hourMs) return "";
  if (durationMs < 2 * dayMs) return ` over ${countOf(Math.round(durationMs / hourMs), "hour")}`;
  return ` over ${countOf(Math.round(durationMs / dayMs), "day")}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
