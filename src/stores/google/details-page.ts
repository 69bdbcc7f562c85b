// Parses an app's page in Google Play: name, icon and ratings. The blocks of data on the page are
// numbered anew with every redesign, so the right one is found by its call and its shape.
import type { AppFacts } from "../../domain/feed/app-facts.ts";
import type { Histogram, RatingReading } from "../../domain/review/snapshot.ts";
import { parseJson, textAt, valueAt } from "../../lib/json.ts";
import { type GoogleApp, type GoogleAppShape, googleApp } from "../shapes/google-shapes.ts";
import { readItem } from "../shapes/shape.ts";
import { appNameMax, parseStars, sourceText, webUrl } from "../source-text.ts";
import { plainText, toAppFacts } from "./details-facts.ts";
import { allBlocks, blocksOf } from "./page-blocks.ts";

export type DetailsPage = {
  name: string;
  /** "" where the page has none. */
  developer: string;
  iconUrl: string;
  /** null: the page has none that can be right. */
  ratings: RatingReading | null;
  /** In the language and country of the page; null where it is not shown. */
  reviewCount: number | null;
  facts: AppFacts;
};

/** Whether the ratings are those of the summary, or missing. */
export function isPartial({ ratings }: DetailsPage): boolean {
  return !ratings?.histogram;
}

/** null: no page of the app. One without its name is an experiment of the store. */
export function parseDetailsPage(
  html: string,
  packageName: string,
  shape: GoogleAppShape = googleApp,
): DetailsPage | null {
  // A learned shape leads through all blocks of the page.
  const learned = shape === googleApp ? null : readItem(shape, allBlocks(html));
  const isLearned = learned?.packageName === packageName;
  const details = isLearned ? null : findDetails(html, packageName);
  const summary = findSummary(html, packageName);
  if (!isLearned && details === null && summary === null) return null;
  const app = isLearned ? learned : readItem(googleApp, details);
  // The summary's name stays where it is when others, such as the developer's, change places.
  const name = sourceText(plainText(textAt(summary, "name")) ?? app.name, appNameMax);
  if (name === "") return null;
  const developer = sourceText(app.developer, appNameMax);
  const iconUrl = webUrl(app.icon ?? textAt(summary, "image"));
  const facts = toAppFacts(app);
  // Where other things are missing, too, the absence of ratings does not mean that the app has zero.
  const isWhole = iconUrl !== "" && Object.values(facts).some((fact) => fact !== null);
  const rating = valueAt(summary, "aggregateRating");
  const isShown = (app.ratings !== null && app.total !== 0) || rating !== null;
  const ratings =
    toReading(app) ?? parseSummaryRatings(rating) ?? (isWhole && !isShown ? unrated : null);
  return { name, developer, iconUrl, ratings, reviewCount: app.reviewCount, facts };
}

const unrated: RatingReading = { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] };

/** The call that returns an app's details, whatever the number of its block. */
const detailsRpcId = "Ws7gDc";

function findDetails(html: string, packageName: string): unknown[] | null {
  const detailsIn = (blocks: readonly unknown[]) =>
    blocks.flatMap((data) => {
      const details = valueAt(data, ...googleApp.root);
      return Array.isArray(details) ? [{ details, app: readItem(googleApp, details) }] : [];
    });
  const found = detailsIn(blocksOf(html, detailsRpcId));
  type Found = (typeof found)[number];
  const isNamed = ({ app }: Found): boolean => app.packageName === packageName;
  // Another block of the same call has the ratings of one kind of device only: it is short.
  const isComplete = ({ details, app }: Found): boolean =>
    app.packageName === null && details.length > 100 && app.name !== null;
  const best =
    found.find(isNamed) ??
    found.find(isComplete) ??
    // A call under another name returns the same shape.
    detailsIn(allBlocks(html)).find(isNamed);
  return best?.details ?? null;
}

/** Bounded, because the text after a tag without an end would be read again for each of its attributes. */
const summaryScript = /<script\b[^<>]{0,500}type="application\/ld\+json"[^<>]{0,500}>(.*)$/s;

/** The summary for search engines: fewer facts, in a form that hardly ever changes. */
function findSummary(html: string, packageName: string): unknown {
  for (const script of html.split("</script>")) {
    const json = summaryScript.exec(script)?.[1];
    const summary = json === undefined ? null : parseJson(json);
    if (textAt(summary, "@type") !== "SoftwareApplication") continue;
    const [, named = packageName] = /[?&]id=([\w.]+)/.exec(textAt(summary, "url") ?? "") ?? [];
    if (named === packageName) return summary;
  }
  return null;
}

/** null without ratings that can be right. */
function toReading(app: GoogleApp): RatingReading | null {
  const average = parseStars(app.average);
  if (app.total === null || app.total === 0 || average === null) return null;
  const { oneStar, twoStars, threeStars, fourStars, fiveStars } = app;
  const counts = [oneStar, twoStars, threeStars, fourStars, fiveStars];
  const isWhole = counts.every((count) => count !== null);
  return {
    average,
    total: app.total,
    histogram: isWhole ? (counts as unknown as Histogram) : null,
  };
}

function parseSummaryRatings(rating: unknown): RatingReading | null {
  const average = parseStars(Number(valueAt(rating, "ratingValue") ?? Number.NaN));
  const total = Number(valueAt(rating, "ratingCount") ?? Number.NaN);
  if (average === null || !Number.isSafeInteger(total) || total <= 0) return null;
  return { average, total, histogram: null };
}
