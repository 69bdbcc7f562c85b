// The ratings of an app in one storefront, from the best of three places. The product page comes first,
// because a series should rest on one source; the page of customer reviews stands in for its
// histogram, and the lookup, which has none, is the one that can say that an app is not sold.
import type { RatingReading } from "../../domain/snapshot.ts";
import { readAnswer, unknown } from "../response-check.ts";
import type { AppInRegion, Fetched } from "../store.ts";
import { type AppleClient, appleName, productPageUrl } from "./apple-client.ts";
import { lookUp } from "./lookup-client.ts";
import { parseProductPage } from "./product-page-ratings.ts";
import { parseRatingsHtml } from "./ratings-page.ts";
import { storefrontIdOf } from "./storefront-ids.ts";

export async function fetchRatings(
  client: AppleClient,
  app: AppInRegion,
): Promise<Fetched<RatingReading>> {
  const page = readAnswer(await client.get(productPageUrl(client, app)), { store: appleName });
  const shown = page.kind === "answered" ? parseProductPage(page.text, app.externalAppId) : null;
  if (shown !== null && shown.total > 0) {
    const reading = await withHistogram(client, { app, reading: shown });
    const isExact = reading.histogram !== null;
    return {
      outcome: "ok",
      value: isExact ? reading : await withAverage(client, { app, reading }),
    };
  }
  const found = await lookUp(client, app);
  if ("outcome" in found) return found;
  if (found.kind === "not_found") return { outcome: "empty" };
  if (found.ratings === null) return unknown(`${appleName} sent ratings that can't be right`);
  return { outcome: "ok", value: await withHistogram(client, { app, reading: found.ratings }) };
}

/** Another source with a histogram, where it agrees; else the reading itself. */
async function withHistogram(
  client: AppleClient,
  { app, reading }: { app: AppInRegion; reading: RatingReading },
): Promise<RatingReading> {
  if (reading.histogram !== null) return reading;
  const counted = await fetchCounted(client, app);
  return counted !== null && agree(counted, reading) ? counted : reading;
}

/** Without counts the page tells one decimal, which would look like a fall beside the days with more. */
async function withAverage(
  client: AppleClient,
  { app, reading }: { app: AppInRegion; reading: RatingReading },
): Promise<RatingReading> {
  const found = await lookUp(client, app);
  const told = "kind" in found && found.kind === "found" ? found.ratings : null;
  return told !== null && told.total > 0 && agree(told, reading)
    ? { ...reading, average: told.average }
    : reading;
}

/** null where it does not help: nothing there, or nothing that can be right. */
async function fetchCounted(client: AppleClient, app: AppInRegion): Promise<RatingReading | null> {
  const storefrontId = storefrontIdOf(app.region);
  if (storefrontId === null) return null;
  const path = `/${app.region}/customer-reviews/id${app.externalAppId}?displayable-kind=11`;
  const answer = await client.get(`${client.itunesBaseUrl}${path}`, {
    "x-apple-store-front": `${storefrontId},12`,
  });
  const read = readAnswer(answer, { store: appleName });
  const counted = read.kind === "answered" ? parseRatingsHtml(read.text) : null;
  return counted !== null && counted.total > 0 ? counted : null;
}

/** Two pages are refreshed minutes apart; more than that is another app or another storefront. */
const totalSlack = 0.05;
const averageSlack = 0.15;

function agree(counted: RatingReading, shown: RatingReading): boolean {
  const isClose = Math.abs(counted.total - shown.total) <= Math.max(5, shown.total * totalSlack);
  return isClose && Math.abs(counted.average - shown.average) <= averageSlack;
}
