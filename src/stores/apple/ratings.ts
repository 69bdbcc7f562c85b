// The ratings of an app in one storefront, from the best of three places. The product page comes first,
// because a series of days should have one source; the page of customer reviews replaces its histogram
// where it has none, and only the lookup says for sure that an app is not sold.

import type { Histogram, RatingReading } from "../../domain/review/snapshot.ts";
import { listTextsOfClass } from "../html-scan.ts";
import { mayHelp, unknownOutcome } from "../response-check.ts";
import { appleRatings } from "../shapes/apple-shapes.ts";
import type { AppInRegion, Fetched } from "../store.ts";
import { type AppleClient, appleName, productPageUrl } from "./apple-client.ts";
import { fetchLookup, ratingsAgeMsMax } from "./lookup-client.ts";
import { findRatingsNode, meanOf, parseRatingsNode, sumOf } from "./product-page-ratings.ts";
import { storefrontIdOf } from "./storefront-names.ts";

export async function fetchRatings(
  client: AppleClient,
  app: AppInRegion,
): Promise<Fetched<RatingReading>> {
  const page = await client.get(productPageUrl(client, app));
  const shown = page.kind === "ok" ? readProductPage(client, app, page.text) : null;
  if (shown !== null && shown.total > 0) {
    const reading = await withHistogram(client, { app, reading: shown });
    const isExact = reading.histogram !== null;
    return {
      outcome: "ok",
      value: isExact ? reading : await withAverage(client, { app, reading }),
    };
  }
  const lookup = await fetchLookup(client, app, { ageMsMax: ratingsAgeMsMax });
  if ("kind" in lookup && lookup.kind === "not_found") return { outcome: "empty" };
  const looked = "kind" in lookup ? lookup.ratings : null;
  if (looked)
    return { outcome: "ok", value: await withHistogram(client, { app, reading: looked }) };
  const trouble =
    "outcome" in lookup ? lookup : unknownOutcome(`${appleName} sent ratings that can't be right`);
  const counted = mayHelp(trouble) ? await fetchRatingsPage(client, app) : null;
  return counted ? { outcome: "ok", value: counted } : trouble;
}

function readProductPage(
  { shapes }: AppleClient,
  app: AppInRegion,
  html: string,
): RatingReading | null {
  const node = findRatingsNode(html, app.externalAppId);
  const shape = shapes.find("apple-ratings");
  const shown = parseRatingsNode(node, shape);
  const isWhole = shown !== null && shown.histogram !== null;
  if (node && (!isWhole || shape !== appleRatings))
    shapes.notePayload("apple-ratings", app, [node]);
  return shown;
}

/** Another source with a histogram, where it agrees; else the reading itself. */
async function withHistogram(
  client: AppleClient,
  { app, reading }: { app: AppInRegion; reading: RatingReading },
): Promise<RatingReading> {
  if (reading.histogram !== null) return reading;
  const counted = await fetchRatingsPage(client, app);
  return counted !== null && agree(counted, reading) ? counted : reading;
}

/** Without counts the page has one decimal, which would look like a drop beside the days with more. */
async function withAverage(
  client: AppleClient,
  { app, reading }: { app: AppInRegion; reading: RatingReading },
): Promise<RatingReading> {
  const lookup = await fetchLookup(client, app, { ageMsMax: ratingsAgeMsMax });
  const exact = "kind" in lookup && lookup.kind === "found" ? lookup.ratings : null;
  return exact !== null && exact.total > 0 && agree(exact, reading)
    ? { ...reading, average: exact.average }
    : reading;
}

/** null where the page has no ratings, or none that can be right. */
async function fetchRatingsPage(
  client: AppleClient,
  app: AppInRegion,
): Promise<RatingReading | null> {
  const storefrontId = storefrontIdOf(app.region);
  if (storefrontId === null) return null;
  const path = `/${app.region}/customer-reviews/id${app.externalAppId}?displayable-kind=11`;
  const headers = { "x-apple-store-front": `${storefrontId},12` };
  const checked = await client.get(`${client.itunesBaseUrl}${path}`, { headers });
  const counted = checked.kind === "ok" ? parseRatingsPage(checked.text) : null;
  return counted !== null && counted.total > 0 ? counted : null;
}

/** Two pages are refreshed minutes apart; more than that is another app or another storefront. */
const totalSlack = 0.05;
const fewRatings = 5;
const averageSlack = 0.15;

function agree(counted: RatingReading, shown: RatingReading): boolean {
  const addedCount = Math.abs(counted.total - shown.total);
  const isClose = addedCount <= Math.max(fewRatings, shown.total * totalSlack);
  // Each of a few moves the average of a small app.
  const movedMax = addedCount <= fewRatings ? (4 * addedCount) / shown.total : 0;
  return isClose && Math.abs(counted.average - shown.average) <= averageSlack + movedMax;
}

const source = "customer reviews page";

/** null: the page has no ratings, or some that contradict each other. */
export function parseRatingsPage(html: string): RatingReading | null {
  const [count = ""] = listTextsOfClass(html, "rating-count");
  const total = wholeNumber(count);
  if (total === null) return null;
  const totals = listTextsOfClass(html, "total").map((text) => wholeNumber(text) ?? Number.NaN);
  const [five, four, three, two, one] = totals;
  const histogram = [one, two, three, four, five] as unknown as Histogram;
  if (totals.length !== 5 || !totals.every(Number.isSafeInteger)) return null;
  if (sumOf(histogram) !== total) return null;
  return { average: meanOf(histogram) ?? 0, total, histogram, source };
}

/** Thousands are separated by comma, point, apostrophe or any space; words may stand around. */
function wholeNumber(text: string): number | null {
  const digits = text
    .replace(/&nbsp;|&#160;|&#xa0;/gi, "\u00a0")
    .replace(/(?<=\d)[.,'’٬\s](?=\d{3}(?!\d))/gu, "")
    .match(/\d+/g);
  // Indian numbers group digits in twos, and two numbers in one text are not a count.
  const whole =
    digits?.length === 1 ? digits[0] : text.replace(/[.,\s]/g, "").match(/^\D*(\d+)\D*$/)?.[1];
  return whole === undefined || whole.length > 12 ? null : Number(whole);
}
