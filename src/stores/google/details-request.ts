// Requests the page of an app in Google Play, in one country and language.
import { storefrontOf } from "../../domain/store/app-link.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { unexpectedContent } from "../response-check.ts";
import { googleApp } from "../shapes/google-shapes.ts";
import type { AppInRegion, Fetched } from "../store.ts";
import { type DetailsPage, isPartial, parseDetailsPage } from "./details-page.ts";
import { allBlocks } from "./page-blocks.ts";
import { fetchHtml, type GoogleClient, googleName } from "./public-client.ts";

/**
 * The page of an app, of an hour ago unless it has to be newer: it weighs a megabyte. `empty` when it is unknown or not offered there: the store does
 * not say which.
 */
export async function fetchDetails(
  client: GoogleClient,
  query: AppInRegion & { language: string; ageMsMax?: number },
): Promise<Fetched<DetailsPage>> {
  const { externalAppId, region, language, ageMsMax = hourMs } = query;
  const key = `${externalAppId} ${storefrontOf(region)} ${language}`;
  const known = client.pages.find(key, ageMsMax);
  if (known) return { outcome: "ok", value: known };
  const params = { id: externalAppId, hl: language, gl: storefrontOf(region) };
  const checked = await fetchHtml(client, "/store/apps/details", { params, accepted: [404] });
  if (checked.kind === "failed") return checked.outcome;
  if (checked.status === 404) return { outcome: "empty" };
  const shape = client.shapes.find("google-app");
  const page = parseDetailsPage(checked.text, externalAppId, shape);
  // No ratings may be ratings that moved.
  if (page === null || isPartial(page) || !page.ratings?.total || shape !== googleApp) {
    client.shapes.notePayload("google-app", { externalAppId, region }, allBlocks(checked.text));
  }
  if (page === null) return unexpectedContent(googleName, "the app's page");
  client.pages.save(key, page);
  return { outcome: "ok", value: page };
}
