// Parses one page of Apple's RSS feed of reviews as JSON, where every scalar is wrapped in a label.
import { listAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { type FeedApp, isAppEntry, type RawEntry, type RssPage, toRssPage } from "./rss-entry.ts";

/** null: no feed. */
export function parseRssJson(text: string, app: FeedApp): RssPage | null {
  const feed = valueAt(parseJson(text), "feed");
  if (typeof feed !== "object" || feed === null || Array.isArray(feed)) return null;
  const last = listAt(feed, "link")?.find((link) => textAt(link, "attributes", "rel") === "last");
  return toRssPage(
    {
      entries: entriesOf(feed).map(readEntry),
      updated: textAt(feed, "updated", "label"),
      lastHref: textAt(last, "attributes", "href"),
    },
    app,
  );
}

/** A single entry comes without the array; no entry as null or without the key. */
function entriesOf(feed: unknown): unknown[] {
  const entry = valueAt(feed, "entry");
  if (entry === null) return [];
  return Array.isArray(entry) ? entry : [entry];
}

/** Entries have one link, or a list of them. */
function hrefOf(link: unknown): string | null {
  return textAt(Array.isArray(link) ? link[0] : link, "attributes", "href");
}

function readEntry(entry: unknown): RawEntry {
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
    href: hrefOf(valueAt(entry, "link")),
    isApp: isAppEntry((name) => valueAt(entry, name) !== null),
  };
}
