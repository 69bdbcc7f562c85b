// Writes Apple's lookup and search: JSON between blank lines, averages with dozens of decimals, and
// songs among the apps.

import { formatTimestamp } from "../src/lib/timestamp.ts";
import { noRatings, sumUp } from "./histograms.ts";
import type { SimulatedApp } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import { type StoreResponse, scriptResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

export function handleLookup(storeState: StoreState, request: StoreRequest): StoreResponse {
  if (!isStorefront(request.region)) return badStorefront;
  const { region, url } = request;
  const bundleId = url.searchParams.get("bundleId");
  const ids = (url.searchParams.get("id") ?? "").split(",").slice(0, idsMax);
  const apps = ids
    .map((externalAppId) => storeState.appNow({ store: "appstore", externalAppId }, region))
    .filter((app) => app !== null);
  const bundled =
    bundleId === null
      ? []
      : storeState.appsNow("appstore").filter((app) => app.bundleId === bundleId);
  return lookupResponse(
    [...apps, ...bundled].map((app) => lookupResult(storeState, { app, region })),
  );
}

const idsMax = 200;

export function handleSearch(storeState: StoreState, request: StoreRequest): StoreResponse {
  if (!isStorefront(request.region)) return badStorefront;
  const { region, url } = request;
  const words = (url.searchParams.get("term") ?? "").toLowerCase().split(/\s+/);
  const limit = Number(url.searchParams.get("limit") ?? "50");
  const isMac = url.searchParams.get("entity") === "macSoftware";
  const apps = storeState.appsNow("appstore");
  const named = apps.filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)));
  // The store returns some apps even for a term that matches none.
  const results = (named.length > 0 ? named : apps.slice(0, 3)).map((app) =>
    lookupResult(storeState, { app, region }),
  );
  return lookupResponse([song, ...(isMac ? [] : results)].slice(0, limit));
}

const song = { wrapperType: "track", kind: "song", trackId: 1, trackName: "Sample Song" };

function factsOf({ facts }: SimulatedApp): object {
  if (!facts) return {};
  return {
    currentVersionReleaseDate: formatTimestamp(facts.releasedAt),
    releaseNotes: facts.releaseNotes,
    price: facts.price,
    currency: facts.currency,
    primaryGenreName: facts.genre,
  };
}

function isStorefront(region: string): boolean {
  return /^[a-z]{2}$/.test(region) && region !== "uk";
}

const badStorefront = scriptResponse(
  400,
  '{"errorMessage":"Invalid value(s) for key(s): [country]"}',
);

export function lookupResponse(results: unknown[]): StoreResponse {
  const json = JSON.stringify({ resultCount: results.length, results }, null, 1);
  // The store prints doubles with all digits; JSON.stringify does not, so averages are inserted afterwards.
  const printed = json.replace(/"long:([\d.]+)"/g, (_, digits) => Number(digits).toFixed(50));
  return scriptResponse(200, `\n\n\n${printed}\n\n\n`);
}

function lookupResult(
  storeState: StoreState,
  result: { app: SimulatedApp; region: string },
): unknown {
  const { app, region } = result;
  const { average, total } = sumUp(storeState.ratingsNow(app, region) ?? noRatings);
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
    ...factsOf(app),
    // An app without ratings has no such fields.
    ...(total > 0 ? { averageUserRating: `long:${average}`, userRatingCount: total } : {}),
  };
}
