// GET /feeds/<token>: the newest reviews of a saved view for feed readers, which can't sign in. Everyone with the link
// can read them until it ends.
import type { Context, Hono } from "hono";
import type { FoundLink } from "../../database/accounts/shared-links.ts";
import { AppError } from "../../domain/error.ts";
import { createClientIp, ipPrefix } from "../../http/client-ip.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import { originOf } from "../../http/request.ts";
import { createStoredResponse, sendResponse } from "../../http/stored-response.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import { openSharedLink } from "../../use-cases/sharing/shared-links.ts";
import { feedFilters } from "../contract/requests.ts";
import type { DashboardDeps } from "../deps.ts";
import { createPublicApp } from "../public-app.ts";
import { takeFrom } from "../request-limits.ts";
import { readFeedPage } from "../reviews/review-feed.ts";
import { formatAtom } from "./atom.ts";

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
