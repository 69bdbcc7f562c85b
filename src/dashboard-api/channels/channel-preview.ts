// What a channel would have done: the last reviews that match its choice, and how often each event would
// have fired.

import { type ChannelFilters, channelFiltersSchema } from "../../domain/channel.ts";
import type { App } from "../../domain/listing.ts";
import { storeIds } from "../../domain/store-id.ts";
import { parseInput } from "../../domain/validation-errors.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import type { ChannelPreview } from "../contract/channels.ts";
import type { RatingDay } from "../contract/overview.ts";
import type { DashboardDeps } from "../deps.ts";
import { readRatingDays } from "../overview/rating-days.ts";
import { listReviewViews } from "../reviews/review-feed.ts";
import { selectApps } from "../selected-apps.ts";

const previewDays = 90;
const shownMax = 5;
const scanMax = 5_000;
/** Each app's days cost two queries and a walk. */
const walkedAppsMax = 20;

type Wanted = { workspaceId: string; filters: ChannelFilters };

export async function previewChannel(deps: DashboardDeps, asked: Wanted): Promise<ChannelPreview> {
  const { workspaceId } = asked;
  const filters = parseInput(channelFiltersSchema, asked.filters);
  const { events, stars, topics } = filters;
  const wanted = { workspaceId, filters };
  const ids = filters.apps;
  const apps = await selectApps(deps.database, { workspaceId, field: "apps", ids });
  const today = dayOf(deps.clock.now());
  const choice = {
    workspaceId,
    appIds: apps.map(({ id }) => id),
    stars,
    topics,
    from: addDays(today, 1 - previewDays),
  };
  const has = (event: ChannelFilters["events"][number]): boolean => events.includes(event);
  return {
    reviews: await showLast(deps, { ...wanted, apps }),
    days: previewDays,
    counts: {
      "review.created": has("review.created") ? await deps.database.countMatches(choice) : null,
      "review.updated": has("review.updated")
        ? await deps.database.countMatchedEdits(choice)
        : null,
      "review.rating_drop": has("review.rating_drop")
        ? await countDrops(deps, { apps, filters, from: choice.from, to: today })
        : null,
    },
  };
}

async function showLast(deps: DashboardDeps, shown: Wanted & { apps: readonly App[] }) {
  const { workspaceId, filters, apps } = shown;
  const { found } = await deps.database.searchReviews({
    filters: {
      workspaceId,
      appIds: apps.map(({ id }) => id),
      stores: storeIds,
      from: null,
      to: null,
      ratings: filters.stars,
      sentiment: null,
      topics: filters.topics,
      version: null,
      editedOnly: false,
      words: [],
    },
    after: null,
    limit: shownMax,
    scanMax,
  });
  return listReviewViews(deps, { workspaceId, apps, wanted: found });
}

async function countDrops(
  deps: DashboardDeps,
  walked: { apps: readonly App[]; filters: ChannelFilters; from: string; to: string },
): Promise<number> {
  const { filters, from, to } = walked;
  let count = 0;
  for (const app of walked.apps.slice(0, walkedAppsMax)) {
    const since = addDays(from, -filters.periodDays);
    const days = await readRatingDays(deps.database, { app, from: since, to });
    count += walkDays(deps, { app, days, filters, from });
  }
  return count;
}

/** Day by day by the very rule that fires the event, with its episodes. */
function walkDays(
  { evaluateRatingDrop }: Pick<DashboardDeps, "evaluateRatingDrop">,
  walked: { app: App; days: readonly RatingDay[]; filters: ChannelFilters; from: string },
): number {
  const { app, days, filters } = walked;
  let isOpen = false;
  let count = 0;
  for (const current of days.filter(({ day }) => day >= walked.from)) {
    const latest = addDays(current.day, -filters.periodDays);
    const baseline = days.filter(({ day }) => day <= latest).at(-1) ?? null;
    const judged = evaluateRatingDrop({ filters, appId: app.id, current, baseline, isOpen });
    if (judged === "drop") count += 1;
    if (judged !== "none") isOpen = judged === "drop";
  }
  return count;
}
