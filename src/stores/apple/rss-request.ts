// How a page of Apple's review feed is asked for. The same page can be empty in one form and full in
// another, by format, by spelling of the address or by client, so each of them can be changed alone.
import { readAnswer, unknown } from "../response-check.ts";
import type { AppInRegion, Unknown } from "../store.ts";
import { type AppleClient, appleName } from "./apple-client.ts";
import type { FeedPage } from "./rss-entry.ts";
import { parseReviewFeed } from "./rss-json.ts";
import { parseReviewFeedXml } from "./rss-xml.ts";

export type AskedPage = AppInRegion & { page: number };

/** `usual`, or with one thing changed. `helpful` is the same pool in another order. */
export type FeedForm = "usual" | "xml" | "spelling" | "agent" | "helpful";

/** Forms that give the very same page. */
export const otherForms: readonly FeedForm[] = ["spelling", "xml", "agent"];

export type DepthLimit = { kind: "depth_limit" };

export async function askFeed(
  client: AppleClient,
  { asked, form }: { asked: AskedPage; form: FeedForm },
): Promise<FeedPage | DepthLimit | Unknown> {
  const agent = form === "agent" ? { "user-agent": client.otherUserAgent } : {};
  const answer = await client.get(feedUrl(client, { asked, form }), agent);
  const read = readAnswer(answer, { store: appleName, accepted: [400] });
  if (read.kind === "refused") return read.unknown;
  if (read.status === 400) {
    return /limited to \d+/.test(read.text)
      ? { kind: "depth_limit" }
      : unknown(`${appleName} knows no storefront "${asked.region}"`);
  }
  // Whatever was asked for: one that was moved may come in the other format.
  const parse = /^\s*</.test(read.text) ? parseReviewFeedXml : parseReviewFeed;
  const page = parse(read.text, asked.region);
  return page ?? unknown(`${appleName} sent something else than a page of reviews`);
}

function feedUrl(
  { itunesBaseUrl }: AppleClient,
  { asked, form }: { asked: AskedPage; form: FeedForm },
): string {
  const { region, externalAppId: id, page } = asked;
  const order = form === "helpful" ? "mosthelpful" : "mostrecent";
  const path =
    form === "spelling"
      ? `id=${id}/sortBy=mostRecent/page=${page}`
      : `page=${page}/id=${id}/sortby=${order}`;
  const format = form === "xml" ? "xml" : "json";
  return `${itunesBaseUrl}/${encodeURIComponent(region)}/rss/customerreviews/${path}/${format}`;
}
