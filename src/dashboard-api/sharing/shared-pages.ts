// The one page that a link shares: read by the service from what was stored with the link, so that nothing in a request
// decides what a visitor reads.

import type { z } from "zod";
import type { FoundLink } from "../../database/accounts/shared-links.ts";
import { AppError } from "../../domain/error.ts";
import { linkKinds } from "../../domain/people/shared-link.ts";
import { notFound, parseInput } from "../../domain/validation-errors.ts";
import { keepRecent } from "../../lib/bounded-map.ts";
import { formatTimestamp, minuteMs } from "../../lib/timestamp.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import { openSharedLink } from "../../use-cases/sharing/shared-links.ts";
import {
  type FeedFilters,
  feedFilters,
  type NewLink,
  sharedComparison,
  sharedOverview,
} from "../contract/requests.ts";
import type { SharedApp, SharedContent, SharedPage, SharedReviews } from "../contract/sharing.ts";
import type { DashboardDeps } from "../deps.ts";
import { readOverview } from "../overview/read-overview.ts";
import { countFeedDays, summarizeFeed } from "../reviews/feed-summary.ts";
import { readFeedPage } from "../reviews/review-feed.ts";

const reviewsMax = 50;
/** A live page is read once in this time, however many visitors it has. */
const freshMs = minuteMs;
const recentMax = 100;
const pageKinds = linkKinds.filter((kind) => kind !== "feed");
type PageQuery = Pick<FoundLink, "workspaceId" | "kind" | "query">;
type ContentDeps = Pick<DashboardDeps, "clock" | "database" | "findEvidence">;
type LivePage = { readAt: Date; content: Promise<SharedContent> };

export function createSharedPages(deps: DashboardDeps) {
  const recent = new Map<string, LivePage>();
  const control = { ...deps, database: deps.database.control() };
  const within = (workspaceId: string): DashboardDeps => ({
    ...deps,
    database: deps.database.forWorkspace(workspaceId),
  });

  function readLive(link: FoundLink): LivePage {
    const now = deps.clock.now();
    const known = recent.get(link.id);
    if (known && now.getTime() - known.readAt.getTime() < freshMs) return known;
    const page = { readAt: now, content: readSharedContent(within(link.workspaceId), link) };
    keepRecent(recent, { key: link.id, value: page, countMax: recentMax });
    // A failure is not kept.
    page.content.catch(() => recent.delete(link.id));
    return page;
  }

  return {
    /** Reads the page of a new link. @throws AppError `invalid_input` or `not_found` */
    async prepare({ workspaceId, input }: { workspaceId: string; input: NewLink }) {
      const deps = within(workspaceId);
      const page = await findPage(deps, { workspaceId, input });
      const isFrozen = "isFrozen" in input ? input.isFrozen : input.kind === "report";
      const content = await readSharedContent(deps, { ...page, workspaceId, kind: input.kind });
      const frozen = isFrozen
        ? { page: JSON.stringify(content), reviewIds: listQuoted(content) }
        : null;
      return { ...page, name: page.name ?? (await nameOf(deps, { workspaceId, content })), frozen };
    },
    /** @throws AppError `not_found` for a link that is unknown or has ended, or whose page is gone */
    async open(token: string): Promise<SharedPage> {
      const link = await openSharedLink(control, { token, kinds: pageKinds });
      if (!link) throw new AppError("not_found", "this link is unknown, or has ended");
      const { name, workspaceName, madeBy, isFrozen, madeAt, endsAt, frozenPage } = link;
      const { readAt, content } =
        frozenPage === null
          ? readLive(link)
          : // As it was written by this file.
            { readAt: madeAt, content: JSON.parse(frozenPage) as SharedContent };
      return {
        name,
        workspaceName,
        madeBy,
        isFrozen,
        readAt: formatTimestamp(readAt),
        endsAt: endsAt && formatTimestamp(endsAt),
        content: await content,
      };
    },
  };
}

