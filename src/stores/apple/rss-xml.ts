// Parses one page of Apple's RSS feed of reviews as XML (Atom): the same facts as in the JSON, and at
// times the only format that has them.
import { XMLParser } from "fast-xml-parser";
import { hasMore, listAt, textAt, valueAt } from "../../lib/json.ts";
import { type FeedApp, isAppEntry, type RawEntry, type RssPage, toRssPage } from "./rss-entry.ts";

/** null: no feed. */
export function parseRssXml(text: string, app: FeedApp): RssPage | null {
  const feed = valueAt(parseXml(text), "feed");
  if (typeof feed !== "object" || feed === null || Array.isArray(feed)) return null;
  const last = manyAt(feed, "link").find((link) => textAt(link, "@rel") === "last");
  const href = textAt(last, "@href");
  return toRssPage(
    {
      entries: manyAt(feed, "entry").map(readEntry),
      updated: contentAt(feed, "updated"),
      lastHref: href === null ? null : decodeEntities(href),
    },
    app,
  );
}

// Entities are decoded below: the parser then has none to expand. A content may hold markup that was
// never escaped, so it is taken as it stands.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  textNodeName: "#text",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  stopNodes: ["feed.entry.content"],
  isArray: (name) => name === "content",
});

/** Three times as many as a page of reviews has: each takes the parser some microseconds. */
const tagsMax = 10_000;

/** A page of signs of which each is an entity has fewer, as the feed has each text twice. */
const entitiesMax = 100_000;

/** A third more than fifty of the longest reviews, which the feed has twice each; reading it takes less than 0.1 s. */
const lengthMax = 1_000_000;

/** undefined when the text is not XML, breaks off, or is longer than a page. */
function parseXml(text: string): unknown {
  if (!/<\/feed>\s*$/.test(text) || text.length > lengthMax) return undefined;
  if (hasMore(text, "<", tagsMax) || hasMore(text, "&", entitiesMax)) return undefined;
  try {
    return parser.parse(text);
  } catch {
    // The parser throws on text that is not XML.
    return undefined;
  }
}

function readEntry(entry: unknown): RawEntry {
  // The other content, of type html, repeats title and text in a table.
  const content = listAt(entry, "content")?.find((item) => textAt(item, "@type") === "text");
  const author = manyAt(entry, "author")[0];
  return {
    id: contentAt(entry, "id"),
    rating: contentAt(entry, "im:rating"),
    author: contentAt(author, "name"),
    title: contentAt(entry, "title"),
    text: contentAt({ content }, "content"),
    version: contentAt(entry, "im:version"),
    updated: contentAt(entry, "updated"),
    voteSum: contentAt(entry, "im:voteSum"),
    href: textAt(manyAt(entry, "link")[0], "@href")?.replaceAll("&amp;", "&") ?? null,
    isApp: isAppEntry((name) => valueAt(entry, name) !== null),
  };
}

/** The parser makes no list of a single child. */
function manyAt(value: unknown, key: string): unknown[] {
  const found = valueAt(value, key);
  if (found === null) return [];
  return Array.isArray(found) ? found : [found];
}

/** The text of a child: plain, beside attributes, or in a CDATA section. */
function contentAt(value: unknown, key: string): string | null {
  const [first] = manyAt(value, key);
  const text = typeof first === "string" ? first : textAt(first, "#text");
  if (text === null) return null;
  // The parser leaves contents as they are; what is inside such a section has no entities.
  const section = text.match(/^\s*<!\[CDATA\[(.*)\]\]>\s*$/s)?.[1];
  return section ?? decodeEntities(text);
}

const named: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};

/** In one pass, so that `&amp;lt;` stays the text `&lt;`; other text stays as it is. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-z]{2,4});/g,
    (entity) => named[entity] ?? decodeNumber(entity),
  );
}

/** A name that is not known stays, too. */
function decodeNumber(entity: string): string {
  const digits = entity.slice("&#".length, -";".length);
  const point = entity.startsWith("&#") ? Number(digits.replace(/^[xX]/, "0x")) : Infinity;
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : entity;
}
