// Requests one page of Apple's RSS feed of reviews. The same page can be empty in one variant and full
// in another, by format, by spelling of the address or by client, so each of them can be varied alone.
import { unexpectedContent, unknownOutcome } from "../response-check.ts";
import type { AppInRegion, UnknownOutcome } from "../store.ts";
import { type AppleClient, appleName, type RssVariant, unknownStorefront } from "./apple-client.ts";
import type { RssPage } from "./rss-entry.ts";
import { parseRssJson } from "./rss-json.ts";
import { parseRssXml } from "./rss-xml.ts";

export type RssPageRequest = AppInRegion & { page: number };

/** Variants that give the very same page. */
export const rssVariants: readonly RssVariant[] = ["default", "spelling", "xml", "agent"];

export type DepthLimit = { kind: "depth_limit" };

export async function fetchRssPage(
  client: AppleClient,
  request: RssPageRequest & { variant: RssVariant },
): Promise<RssPage | DepthLimit | UnknownOutcome> {
  const { region, externalAppId, variant } = request;
  const headers = variant === "agent" ? { "user-agent": client.otherUserAgent } : {};
  const checked = await client.get(rssUrl(client, request), { headers, accepted: [400] });
  if (checked.kind === "failed") return checked.outcome;
  if (checked.status === 400) {
    return /limited to \d+/.test(checked.text)
      ? { kind: "depth_limit" }
      : unknownStorefront(region);
  }
  // A feed that was redirected may come in the other format.
  const app = { region, externalAppId };
  const isXml = /^\s*</.test(checked.text);
  if (!isXml) client.shapes.notePayload("apple-feed", app, checked.text);
  const page = isXml
    ? parseRssXml(checked.text, app)
    : parseRssJson(checked.text, app, client.shapes.find("apple-feed"));
  if (page && page.foreignCount > 0 && page.reviews.length === 0) {
    return unknownOutcome(`${appleName} sent the reviews of another app`);
  }
  return page ?? unexpectedContent(appleName, "a review page");
}

function rssUrl(
  { itunesBaseUrl }: AppleClient,
  { region, externalAppId: id, page, variant }: RssPageRequest & { variant: RssVariant },
): string {
  const order = variant === "helpful" ? "mosthelpful" : "mostrecent";
  const path =
    variant === "spelling"
      ? `id=${id}/sortBy=mostRecent/page=${page}`
      : `page=${page}/id=${id}/sortby=${order}`;
  const format = variant === "xml" ? "xml" : "json";
  return `${itunesBaseUrl}/${encodeURIComponent(region)}/rss/customerreviews/${path}/${format}`;
}
