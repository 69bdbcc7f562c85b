// A digest in plain English sentences.

import { nameTopic } from "../../../analysis/sentence-words.ts";
import type { Digest, DuplicateGroup, Spike } from "../../../domain/changes/digest.ts";
import type { Verdict } from "../../../domain/changes/verdict.ts";
import { languageName } from "../../../lib/place-names.ts";
import { shortDay } from "../../../lib/readable-date.ts";
import type { FoundPhrase } from "./new-phrases.ts";
import type { FoundSpike } from "./spikes.ts";

export function describeSpike(spike: FoundSpike): string {
  const { subject, value, count, total } = spike;
  const shares = describeShares(spike);
  const of = `${count} of ${countOf(total, "review")}`;
  if (subject === "reviews") return `${countOf(count, "review")} came in; ${describeUsual(spike)}.`;
  if (subject === "fewer")
    return `Only ${countOf(count, "review")} came in; ${describeUsual(spike)}.`;
  if (subject === "rating" && value === "five_stars") return `${of} have five stars: ${shares}.`;
  if (subject === "rating")
    return `The rating went ${value}: ${of} have one or two stars, ${shares}.`;
  if (subject === "negative") return `${of} are negative: ${shares}.`;
  if (subject === "version")
    return `${count} of the ${countOf(total, "review")} of version ${value} are negative: ${shares}.`;
  if (subject === "language") return `${of} are in ${languageName(value)}: ${shares}.`;
  return `${of} complain about ${nameTopic(value)}: ${shares}.`;
}

function describeShares({ count, total, countBefore, totalBefore }: FoundSpike): string {
  return `${Math.round((100 * count) / Math.max(1, total))}% now, ${countBefore} of ${totalBefore} before`;
}

function describeUsual({ expected }: FoundSpike): string {
  if (expected < 0.5) return "usually there are none";
  return `about ${Math.max(1, Math.round(expected))} would be usual`;
}

/** Its counts are of the reviews in its language. */
export function describePhrase(found: FoundPhrase, since: string): string {
  const { phrase, language, count, countBefore, total, totalBefore } = found;
  const what = countBefore === 0 ? "is new" : "is more frequent";
  const where = language === "und" ? "" : ` in ${languageName(language)}`;
  const says = count === 1 ? "says" : "say";
  return `“${phrase}” ${what} ${since}: ${count} of ${countOf(total, "review")}${where} ${says} it, ${countBefore} of ${totalBefore} before.`;
}

export function describeDuplicates({ count }: Pick<DuplicateGroup, "count">): string {
  return `${count} reviews have nearly the same text; they count once.`;
}

/** The most important first: how much there was, what rose, what is new, what repeats. */
export function describeDigest(
  digest: Omit<Digest, "sentences">,
  verdicts: readonly Pick<Verdict, "version" | "outcome" | "words">[],
): string[] {
  const { spikes, newPhrases, duplicates } = digest;
  const isChanged = verdicts.some(({ outcome }) => !unchanged.includes(outcome));
  const isQuiet = spikes.length === 0 && newPhrases.length === 0;
  return [
    describeVolume(digest),
    ...verdicts.map(({ version, words }) => `Version ${version}: ${words}`),
    ...spikes.filter(({ subject }) => !isVolume(subject)).map(({ sentence }) => sentence),
    ...newPhrases.map(({ sentence }) => sentence),
    ...duplicates.map(({ sentence }) => sentence),
    ...(isQuiet && digest.reviews.total > 0 ? [describeQuiet(digest, isChanged)] : []),
  ];
}

function isVolume(subject: Spike["subject"]): boolean {
  return subject === "reviews" || subject === "fewer";
}

function describeVolume(digest: Omit<Digest, "sentences">): string {
  const { total, expected, averageRating, averageRatingBefore } = digest.reviews;
  const since = describeRange(digest);
  if (total === 0) return `${since} there were no reviews.`;
  const volume =
    expected === null ? "" : `, ${compareVolume({ total, expected, spikes: digest.spikes })}`;
  const stars = averageRating === null ? "" : `, with ${averageRating.toFixed(2)} stars on average`;
  const before =
    averageRating === null || averageRatingBefore === null
      ? ""
      : ` (${averageRatingBefore.toFixed(2)} before)`;
  return `${since} there ${total === 1 ? "was" : "were"} ${countOf(total, "review")}${volume}${stars}${before}.`;
}

function describeRange({ version, range }: Pick<Digest, "version" | "range">): string {
  if (version === null && range.from === range.to) return `On ${shortDay(range.from)}`;
  const days = `from ${shortDay(range.from)} to ${shortDay(range.to)}`;
  return version === null ? `F${days.slice(1)}` : `Since version ${version}, ${days},`;
}

function compareVolume(input: {
  total: number;
  expected: number;
  spikes: readonly Spike[];
}): string {
  const { total, expected } = input;
  const isSpike = input.spikes.some(({ subject }) => subject === "reviews");
  if (input.spikes.some(({ subject }) => subject === "fewer"))
    return `far fewer than the ${Math.round(expected)} that would be usual`;
  if (isSpike && expected >= 1) return `${(total / expected).toFixed(1)} times as many as usual`;
  return isSpike ? "where there are usually none" : `${Math.round(expected)} would be usual`;
}

/** A release that is not among these changed something. */
const unchanged: readonly Verdict["outcome"][] = ["fine", "too_early"];

function describeQuiet({ baseline }: Pick<Digest, "baseline">, isChanged: boolean): string {
  if (baseline === null) return "There are too few earlier reviews to compare with.";
  return `Nothing ${isChanged ? "else " : ""}changed beyond what is usual.`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
