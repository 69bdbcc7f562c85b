// GET /feeds/<token>: the newest reviews of a saved view for feed readers, which can't sign in. Everyone with the link
// can read them until it ends.
import type { Context, Hono } from "hono";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { createPublicApp } from "../../dashboard-api/public-app.ts";
import type { PublicPart } from "../../dashboard-api/public-parts.ts";
import { takeFrom } from "../../dashboard-api/request-limits.ts";
import { AppError } from "../../domain/error.ts";
import { createClientIp, ipPrefix } from "../../http/client-ip.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import { originOf } from "../../http/request.ts";
import { createStoredResponse, sendResponse } from "../../http/stored-response.ts";
import { openSharedLink } from "./open-link.ts";
import { writeFeed } from "./view-feed.ts";

/** Readers ask a few times an hour. */
const feedLimit = { name: "view feed", perMinute: 30 };
/** Limits one address that tries invalid links; 256 bits can't be guessed. */
const wrongLimit = { name: "unknown view feed", perMinute: 30 };
const tokenPattern = "[A-Za-z0-9_-]{43}";

export const viewFeeds: PublicPart = { path: "/feeds", create: createViewFeeds };

function createViewFeeds(deps: DashboardDeps): Hono {
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
  const link = await openSharedLink(deps, { token, kinds: ["feed"] });
  if (!link) {
    await takeFrom(limits.wrong, ipPrefix(address));
    return refuse();
  }
  await takeFrom(limits.feeds, link.id);
  const database = deps.database.forWorkspace(link.workspaceId);
  const baseUrl = deps.settings.publicUrl ?? originOf(context);
  const response = createStoredResponse({
    content: await writeFeed({ ...deps, database }, { link, token, baseUrl }),
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
