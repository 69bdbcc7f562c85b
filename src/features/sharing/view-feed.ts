// The newest reviews of a saved view as an Atom feed.
import { AppError } from "../../domain/error.ts";
import { reviewFilterSchema } from "../../domain/review/review-filter.ts";
import { drawStars, toReviewLine } from "../../domain/review/review-line.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { Reader } from "../../read/reader.ts";
import { type FeedReview, readFeedPage } from "../../read/reviews/review-feed.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import type { FoundLink } from "./sql.ts";

const entriesMax = 50;

export function feedPathOf(token: string): string {
  return `/feeds/${token}`;
}

/** @throws AppError `not_found` for filters that this version does not know */
export async function writeFeed(
  reader: Reader,
  { link, token, baseUrl }: { link: FoundLink; token: string; baseUrl: string },
): Promise<string> {
  const { workspaceId } = link;
  const filters = reviewFilterSchema.safeParse(Object.fromEntries(new URLSearchParams(link.query)));
  if (!filters.success) throw new AppError("not_found", "the view can't be read any more");
  const { reviews } = await readFeedPage(reader, {
    workspaceId,
    filters: resolveDates(filters.data, reader.clock.now()),
    after: null,
    limit: entriesMax,
  });
  const apps = await reader.database.listApps({ workspaceId });
  const names = new Map(apps.map(({ id, name }) => [id, name]));
  const base = `${baseUrl}/w/${workspaceId}/reviews`;
  return formatAtom({
    id: link.id,
    title: `${link.name} · Starpost`,
    selfUrl: `${baseUrl}${feedPathOf(token)}`,
    pageUrl: `${base}?${link.query}`,
    createdAt: formatTimestamp(link.madeAt),
    entries: reviews.map((review) => ({
      review,
      appName: names.get(review.appId) ?? "",
      url: `${base}/${review.appId}/${review.id}`,
    })),
  });
}

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

function formatAtom(feed: AtomFeed): string {
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
function escapeXml(text: string): string {
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
