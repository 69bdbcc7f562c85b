// Parses one page of Apple's RSS feed of reviews as JSON, where every scalar is wrapped in a label.
import { listAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { type AppleFeedShape, appleFeed } from "../shapes/apple-shapes.ts";
import { readItem, valueAtPath } from "../shapes/shape.ts";
import { type FeedApp, isAppEntry, type RawEntry, type RssPage, toRssPage } from "./rss-entry.ts";

/** null: no feed. */
export function parseRssJson(
  text: string,
  app: FeedApp,
  shape: AppleFeedShape = appleFeed,
): RssPage | null {
  const json = parseJson(text);
  const feed = valueAtPath(json, shape.root.slice(0, -1));
  if (typeof feed !== "object" || feed === null || Array.isArray(feed)) return null;
  const last = listAt(feed, "link")?.find((link) => textAt(link, "attributes", "rel") === "last");
  return toRssPage(
    {
      entries: entriesOf(json, shape).map((entry) => readEntry(entry, shape)),
      updated: textAt(feed, "updated", "label"),
      lastHref: textAt(last, "attributes", "href"),
    },
    app,
  );
}

/** A single entry comes without the array; no entry as null or without the key. */
function entriesOf(json: unknown, { root }: AppleFeedShape): unknown[] {
  const entry = valueAtPath(json, root);
  if (entry === null) return [];
  return Array.isArray(entry) ? entry : [entry];
}

function readEntry(entry: unknown, shape: AppleFeedShape): RawEntry {
  return {
    ...readItem(shape, entry),
    isApp: isAppEntry((name) => valueAt(entry, name) !== null),
  };
}
