// Requests the page of an app in Google Play, in one country and language.
import { checkResponse, unknownOutcome } from "../response-check.ts";
import type { AppInRegion, Fetched } from "../store.ts";
import { type DetailsPage, parseDetailsPage } from "./details-page.ts";
import { type GoogleClient, googleName } from "./public-client.ts";

/** The page of an app; `empty` when it is unknown or not offered there: the store does not say which. */
export async function fetchDetails(
  { http, baseUrl }: Pick<GoogleClient, "http" | "baseUrl">,
  { externalAppId, region, language }: AppInRegion & { language: string },
): Promise<Fetched<DetailsPage>> {
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
  if (page === null) return unknownOutcome(`${googleName} sent something else than the app's page`);
  return { outcome: "ok", value: page };
}

/** People write uk for gb. */
export function countryOf(region: string): string {
  const country = region.toLowerCase();
  return country === "uk" ? "gb" : country;
}
