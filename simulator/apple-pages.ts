// Writes Apple's lookup (JSON between blank lines, averages with dozens of decimals) and the product
// page whose embedded JSON holds the histogram, five stars first, as floats.
import { type Answer, errorPage, htmlAnswer, scriptAnswer } from "./answer.ts";
import type { StoreRequest } from "./store-request.ts";
import { noRatings, sumUp, type World, type WorldApp } from "./world.ts";

export function answerLookup(world: World, request: StoreRequest): Answer {
  if (!/^[a-z]{2}$/.test(request.region) || request.region === "uk") {
    return scriptAnswer(400, '{"errorMessage":"Invalid value(s) for key(s): [country]"}');
  }
  const wanted = (request.url.searchParams.get("id") ?? "").split(",");
  const bundle = request.url.searchParams.get("bundleId");
  const results = world
    .appsNow("appstore")
    .filter((app) => wanted.includes(app.externalAppId) || app.bundleId === bundle)
    .map((app) => lookupResult(world, { app, region: request.region }));
  return lookupAnswer(results);
}

export function lookupAnswer(results: unknown[]): Answer {
  const json = JSON.stringify({ resultCount: results.length, results }, null, 1);
  // The store prints doubles in full; JSON.stringify can't, so the averages go in afterwards.
  const printed = json.replace(/"long:([\d.]+)"/g, (_, digits) => Number(digits).toFixed(50));
  return scriptAnswer(200, `\n\n\n${printed}\n\n\n`);
}

function lookupResult(world: World, seen: { app: WorldApp; region: string }): unknown {
  const { app, region } = seen;
  const histogram = world.ratingsNow(app, region);
  const { average, total } = sumUp(histogram ?? noRatings);
  return {
    kind: "software",
    wrapperType: "software",
    artworkUrl60: app.iconUrl,
    artworkUrl100: app.iconUrl,
    artworkUrl512: app.iconUrl,
    bundleId: app.bundleId,
    trackName: app.name,
    trackId: Number(app.externalAppId),
    trackViewUrl: `https://apps.apple.com/${region}/app/id${app.externalAppId}`,
    sellerName: app.developer,
    artistName: app.developer,
    version: app.version,
    // An app without ratings has no such fields.
    ...(total > 0 ? { averageUserRating: `long:${average}`, userRatingCount: total } : {}),
  };
}

export function answerProductPage(world: World, request: StoreRequest): Answer {
  const app = world.appNow({ store: "appstore", externalAppId: request.externalAppId });
  if (!app) return errorPage(404, "The page you're looking for can't be found.");
  const histogram = world.ratingsNow(app, request.region);
  const { average, total } = sumUp(histogram ?? noRatings);
  const ratings = {
    $kind: "Ratings",
    productId: app.externalAppId,
    ratingAverage: Math.round(average * 10) / 10,
    totalNumberOfRatings: total,
    context: "productPage",
    ratingCounts: [...(histogram ?? noRatings)].reverse().map(asSloppyFloat),
  };
  const data = [
    {
      intent: { $kind: "ProductPageIntent", id: app.externalAppId },
      data: {
        title: app.name,
        shelfMapping: { productRatings: { items: total > 0 ? [ratings] : [] } },
      },
    },
  ];
  return htmlAnswer(
    200,
    `<!doctype html><html><head><title>${app.externalAppId}</title></head><body><main></main>` +
      `<script type="application/json" id="serialized-server-data">${scriptSafe(data)}</script>` +
      "</body></html>",
  );
}

/** The page shows 2000234.9999999998 where it means 2000235. */
function asSloppyFloat(count: number, index: number): number {
  return index === 1 && count > 0 ? count - 2e-10 * count : count;
}

function scriptSafe(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
