// Parses one page of Apple's customer-review feed as XML (Atom): the same facts as in the JSON, and at
// times the only format that is answered.
import { XMLParser } from "fast-xml-parser";
import { listAt, textAt, valueAt } from "../json-value.ts";
import { type FeedPage, feedPage, isAppEntry, type StatedEntry } from "./rss-entry.ts";

/** null: no feed. */
export function parseReviewFeedXml(text: string, region: string): FeedPage | null {
  const feed = valueAt(parseXml(text), "feed");
  if (typeof feed !== "object" || feed === null || Array.isArray(feed)) return null;
  const last = manyAt(feed, "link").find((link) => textAt(link, "@rel") === "last");
  const href = textAt(last, "@href");
  return feedPage(
    {
      entries: manyAt(feed, "entry").map(stateEntry),
      updated: wordsAt(feed, "updated"),
      lastHref: href === null ? null : decodeEntities(href),
    },
    region,
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

/** undefined when the text is no XML, or breaks off. */
function parseXml(text: string): unknown {
  if (!/<\/feed>\s*$/.test(text)) return undefined;
  try {
    return parser.parse(text);
  } catch {
    // The parser's only way to say that this is no XML.
    return undefined;
  }
}

function stateEntry(entry: unknown): StatedEntry {
  // The other content, of type html, repeats title and text in a table.
  const content = listAt(entry, "content")?.find((item) => textAt(item, "@type") === "text");
  const author = manyAt(entry, "author")[0];
  return {
    id: wordsAt(entry, "id"),
    rating: wordsAt(entry, "im:rating"),
    author: wordsAt(author, "name"),
    title: wordsAt(entry, "title"),
    text: wordsAt({ content }, "content"),
    version: wordsAt(entry, "im:version"),
    updated: wordsAt(entry, "updated"),
    voteSum: wordsAt(entry, "im:voteSum"),
    isApp: isAppEntry((name) => valueAt(entry, name) !== null),
  };
}

/** A child that stands once is no list. */
function manyAt(value: unknown, key: string): unknown[] {
  const found = valueAt(value, key);
  if (found === null) return [];
  return Array.isArray(found) ? found : [found];
}

/** The words of a child: plain, beside attributes, or in a CDATA section. */
function wordsAt(value: unknown, key: string): string | null {
  const [first] = manyAt(value, key);
  const words = typeof first === "string" ? first : textAt(first, "#text");
  if (words === null) return null;
  // The parser leaves contents as they stand; what is inside such a section has no entities.
  const section = words.match(/^\s*<!\[CDATA\[(.*)\]\]>\s*$/s)?.[1];
  return section ?? decodeEntities(words);
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** In one pass, so that `&amp;lt;` stays the text `&lt;`; what is no entity stays as it is. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (whole, ...found) => {
      const [decimal, hex, name] = found as (string | undefined)[];
      if (name !== undefined) return named[name] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole;
    },
  );
}
