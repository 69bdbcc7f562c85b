// What a channel would have done: the last reviews that match its choice, and how often each event would
// have fired.
import { addDays, dayOf } from "../lib/timestamp.ts";
import { readChannelFilters } from "../manage/channel-choice.ts";
import { refuseFaults } from "../manage/refusal.ts";
import type { ChannelFilters } from "../reviews/channel.ts";
import type { App } from "../reviews/listing.ts";
import { storeIds } from "../reviews/store-id.ts";
import { chooseApps } from "./chosen-apps.ts";
import type { ChannelPreview } from "./contract/channels.ts";
import type { RatingDay } from "./contract/overview.ts";
import { showReviews } from "./feed.ts";
import { readRatingDays } from "./rating-days.ts";
import type { ConsoleRooms } from "./rooms.ts";

const previewDays = 90;
const shownMax = 5;
const scanMax = 5_000;
/** Each app's days cost two queries and a walk. */
const walkedAppsMax = 20;

type Wanted = { workspaceId: string; filters: ChannelFilters };

export async function previewChannel(rooms: ConsoleRooms, asked: Wanted): Promise<ChannelPreview> {
  const { workspaceId } = asked;
  const { filters, faults } = readChannelFilters(asked.filters);
  refuseFaults(faults);
  const { events, stars, topics } = filters;
  const wanted = { workspaceId, filters };
  const ids = filters.apps;
  const apps = await chooseApps(rooms.keep, { workspaceId, field: "apps", ids });
  const today = dayOf(rooms.clock.now());
  const choice = {
    workspaceId,
    appIds: apps.map(({ id }) => id),
    stars,
    topics,
    from: addDays(today, 1 - previewDays),
  };
  const has = (event: ChannelFilters["events"][number]): boolean => events.includes(event);
  return {
    reviews: await showLast(rooms, { ...wanted, apps }),
    days: previewDays,
    counts: {
      "review.created": has("review.created") ? await rooms.keep.countMatches(choice) : null,
      "review.updated": has("review.updated") ? await rooms.keep.countMatchedEdits(choice) : null,
      "review.rating_drop": has("review.rating_drop")
        ? await countDrops(rooms, { apps, filters, from: choice.from, to: today })
        : null,
    },
  };
}

async function showLast(rooms: ConsoleRooms, shown: Wanted & { apps: readonly App[] }) {
  const { workspaceId, filters, apps } = shown;
  const { found } = await rooms.keep.searchReviews({
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
  return showReviews(rooms, { workspaceId, apps, wanted: found });
}

async function countDrops(
  rooms: ConsoleRooms,
  walked: { apps: readonly App[]; filters: ChannelFilters; from: string; to: string },
): Promise<number> {
  const { filters, from, to } = walked;
  let count = 0;
  for (const app of walked.apps.slice(0, walkedAppsMax)) {
    const since = addDays(from, -filters.periodDays);
    const days = await readRatingDays(rooms.keep, { app, from: since, to });
    count += walkDays(rooms, { app, days, filters, from });
  }
  return count;
}

/** Day by day by the very rule that fires the event, with its episodes. */
function walkDays(
  { judgeDrop }: Pick<ConsoleRooms, "judgeDrop">,
  walked: { app: App; days: readonly RatingDay[]; filters: ChannelFilters; from: string },
): number {
  const { app, days, filters } = walked;
  let isOpen = false;
  let count = 0;
  for (const current of days.filter(({ day }) => day >= walked.from)) {
    const latest = addDays(current.day, -filters.periodDays);
    const baseline = days.filter(({ day }) => day <= latest).at(-1) ?? null;
    const judged = judgeDrop({ filters, appId: app.id, current, baseline, isOpen });
    if (judged === "drop") count += 1;
    if (judged !== "none") isOpen = judged === "drop";
  }
  return count;
}
