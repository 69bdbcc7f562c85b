// Parses one page of Apple's RSS feed of reviews as JSON, where every scalar is wrapped in a label.
import { isObject, listAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { type AppleFeedShape, appleFeed } from "../shapes/apple-shapes.ts";
import { readItem } from "../shapes/shape.ts";
import { type FeedApp, isAppEntry, type RawEntry, type RssPage, toRssPage } from "./rss-entry.ts";

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
