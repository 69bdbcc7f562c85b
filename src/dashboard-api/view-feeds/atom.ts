// The newest reviews of a saved view as an Atom feed (RFC 4287). Texts of strangers are embedded in HTML inside of XML:
// escaped for both, so that readers show it as it was written.
import { drawStars, toReviewLine } from "../../domain/review-line.ts";
import type { FeedReview } from "../contract/reviews.ts";

type AtomFeed = {
  id: string;
  title: string;
  selfUrl: string;
  /** The view on the Reviews page. */
  pageUrl: string;
  /** The date of a feed without entries. */
  createdAt: string;
  entries: readonly {
    review: FeedReview;
    appName: string;
    /** The review in the dashboard. */
    url: string;
  }[];
};

const titleMax = 120;

export function formatAtom(feed: AtomFeed): string {
  const updated = feed.entries.map(({ review }) => updatedAt(review)).sort();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${feed.id}</id>
<title>${escapeXml(feed.title)}</title>
<updated>${updated.at(-1) ?? feed.createdAt}</updated>
<link rel="self" type="application/atom+xml" href="${escapeXml(feed.selfUrl)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(feed.pageUrl)}"/>
<generator>Starpost</generator>
${feed.entries.map(formatEntry).join("\n")}
</feed>
`;
}

function formatEntry({ review, appName, url }: AtomFeed["entries"][number]): string {
  const { id, rating, title, text, author, date } = review;
  const shown = toReviewLine({ title: title || text, text: "" }, titleMax);
  return `<entry>
<id>urn:uuid:${id}</id>
<title>${escapeXml(`${drawStars(rating)} ${shown}`)}</title>
<published>${date}</published>
<updated>${updatedAt(review)}</updated>
<author><name>${escapeXml(author || "unknown")}</name></author>
<category term="${escapeXml(appName)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>
<content type="html">${escapeXml(formatContent(review, appName))}</content>
</entry>`;
}

function updatedAt({ date, editedAt }: FeedReview): string {
  return editedAt ?? date;
}

function formatContent(review: FeedReview, appName: string): string {
  const { title, text, translatedText, version, country, language } = review;
  const facts = [appName, country, language ?? "", version && `version ${version}`];
  const paragraphs = [
    title ? `<p dir="auto"><strong>${escapeXml(title)}</strong></p>` : "",
    toParagraph(text),
    translatedText ? `<p>Translated:</p>${toParagraph(translatedText)}` : "",
    `<p>${escapeXml(facts.filter(Boolean).join(" · "))}</p>`,
  ];
  return paragraphs.join("");
}

function toParagraph(text: string): string {
  return `<p dir="auto">${escapeXml(text).replace(/\r?\n/g, "<br>")}</p>`;
}

/** For XML and HTML alike. Characters that XML knows in no form are left out. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones that XML does not know.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}
