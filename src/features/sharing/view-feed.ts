// GET /feeds/<token>: the newest reviews of a saved view for feed readers, which can't sign in. Everyone with the link
// can read them until it ends.

import type { Context, Hono } from "hono";
import { feedFilters } from "../../dashboard-api/contract/requests.ts";
import type { FeedReview } from "../../dashboard-api/contract/reviews.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { createPublicApp } from "../../dashboard-api/public-app.ts";
import { takeFrom } from "../../dashboard-api/request-limits.ts";
import { AppError } from "../../domain/error.ts";
import { drawStars, toReviewLine } from "../../domain/review/review-line.ts";
import { createClientIp, ipPrefix } from "../../http/client-ip.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import { originOf } from "../../http/request.ts";
import { createStoredResponse, sendResponse } from "../../http/stored-response.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { readFeedPage } from "../../read/reviews/review-feed.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import { openSharedLink } from "./open-link.ts";
import type { FoundLink } from "./sql.ts";

const entriesMax = 50;
/** Readers ask a few times an hour. */
const feedLimit = { name: "view feed", perMinute: 30 };
/** Limits one address that tries invalid links; 256 bits can't be guessed. */
const wrongLimit = { name: "unknown view feed", perMinute: 30 };
const tokenPattern = "[A-Za-z0-9_-]{43}";

export function feedPathOf(token: string): string {
  return `/feeds/${token}`;
}

export function createViewFeeds(deps: DashboardDeps): Hono {
  const { openRateLimit, settings } = deps;
  const limits = { feeds: openRateLimit(feedLimit), wrong: openRateLimit(wrongLimit) };
  const clientIp = createClientIp(settings.trustedProxies);
  const app = createPublicApp(deps);
  app.get(`/:token{${tokenPattern}}`, (context) =>
    answerFeed(deps, { context, limits, address: clientIp(context) }),
  );
  app.all("*", refuse);
  return app;
}

type FeedLimits = { feeds: RateLimit; wrong: RateLimit };

async function answerFeed(
  deps: DashboardDeps,
  { context, limits, address }: { context: Context; limits: FeedLimits; address: string },
): Promise<Response> {
  const token = context.req.param("token") ?? "";
  const control = { ...deps, database: deps.database.control() };
  const view = await openSharedLink(control, { token, kinds: ["feed"] });
  if (!view) {
    await takeFrom(limits.wrong, ipPrefix(address));
    return refuse();
  }
  await takeFrom(limits.feeds, view.id);
  const database = deps.database.forWorkspace(view.workspaceId);
  const response = createStoredResponse({
    content: await writeFeed({ ...deps, database }, { context, view, token }),
    contentType: "application/atom+xml; charset=utf-8",
    cacheControl: "private, max-age=60",
    compression: "fast",
  });
  return sendResponse(response, { context, headers: { "X-Robots-Tag": "noindex" } });
}

/** Unknown links and ended ones get the same answer. */
function refuse(): never {
  throw new AppError("not_found", "not found");
}

async function writeFeed(
  deps: DashboardDeps,
  { context, view, token }: { context: Context; view: FoundLink; token: string },
): Promise<string> {
  const { workspaceId } = view;
  const filters = feedFilters.safeParse(Object.fromEntries(new URLSearchParams(view.query)));
  if (!filters.success) throw new AppError("not_found", "the view can't be read any more");
  const page = {
    workspaceId,
    filters: resolveDates(filters.data, deps.clock.now()),
    after: null,
    limit: entriesMax,
  };
  const { reviews } = await readFeedPage(deps, page);
  const names = new Map(
    (await deps.database.listApps({ workspaceId })).map(({ id, name }) => [id, name]),
  );
  const base = deps.settings.publicUrl ?? originOf(context);
  return formatAtom({
    id: view.id,
    title: `${view.name} · Starpost`,
    selfUrl: `${base}${feedPathOf(token)}`,
    pageUrl: `${base}/w/${workspaceId}/reviews?${view.query}`,
    createdAt: formatTimestamp(view.madeAt),
    entries: reviews.map((review) => ({
      review,
      appName: names.get(review.appId) ?? "",
      url: `${base}/w/${workspaceId}/reviews/${review.appId}/${review.id}`,
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
