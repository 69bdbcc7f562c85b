// Requests the page of an app in Google Play, in one country and language.
import { hourMs } from "../../lib/timestamp.ts";
import { checkResponse, unexpectedContent } from "../response-check.ts";
import type { AppInRegion, Fetched } from "../store.ts";
import { type DetailsPage, parseDetailsPage } from "./details-page.ts";
import { type GoogleClient, googleName } from "./public-client.ts";

/**
 * The page of an app, of an hour ago unless it has to be newer: it weighs a megabyte. `empty` when it is unknown or not offered there: the store does
 * not say which.
 */
export async function fetchDetails(
  { http, baseUrl, pages }: Pick<GoogleClient, "http" | "baseUrl" | "pages">,
  query: AppInRegion & { language: string; ageMsMax?: number },
): Promise<Fetched<DetailsPage>> {
  const { externalAppId, region, language, ageMsMax = hourMs } = query;
  const key = `${externalAppId} ${countryOf(region)} ${language}`;
  const known = pages.find(key, ageMsMax);
  if (known) return { outcome: "ok", value: known };
  const params = new URLSearchParams({ id: externalAppId, hl: language, gl: countryOf(region) });
  const response = await http({
    method: "GET",
    url: `${baseUrl}/store/apps/details?${params}`,
    headers: { accept: "text/html,*/*;q=0.8", "accept-language": language },
  });
  const checked = checkResponse(response, { store: googleName, accepted: [404] });
  if (checked.kind === "failed") return checked.outcome;
  if (checked.status === 404) return { outcome: "empty" };
  const page = parseDetailsPage(checked.text, externalAppId);
  if (page === null) return unexpectedContent(googleName, "the app's page");
  pages.save(key, page);
  return { outcome: "ok", value: page };
}

/** People write uk for gb. */
export function countryOf(region: string): string {
  const country = region.toLowerCase();
  return country === "uk" ? "gb" : country;
}
