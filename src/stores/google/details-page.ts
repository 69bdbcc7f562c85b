// Parses an app's page in Google Play: name, icon and ratings. The blocks of data on the page are
// numbered anew with every redesign, so the right one is found by its call and its shape.
import type { AppFacts } from "../../domain/app-facts.ts";
import type { Histogram, RatingReading } from "../../domain/snapshot.ts";
import { countAt, listAt, numberAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { appNameMax, parseStars, sourceText, webUrl } from "../source-text.ts";
import { parseDetailsFacts } from "./details-facts.ts";
import { allBlocks, blocksOf, fieldAt } from "./page-blocks.ts";

export type DetailsPage = {
  name: string;
  iconUrl: string;
  /** null: the page has none that can be right. */
  ratings: RatingReading | null;
  /** In the language and country of the page; null where it is not shown. */
  reviewCount: number | null;
  facts: AppFacts;
};

/** null: no page of the app. One without its name is an experiment of the store. */
export function parseDetailsPage(html: string, packageName: string): DetailsPage | null {
  const details = findDetails(html, packageName);
  const summary = findSummary(html, packageName);
  if (details === null && summary === null) return null;
  const field = (number: number) => fieldAt(details, number);
  const name = sourceText(textAt(field(0), 0) ?? textAt(summary, "name"), appNameMax);
  if (name === "") return null;
  const iconUrl = webUrl(textAt(field(95), 0, 3, 2) ?? textAt(summary, "image"));
  const facts = parseDetailsFacts(details);
  // Where other things are missing, too, the absence of ratings does not mean that the app has zero.
  const isWhole = iconUrl !== "" && Object.values(facts).some((fact) => fact !== null);
  const ratings =
    parseRatings({ details, summary }) ?? (isWhole ? unrated(details, summary) : null);
  return { name, iconUrl, ratings, reviewCount: countAt(field(ratingsField), 3, 1), facts };
}

/** null: ratings are shown, and can't be right. */
function unrated(details: unknown[] | null, summary: unknown): RatingReading | null {
  const block = fieldAt(details, ratingsField);
  const isShown =
    (block !== null && countAt(block, 2, 1) !== 0) || valueAt(summary, "aggregateRating") !== null;
  return isShown ? null : { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] };
}

/** The call that returns an app's details, whatever the number of its block. */
const detailsRpcId = "Ws7gDc";
const nameField = 0;
const ratingsField = 51;
const packageField = 77;

function findDetails(html: string, packageName: string): unknown[] | null {
  const detailsIn = (blocks: readonly unknown[]): unknown[][] =>
    blocks.map((data) => listAt(data, 1, 2)).filter((details) => details !== null);
  const found = detailsIn(blocksOf(html, detailsRpcId));
  const packageOf = (details: unknown[]): string | null =>
    textAt(fieldAt(details, packageField), 0);
  // Another block of the same call has the ratings of one kind of device only: it is short.
  const isComplete = (details: unknown[]): boolean =>
    details.length > 100 && textAt(fieldAt(details, nameField), 0) !== null;
  return (
    found.find((details) => packageOf(details) === packageName) ??
    found.find((details) => packageOf(details) === null && isComplete(details)) ??
    // A call under another name returns the same shape.
    detailsIn(allBlocks(html)).find((details) => packageOf(details) === packageName) ??
    null
  );
}

/** The summary for search engines: fewer facts, in a form that hardly ever changes. */
function findSummary(html: string, packageName: string): unknown {
  for (const [, json] of html.matchAll(
    /<script\b[^>]*type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs,
  )) {
    const summary = parseJson(json ?? "");
    if (textAt(summary, "@type") !== "SoftwareApplication") continue;
    const [, named = packageName] = /[?&]id=([\w.]+)/.exec(textAt(summary, "url") ?? "") ?? [];
    if (named === packageName) return summary;
  }
  return null;
}

function parseRatings(page: { details: unknown[] | null; summary: unknown }): RatingReading | null {
  const { details, summary } = page;
  const block = fieldAt(details, ratingsField);
  const average = parseStars(numberAt(block, 0, 1));
  const total = countAt(block, 2, 1);
  if (total !== null && total > 0 && average !== null) {
    return { average, total, histogram: parseHistogram(block) };
  }
  return parseSummaryRatings(valueAt(summary, "aggregateRating"));
}

function parseSummaryRatings(rating: unknown): RatingReading | null {
  const average = parseStars(Number(valueAt(rating, "ratingValue") ?? Number.NaN));
  const total = Number(valueAt(rating, "ratingCount") ?? Number.NaN);
  if (average === null || !Number.isSafeInteger(total) || total <= 0) return null;
  return { average, total, histogram: null };
}

/** Counts are at positions 1 to 5, each beside its printed form. */
function parseHistogram(block: unknown): Histogram | null {
  const counts = [1, 2, 3, 4, 5].map((stars) => countAt(block, 1, stars, 1));
  return counts.every((count) => count !== null) ? (counts as unknown as Histogram) : null;
}
