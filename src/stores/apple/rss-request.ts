// Requests one page of Apple's RSS feed of reviews. The same page can be empty in one variant and full
// in another, by format, by spelling of the address or by client, so each of them can be varied alone.

import { isObject, listAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { unexpectedContent, unknownOutcome } from "../response-check.ts";
import { type AppleFeedShape, appleFeed } from "../shapes/apple-shapes.ts";
import { readItem } from "../shapes/shape.ts";
import type { AppInRegion, UnknownOutcome } from "../store.ts";
import { type AppleClient, appleName, type RssVariant, unknownStorefront } from "./apple-client.ts";
import { type FeedApp, isAppEntry, type RawEntry, type RssPage, toRssPage } from "./rss-entry.ts";
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
  const page = isXml ? parseRssXml(checked.text, app) : readByShapes(client, checked.text, app);
  if (page && page.foreignCount > 0 && page.reviews.length === 0) {
    return unknownOutcome(`${appleName} sent the reviews of another app`);
  }
  return page ?? unexpectedContent(appleName, "a review page");
}

function readByShapes({ shapes }: AppleClient, text: string, app: FeedApp): RssPage | null {
  const pages = shapes.findAll("apple-feed").flatMap((shape) => {
    const page = parseRssJson(text, app, shape);
    return page ? [{ ...page, shape: shapes.nameOf(shape) }] : [];
  });
  const isDated = ({ reviews }: RssPage): boolean => reviews.some(({ date }) => date !== null);
  const page = pages.find(isDated) ?? pages.find(({ reviews }) => reviews.length > 0) ?? pages[0];
  const others = pages.filter((one) => one !== page && one.reviews.length > 0);
  return page ? { ...page, ...(others.length > 0 && { others }) } : null;
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

/** null: no feed. */
export function parseRssJson(
  text: string,
  app: FeedApp,
  shape: AppleFeedShape = appleFeed,
): RssPage | null {
  const json = parseJson(text);
  const entry = valueAt(json, ...shape.root);
  const around = shape.root.map((_, depth) => valueAt(json, ...shape.root.slice(0, -1 - depth)));
  if (!isObject(around[0]) && !Array.isArray(entry)) return null;
  // The links are in the object around the entries.
  const feed = around.find(isObject);
  const last = listAt(feed, "link")?.find((link) => textAt(link, "attributes", "rel") === "last");
  return toRssPage(
    {
      entries: entriesOf(entry).map((each) => readEntry(each, shape)),
      updated: textAt(feed, "updated", "label"),
      lastHref: textAt(last, "attributes", "href"),
    },
    app,
  );
}

/** A single entry comes without the array; no entry as null or without the key. */
function entriesOf(entry: unknown): unknown[] {
  if (entry === null) return [];
  return Array.isArray(entry) ? entry : [entry];
}

function readEntry(entry: unknown, shape: AppleFeedShape): RawEntry {
  const isApp = isAppEntry((name) => valueAt(entry, name) !== null);
  return Object.assign(readItem(shape, entry), { isApp });
}
