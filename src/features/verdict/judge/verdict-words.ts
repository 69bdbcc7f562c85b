// A verdict in words: what the reviews say, each count with what it is compared with.

import { nameTopic } from "../../../analysis/sentence-words.ts";
import { releaseDays } from "../../../domain/changes/release-periods.ts";
import type { Aftermath, Verdict } from "../../../domain/changes/verdict.ts";
import { evidenceMin } from "../../../domain/changes/verdict.ts";
import { shortDay } from "../../../lib/readable-date.ts";
import { dayMs, hourMs } from "../../../lib/timestamp.ts";

const namedMax = 3;

/** Few stars say the same as negative reviews, in words. */
function chooseNamed<Named extends { question: string }>(shares: readonly Named[]): Named[] {
  const hasNegative = shares.some(({ question }) => question === "negative");
  return shares
    .filter(({ question }, at) => question !== "low_stars" || at === 0 || !hasNegative)
    .slice(0, namedMax);
}

/** The storefront or language in which a release is worst, with its own past. */
export type WorstRegion = {
  name: string;
  question: string;
  count: number;
  total: number;
  countBefore: number;
  totalBefore: number;
};

type Facts = Pick<Verdict, "result" | "shares" | "worseBy" | "before"> & {
  /** Until the verdict. */
  reviewCount: number;
  durationMs: number;
  /** The reason for withholding a verdict in spite of the evidence; null without one. */
  obstacle: string | null;
  /** In how many storefronts or languages its reviews were written. */
  regions: { count: number; noun: string };
  worstRegion: WorstRegion | null;
};

/** The questions that made a release worse, the most telling first. */
export function listCauses({ shares }: Pick<Verdict, "shares">): Verdict["shares"] {
  return shares.filter(({ evidence }, at) => at === 0 || evidence >= evidenceMin);
}

/** `After 23 reviews over 19 hours: 6 of 23 complain about crashes (1 of 84 in the 12 weeks before).` */
export function describeVerdict(facts: Facts): string {
  const { result, shares, reviewCount, obstacle, before } = facts;
  if (obstacle !== null) return obstacle;
  if (reviewCount === 0) return "No review of this version has arrived yet.";
  const after = `After ${countOf(reviewCount, "review")}${describeDuration(facts.durationMs)}`;
  const region = describeRegion(facts);
  if (result === "worse")
    return `${after}: ${listShares(chooseNamed(listCauses(facts)), before)}.${region}`;
  const usual = listShares(
    shares.filter(({ question }) => question === "negative"),
    before,
  );
  const points = `${Math.round(facts.worseBy * 100)} points`;
  const { count, noun } = facts.regions;
  const average = count > 1 ? ` on average over ${count} ${noun}` : "";
  return result === "fine"
    ? `${after}: no complaint rose by ${points} or more${average}; ${usual}.${region}`
    : `${after}, not enough evidence: ${usual}.`;
}

/** ` But in Germany 9 of 20 are negative (3 of 60 earlier ones there).` */
function describeRegion({ result, worstRegion }: Facts): string {
  if (worstRegion === null) return "";
  const { name, question, count, total, countBefore, totalBefore } = worstRegion;
  const start = result === "worse" ? `It is worst in ${name}:` : `But in ${name}`;
  const figures = `${count} of ${total} ${answers(question, count)}`;
  return ` ${start} ${figures} (${countBefore} of ${totalBefore} earlier ones there).`;
}

function listShares(shares: Verdict["shares"], before: Verdict["before"]): string {
  return shares
    .map(({ question, count, total, countBefore }, at) => {
      const figures = `${count} of ${total} ${answers(question, total === 1 ? 1 : count)}`;
      if (before === null) return figures;
      const when = at === 0 ? `in the ${describeDays(before)} before` : "before";
      return `${figures} (${countBefore} of ${before.total} ${when})`;
    })
    .join(", ");
}

function describeDays({ from, to }: { from: string; to: string }): string {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return days % 7 === 0 && days >= releaseDays ? countOf(days / 7, "week") : countOf(days, "day");
}

