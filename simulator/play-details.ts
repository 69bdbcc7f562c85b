// A minimal details page of Google Play: the map from blocks to calls, the block of the app, a similar one
// with other numbers, and the ld+json summary.

import { sumUp } from "./histograms.ts";
import { reviewItems } from "./play-batch.ts";
import type { SimulatedApp, StoreFacts } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import { errorResponse, htmlResponse, type StoreResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

export function handleDetails(storeState: StoreState, request: StoreRequest): StoreResponse {
  const { externalAppId, region } = request;
  const app = storeState.appNow({ store: "googleplay", externalAppId }, region);
  if (!app)
    return errorResponse(404, "We're sorry, the requested URL was not found on this server.");
  const histogram = storeState.ratingsNow(app, request.region);
  const language = (request.url.searchParams.get("hl") ?? "en").split("-")[0] ?? "en";
  const list = storeState.reviewList(app, language);
  const shown = list.slice(0, shownReviewsMax).map(reviewItems);
  return detailsResponse(app, histogram, { count: list.length, shown });
}

const shownReviewsMax = 20;

export function detailsResponse(
  app: SimulatedApp,
  histogram: readonly [number, number, number, number, number] | null,
  reviews: { count: number; shown: readonly unknown[] } = { count: 0, shown: [] },
): StoreResponse {
  const fields = detailsFields(app, histogram, reviews.count);
  const blocks = [
    { key: "ds:3", rpcId: "CLXjtf", data: [[1, `/store/apps/details?id=${app.externalAppId}`]] },
    { key: "ds:9", rpcId: "Ws7gDc", data: [[[[]]], [null, null, [phoneRatings]]] },
    { key: "ds:5", rpcId: "Ws7gDc", data: [[[[]]], [null, null, fields]] },
    { key: "ds:10", rpcId: "oCPfdb", data: [reviews.shown, [null, "shown"], []] },
  ];
  const summary =
    `<script type="application/ld+json" nonce="x">` +
    `${scriptSafe(summaryOf(app, histogram))}</script>`;
  return htmlResponse(200, blocksPage(app.externalAppId, blocks) + summary);
}

type Block = { key: string; rpcId: string; data: unknown };

/** A page of blocks, and the map from each block to its call. */
export function blocksPage(title: string, blocks: readonly Block[]): string {
  const services = blocks
    .map(({ key, rpcId }) => `'${key}' : {id:'${rpcId}',request:[["${title}",7]]}`)
    .join(",");
  const callbacks = blocks
    .map(
      ({ key, data }, index) =>
        `<script class="${key}" nonce="x">AF_initDataCallback({key: '${key}', hash: '${index}', ` +
        `data:${scriptSafe(data)}, sideChannel: {}});</script>`,
    )
    .join("");
  return (
    `<!doctype html><html><head><title>${title}</title>` +
    `<script nonce="x">var AF_dataServiceRequests = {${services}}; ` +
    `var AF_initDataChunkQueue = [];</script></head><body>${callbacks}`
  );
}

/** Ratings on phones only: the right shape with numbers that must not be used. */
const phoneRatings = {
  "52": [
    ["4.9", 4.9],
    [null, ["1", 1], ["1", 1], ["1", 1], ["1", 1], ["96", 96]],
    ["100", 100],
  ],
};

type Counts = readonly [number, number, number, number, number] | null;

export function detailsFields(app: SimulatedApp, histogram: Counts, reviewCount = 0): unknown[] {
  const fields = new Array<unknown>(155).fill(null);
  fields[0] = [app.name];
  fields[18] = [2];
  fields[51] = histogram ? ratingsOf(histogram, reviewCount) : null;
  fields[57] = [[[[[1], [1], null, [1]]]]];
  fields[68] = [app.developer];
  fields[77] = [app.externalAppId];
  fields[79] = [[["Productivity", null, "PRODUCTIVITY"]]];
  fields[95] = [[null, 2, [512, 512], [null, null, app.iconUrl]]];
  fields[140] = [[[app.version]]];
  fields[145] = [["Jan 1, 2026", [1_767_225_600, 0]]];
  if (app.facts) addFacts(fields, app.facts);
  return fields;
}

function addFacts(fields: unknown[], facts: StoreFacts): void {
  const { installs, price, currency, genre, releaseNotes, releasedAt } = facts;
  fields[13] = [`${installs}+`, installs, installs];
  fields[57] = [[[[[1, [[price * 1_000_000, currency, ""]]]]]]];
  fields[79] = [[[genre, null, genre.toUpperCase()]]];
  fields[144] = [null, [null, releaseNotes.replaceAll("&", "&amp;").replaceAll("\n", "<br>")]];
  fields[145] = [["", [releasedAt.getTime() / 1_000, 0]]];
}

function ratingsOf(histogram: NonNullable<Counts>, reviewCount: number): unknown[] {
  const { average, total } = sumUp(histogram);
  const formatCount = (count: number): [string, number] => [count.toLocaleString("en-US"), count];
  return [
    [average.toFixed(1), Number(average.toFixed(5))],
    [null, ...histogram.map(formatCount)],
    formatCount(total),
    formatCount(reviewCount),
    null,
    [null, []],
  ];
}

function summaryOf(app: SimulatedApp, histogram: Counts): unknown {
  const { average, total } = sumUp(histogram ?? [0, 0, 0, 0, 0]);
  return {
    "@context": "https://schema.org",
    "@type": "SoftwareApplication",
    name: app.name,
    image: app.iconUrl,
    operatingSystem: "ANDROID",
    ...(total > 0
      ? { aggregateRating: { ratingValue: String(average), ratingCount: String(total) } }
      : {}),
  };
}

function scriptSafe(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c").replaceAll("=", "\\u003d");
}
