// The events that a channel would have sent: the last reviews that match its filters, and how often each event would
// have occurred.

import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import {
  type Channel,
  type ChannelFilters,
  type EventName,
  listedFilters,
  openChannelFilter,
} from "../../domain/channel/channel.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type ReviewFilters, valuesOf } from "../../domain/review/review-filter.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import { type RatingDay, readRatingDays } from "../../use-cases/apps/rating-days.ts";
import { assertTopicsExist, parseFilter } from "../../use-cases/channels/check-channel.ts";
import { countMatching } from "../../use-cases/reviews/search-reviews.ts";
import { selectApps } from "../apps/selected-apps.ts";
import type { Reader } from "../reader.ts";
import { type FeedReview, listReviewViews } from "../reviews/review-feed.ts";

export type ChannelPreview = {
  /** The last reviews that match, newest first, at most 5. */
  reviews: FeedReview[];
  /** How many days the counts cover. */
  days: number;
  /** How often each event would have occurred; null for an event that the input leaves out. */
  counts: Record<EventName, number | null>;
};

export type PreviewDeps = Reader & {
  /** The rule of `review.rating_drop` for one day. */
  evaluateRatingDrop: (reading: {
    filters: ChannelFilters & Pick<Channel, "query">;
    app: Pick<App, "id" | "store">;
    current: { average: number; total: number };
    baseline: { average: number; total: number } | null;
    isOpen: boolean;
  }) => "drop" | "rearm" | "none";
};

const previewDays = 90;
const reviewsMax = 5;
const scanMax = 5_000;
/** Each app costs two queries and a pass over its days. */
const replayedAppsMax = 20;

type Filters = ChannelFilters & { query: string | null };

/** @throws AppError `not_found` for a foreign app, `invalid_input` for an unknown topic */
export async function previewChannel(
  deps: PreviewDeps,
  { workspaceId, filters: chosen }: { workspaceId: string; filters: ChannelFilters },
): Promise<ChannelPreview> {
  const { events, topics, apps: ids } = chosen;
  await assertTopicsExist(deps.database, { workspaceId, topics });
  const { query } = await parseFilter(deps.database, { ...chosen, workspaceId });
  const filters = { ...chosen, query };
  const all = await selectApps(deps.database, { workspaceId, field: "apps", ids });
  const apps = all.filter(openChannelFilter(filters).takesApp);
  const today = dayOf(deps.clock.now());
  const appIds = apps.map(({ id }) => id);
  const seen = await deps.database.listFollowedApps({ workspaceId, ids: appIds });
  const from = addDays(today, 1 - previewDays);
  const reviewFilters = listedFilters(filters);
  const choice = { workspaceId, apps: seen, from, reviewFilters };
  const last = { workspaceId, apps: seen, filters: reviewFilters, after: null, limit: reviewsMax };
  const { keys } = await deps.database.listReviewKeys({ ...last, scanMax });
  const has = (event: ChannelFilters["events"][number]): boolean => events.includes(event);
  return {
    reviews: await listReviewViews(deps, { workspaceId, apps, keys }),
    days: previewDays,
    counts: {
      "review.created": has("review.created") ? await countNew(deps, choice) : null,
      "review.updated": has("review.updated")
        ? await deps.database.countMatchedEdits(choice)
        : null,
      "review.rating_drop": has("review.rating_drop")
        ? await countDrops(deps, { apps, filters, from, to: today })
        : null,
    },
  };
}

/** From the rollups where they have the answer, else among the newest reviews. */
async function countNew(
  { database }: Pick<Reader, "database">,
  choice: {
    workspaceId: string;
    apps: readonly FollowedApp[];
    from: string;
    reviewFilters: ReviewFilters;
  },
): Promise<number> {
  const { from, reviewFilters, ...scope } = choice;
  if (scope.apps.length === 0) return 0;
  const { rating, topic, app, store, ...more } = reviewFilters;
  const isCounted = Object.values(more).every((value) => value === undefined);
  if (isCounted) {
    const stars = valuesOf({ rating }, "rating");
    return database.countMatches({ ...scope, from, stars, topics: valuesOf({ topic }, "topic") });
  }
  return countMatching(database, { ...scope, ...reviewFilters, from });
}

async function countDrops(
  deps: PreviewDeps,
  query: { apps: readonly App[]; filters: Filters; from: string; to: string },
): Promise<number> {
  const { filters, from, to } = query;
  let count = 0;
  for (const app of query.apps.slice(0, replayedAppsMax)) {
    const since = addDays(from, -filters.periodDays);
    const days = await readRatingDays(deps.database, { app, from: since, to });
    count += replayDays(deps, { app, days, filters, from });
  }
  return count;
}

/** Day by day with the rule of the event itself, which opens an alert once and rearms later. */
function replayDays(
  { evaluateRatingDrop }: Pick<PreviewDeps, "evaluateRatingDrop">,
  period: { app: App; days: readonly RatingDay[]; filters: Filters; from: string },
): number {
  const { app, days, filters } = period;
  let isOpen = false;
  let count = 0;
  for (const current of days.filter(({ day }) => day >= period.from)) {
    const latest = addDays(current.day, -filters.periodDays);
    const baseline = days.filter(({ day }) => day <= latest).at(-1) ?? null;
    const change = evaluateRatingDrop({ filters, app, current, baseline, isOpen });
    if (change === "drop") count += 1;
    if (change !== "none") isOpen = change === "drop";
  }
  return count;
}