/** A view's name and filters are those that it has now. */
async function findPage(
  { database }: DashboardDeps,
  { workspaceId, input }: { workspaceId: string; input: NewLink },
): Promise<{ viewId: string | null; name: string | null; query: string }> {
  if ("query" in input) return { viewId: null, name: null, query: input.query };
  const views = await database.listSavedViews(workspaceId);
  const view = views.find(({ id }) => id === input.viewId);
  if (!view) throw notFound("view", input.viewId);
  return { viewId: view.id, name: view.name, query: view.query };
}

/** @throws AppError `invalid_input` for a query that this version does not know */
export async function readSharedContent(
  deps: ContentDeps,
  page: PageQuery,
): Promise<SharedContent> {
  const { workspaceId, kind } = page;
  if (kind === "overview" || kind === "report") {
    const chosen = parseSearch(sharedOverview, page.query);
    const query = resolveDates(chosen, deps.clock.now());
    const overview = await readOverview(deps, { workspaceId, query });
    return { kind, app: chosen.app ?? null, overview };
  }
  if (kind === "comparison") {
    const sides = parseSearch(sharedComparison, page.query);
    const [a, b] = await Promise.all(
      [sides.a, sides.b].map(async (query) => {
        const filters = readFilters(deps, query);
        const complaining = { ...filters, sentiment: filters.sentiment ?? ("negative" as const) };
        const complaints = await summarizeFeed(deps, { workspaceId, filters: complaining });
        const days = await countFeedDays(deps, { workspaceId, filters });
        return { ...(await readReviews(deps, { workspaceId, filters })), complaints, days };
      }) as [Promise<SharedReviews>, Promise<SharedReviews>],
    );
    const apps = await listNamed(deps, { workspaceId, ids: [a.filters.app, b.filters.app] });
    return { kind, a, b, apps };
  }
  const filters = readFilters(deps, page.query);
  const list = { workspaceId, filters, after: null, limit: reviewsMax };
  const { reviews } = await readFeedPage(deps, list);
  const ids = [filters.app, ...reviews.map(({ appId }) => appId)];
  return {
    ...(await readReviews(deps, { workspaceId, filters })),
    kind: "view",
    reviews: reviews.map((review) => ({ ...review, work: null })),
    apps: await listNamed(deps, { workspaceId, ids }),
  };
}

function readFilters({ clock }: ContentDeps, query: string): FeedFilters {
  return resolveDates(parseSearch(feedFilters, query), clock.now());
}

async function readReviews(
  deps: ContentDeps,
  { workspaceId, filters }: { workspaceId: string; filters: FeedFilters },
): Promise<SharedReviews> {
  const summary = await summarizeFeed(deps, { workspaceId, filters });
  const { tag: _tag, assignee: _assignee, status: _status, ...shown } = filters;
  return { filters: shown, summary };
}

/**
 * Strict: a filter that this version does not know must not show more than the link was made for.
 *
 * @throws AppError `invalid_input`
 */
function parseSearch<Schema extends z.ZodType>(schema: Schema, query: string): z.output<Schema> {
  return parseInput(schema, Object.fromEntries(new URLSearchParams(query)));
}

async function listNamed(
  { database }: ContentDeps,
  { workspaceId, ids }: { workspaceId: string; ids: readonly (string | undefined)[] },
): Promise<SharedApp[]> {
  const apps = await database.listApps({ workspaceId });
  return apps
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name, store }) => ({ id, name, store }));
}

async function nameOf(
  deps: DashboardDeps,
  { workspaceId, content }: { workspaceId: string; content: SharedContent },
): Promise<string> {
  if (content.kind === "comparison") return "Comparison";
  const ids = content.kind === "view" ? [] : [content.app ?? undefined];
  const [app] = await listNamed(deps, { workspaceId, ids });
  return app?.name ?? "All apps";
}

/** Reviews whose texts the page has. */
function listQuoted(content: SharedContent): string[] {
  if (content.kind === "view") return content.reviews.map(({ id }) => id);
  if (content.kind === "comparison") return [];
  return content.overview.incidents.flatMap(({ quote }) => (quote ? [quote.reviewId] : []));
}
