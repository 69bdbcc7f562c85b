// Parses one page of Apple's customer-review feed as JSON, where every scalar is wrapped in a label.
import { listAt, parseJson, textAt, valueAt } from "../json-value.ts";
import { type FeedPage, feedPage, isAppEntry, type StatedEntry } from "./rss-entry.ts";

/** null: no feed. */
export function parseReviewFeed(text: string, region: string): FeedPage | null {
  const feed = valueAt(parseJson(text), "feed");
  if (typeof feed !== "object" || feed === null || Array.isArray(feed)) return null;
  const last = listAt(feed, "link")?.find((link) => textAt(link, "attributes", "rel") === "last");
  return feedPage(
    {
      entries: entriesOf(feed).map(stateEntry),
      updated: textAt(feed, "updated", "label"),
      lastHref: textAt(last, "attributes", "href"),
    },
    region,
  );
}

/** One entry comes without the array, none without the key or as null. */
function entriesOf(feed: unknown): unknown[] {
  const entry = valueAt(feed, "entry");
  if (entry === null) return [];
  return Array.isArray(entry) ? entry : [entry];
}

function stateEntry(entry: unknown): StatedEntry {
  const labelOf = (name: string) => textAt(entry, name, "label");
  return {
    id: labelOf("id"),
    rating: labelOf("im:rating"),
    author: valueAt(entry, "author", "name", "label"),
    title: labelOf("title"),
    text: labelOf("content"),
    version: labelOf("im:version"),
    updated: labelOf("updated"),
    voteSum: labelOf("im:voteSum"),
    isApp: isAppEntry((name) => valueAt(entry, name) !== null),
  };
}
