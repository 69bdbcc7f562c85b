// The events that a channel would have sent: the last reviews that match its filters, and how often each event would
// have occurred.

import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { ChannelFilters } from "../../domain/channel.ts";
import type { App } from "../../domain/listing.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import { type RatingDay, readRatingDays } from "../../use-cases/apps/rating-days.ts";
import { assertTopicsExist } from "../../use-cases/channels/save-channel.ts";
import type { ChannelPreview } from "../contract/channels.ts";
import type { DashboardDeps } from "../deps.ts";
import { listReviewViews } from "../reviews/review-feed.ts";
import { selectApps } from "../selected-apps.ts";

const previewDays = 90;
const reviewsMax = 5;
const scanMax = 5_000;
/** Each app costs two queries and a pass over its days. */
const replayedAppsMax = 20;

type PreviewInput = { workspaceId: string; filters: ChannelFilters };

/** @throws AppError `not_found` for a foreign app, `invalid_input` for an unknown topic */
export async function previewChannel(
  deps: DashboardDeps,
  input: PreviewInput,
): Promise<ChannelPreview> {
  const { workspaceId, filters } = input;
  const { events, stars, topics } = filters;
  const ids = filters.apps;
  await assertTopicsExist(deps.database, { workspaceId, topics });
  const apps = await selectApps(deps.database, { workspaceId, field: "apps", ids });
  const today = dayOf(deps.clock.now());
  const appIds = apps.map(({ id }) => id);
  const seen = await deps.database.listFollowedApps({ workspaceId, ids: appIds });
  const query = {
    workspaceId,
    apps: seen,
    stars,
    topics,
    from: addDays(today, 1 - previewDays),
  };
  const has = (event: ChannelFilters["events"][number]): boolean => events.includes(event);
  return {
    reviews: await listLastMatches(deps, { ...input, apps, seen }),
    days: previewDays,
    counts: {
      "review.created": has("review.created") ? await deps.database.countMatches(query) : null,
      "review.updated": has("review.updated") ? await deps.database.countMatchedEdits(query) : null,
      "review.rating_drop": has("review.rating_drop")
        ? await countDrops(deps, { apps, filters, from: query.from, to: today })
        : null,
    },
  };
}

async function listLastMatches(
  deps: DashboardDeps,
  query: PreviewInput & { apps: readonly App[]; seen: readonly FollowedApp[] },
) {
  const { workspaceId, filters, apps, seen } = query;
  const { keys } = await deps.database.listReviewKeys({
    workspaceId,
    apps: seen,
    filters: { ratings: filters.stars, topics: filters.topics },
    after: null,
    limit: reviewsMax,
    scanMax,
  });
  return listReviewViews(deps, { workspaceId, apps, keys });
}

async function countDrops(
  deps: DashboardDeps,
  query: { apps: readonly App[]; filters: ChannelFilters; from: string; to: string },
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
  { evaluateRatingDrop }: Pick<DashboardDeps, "evaluateRatingDrop">,
  period: { app: App; days: readonly RatingDay[]; filters: ChannelFilters; from: string },
): number {
  const { app, days, filters } = period;
  let isOpen = false;
  let count = 0;
  for (const current of days.filter(({ day }) => day >= period.from)) {
    const latest = addDays(current.day, -filters.periodDays);
    const baseline = days.filter(({ day }) => day <= latest).at(-1) ?? null;
    const verdict = evaluateRatingDrop({ filters, appId: app.id, current, baseline, isOpen });
    if (verdict === "drop") count += 1;
    if (verdict !== "none") isOpen = verdict === "drop";
  }
  return count;
}