/** Where the days before are not covered: since when they are. */
export function describeCoverage(since: string | null): string {
  return since === null
    ? "There are no earlier reviews to compare with."
    : `There is no comparison: not every storefront has reviews from before ${shortDay(since)}.`;
}

/** As it reads after "6 of 23", and after "1 of 23". */
function answers(question: string, count: number): string {
  if (question === "negative") return count === 1 ? "is negative" : "are negative";
  if (question === "low_stars") return count === 1 ? "has 1 or 2 stars" : "have 1 or 2 stars";
  return `${count === 1 ? "complains" : "complain"} about ${nameTopic(question)}`;
}

/** `Fixed in 4.13.1: 0 of 20 reviews complain about crashes (9 of 15 in 4.13.0); 11 positive reviews mention crashes.` */
export function describeAftermath(
  aftermath: Aftermath,
  release: { version: string; before: Verdict["before"] },
): string {
  const { total, troubleVersion, version } = aftermath;
  const start = describeState(aftermath);
  if (total === 0) return `${start}.`;
  const text = [listAfter(aftermath, release), ...listNotes(aftermath)].join("; ");
  if (troubleVersion === null) return `${start}: ${text}.`;
  const trouble =
    troubleVersion === version
      ? `${version} is worse itself: see its own verdict.`
      : `Reviews of ${troubleVersion}, which is worse itself, do not count.`;
  return `${start}: ${text}. ${trouble}`;
}

function describeState({ state, version, laterVersions, questions }: Aftermath): string {
  const last = laterVersions.at(-1) ?? version;
  const isOne = last === version;
  if (state === "fixed") return `Fixed ${isOne ? "in" : "by"} ${last}`;
  const range = isOne ? version : `${version} to ${last}`;
  if (state === "not_fixed") return `Not fixed in ${range}`;
  const isPart = questions[0]?.state === "fixed";
  return isPart ? `Fixed in part ${isOne ? "in" : "by"} ${last}` : `Too early to tell for ${range}`;
}

function listNotes({ question, ...counts }: Aftermath): string[] {
  const { praiseCount, stragglerCount, unknownCount } = counts;
  const positive = countOf(praiseCount, "positive review");
  const verb = praiseCount === 1 ? "mentions" : "mention";
  return [
    ...(praiseCount > 0 ? [`${positive} ${verb} ${nameTopic(question)}`] : []),
    ...(stragglerCount > 0
      ? [`${countOf(stragglerCount, "complaint")} came without the update`]
      : []),
    ...(unknownCount > 0 ? [`${countOf(unknownCount, "complaint")} came without a version`] : []),
  ];
}

/** A complaint that goes on is compared with the days before the release, all else with the release. */
function listAfter(
  { state, questions, total, ownTotal }: Aftermath,
  { version, before }: { version: string; before: Verdict["before"] },
): string {
  const isPart = state === "too_early" && questions[0]?.state === "fixed";
  const goesOn = (one: { state: string }): boolean =>
    one.state === "not_fixed" || (isPart && one.state !== "fixed");
  const order = state === "not_fixed" ? [true, false] : [false, true];
  const shown = chooseNamed(order.flatMap((on) => questions.filter((one) => goesOn(one) === on)));
  const firstOwn = shown.findIndex((one) => !goesOn(one) || before === null);
  return shown
    .map(({ question, count, ownCount, countBefore, ...one }, at) => {
      const noun = at === 0 ? ` ${total === 1 ? "review" : "reviews"}` : "";
      const isBefore = goesOn(one) && before !== null;
      const base = isBefore ? `${countBefore} of ${before.total}` : `${ownCount} of ${ownTotal}`;
      const where = isBefore ? ` before ${version}` : at === firstOwn ? ` in ${version}` : "";
      const but = isPart && goesOn(one) && at > 0 ? "but " : "";
      const verb = answers(question, total === 1 ? 1 : count);
      return `${but}${count} of ${total}${noun} ${verb} (${base}${where})`;
    })
    .join(", ");
}

function describeDuration(durationMs: number): string {
  if (durationMs < hourMs) return "";
  if (durationMs < 2 * dayMs) return ` over ${countOf(Math.round(durationMs / hourMs), "hour")}`;
  return ` over ${countOf(Math.round(durationMs / dayMs), "day")}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
