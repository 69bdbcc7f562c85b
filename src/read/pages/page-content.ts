// The content of one page of a workspace, by its search parameters: for links that share it, and for reports.
import { z } from "zod";
import type { MatchingDay } from "../../database/reviews/review-days.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type ReviewFilter, reviewFilterSchema } from "../../domain/review/review-filter.ts";
import { boundedText } from "../../domain/text-values.ts";
import { parseInput } from "../../domain/validation-errors.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import type { OverviewAnswer } from "../overview/overview.ts";
import { readOverview } from "../overview/read-overview.ts";
import type { Reader } from "../reader.ts";
import { countFeedDays, type FeedSummary, summarizeFeed } from "../reviews/feed-summary.ts";
import { type FeedReview, readFeedPage } from "../reviews/review-feed.ts";

/** Without tags, assignees and states: triage stays in the workspace. */
type PageReviews = {
  filters: ReviewFilter;
  summary: FeedSummary;
  /** In a comparison, the negative ones of them; older frozen pages have none. */
  complaints?: FeedSummary;
  /** The same for their days. */
  days?: MatchingDay[];
};
export type PageApp = Pick<App, "id" | "name" | "store">;

export type PageContent =
  | {
      kind: "overview" | "report";
      /** The app of the page; null: all apps. */
      app: string | null;
      overview: OverviewAnswer;
    }
  | { kind: "comparison"; a: PageReviews; b: PageReviews; apps: PageApp[] }
  /** `reviews`: the newest 50. */
  | ({ kind: "view"; reviews: FeedReview[]; apps: PageApp[] } & PageReviews);

export type PageKind = PageContent["kind"];

/** `query`: the search parameters of the page. */
export type PageQuery = { workspaceId: string; kind: PageKind; query: string };

const reviewsMax = 50;
const sideText = boundedText(1_000);
/** The search parameters of pages that links share: of the Overview, and of both sides of a comparison. */
const sharedOverview = reviewFilterSchema.pick({ app: true, from: true, to: true, range: true });
const sharedComparison = z.strictObject({ a: sideText, b: sideText });

/** @throws AppError `invalid_input` for a query that this version does not know */
export async function readPageContent(deps: Reader, page: PageQuery): Promise<PageContent> {
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
      }) as [Promise<PageReviews>, Promise<PageReviews>],
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

function readFilters({ clock }: Reader, query: string): ReviewFilter {
  return resolveDates(parseSearch(reviewFilterSchema, query), clock.now());
}

async function readReviews(
  deps: Reader,
  { workspaceId, filters }: { workspaceId: string; filters: ReviewFilter },
): Promise<PageReviews> {
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

export async function listNamed(
  { database }: Reader,
  { workspaceId, ids }: { workspaceId: string; ids: readonly (string | undefined)[] },
): Promise<PageApp[]> {
  const apps = await database.listApps({ workspaceId });
  return apps
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name, store }) => ({ id, name, store }));
}
