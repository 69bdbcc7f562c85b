// Which channels get an event for which changed reviews: one event for each review and channel. Pure.
import { type Channel, type ChannelFilter, openChannelFilter } from "../domain/channel/channel.ts";
import { type App, followsReview, type Listing } from "../domain/feed/listing.ts";
import { isReplyOutdated } from "../domain/review/reply-state.ts";
import type { Review, ReviewChange } from "../domain/review/review.ts";
import type { FilterableReview } from "../domain/review/review-filter.ts";

/** One review, one channel, one event to be delivered. */
export type ReviewEvent = {
  channel: Channel;
  app: App;
  review: Review;
  /** All that the review has for the channel's workspace, its own topics included. */
  topics: readonly string[];
} & ({ event: "review.created" } | { event: "review.updated"; before: Review });

/** A review whose `review.created` was enqueued for a channel. */
type NotifiedReview = { channelId: string; reviewId: string };

/**
 * Events of changes that are to be announced: `review.created` for every channel whose filters match,
 * `review.updated` for every channel with that event, whatever its other filters say now. A workspace gets events only
 * of the regions of a public listing that it follows itself.
 *
 * @param input.apps apps of the one listing that changed, at most one per workspace
 * @param input.notified what was announced before, of these channels and reviews
 * @param input.labelsOf names of the app's workspace's own topics that a review has; none by default
 * @param input.shouldNotify whether a change is announced at all to channels of an app
 */
export function matchReviews(input: {
  channels: readonly Channel[];
  listing: Pick<Listing, "workspaceId">;
  apps: readonly App[];
  changes: readonly ReviewChange[];
  notified: readonly NotifiedReview[];
  labelsOf?: (review: Review, app: App) => readonly string[];
  shouldNotify: (candidate: { change: ReviewChange; app: App; wasNotified: boolean }) => boolean;
}): ReviewEvent[] {
  const appOfWorkspace = new Map(input.apps.map((app) => [app.workspaceId, app]));
  const notified = new Set(input.notified.map(keyOf));
  const filters = new Map(input.channels.map((one) => [one.id, openChannelFilter(one)]));
  const events: ReviewEvent[] = [];
  for (const change of input.changes) {
    for (const channel of input.channels) {
      const app = appOfWorkspace.get(channel.workspaceId);
      // A channel with digests reports everything in them.
      if (!app || channel.digest !== null) continue;
      if (input.listing.workspaceId === null && !followsReview(app, change.after)) continue;
      const key = keyOf({ channelId: channel.id, reviewId: change.after.id });
      const wasNotified = notified.size > 0 && notified.has(key);
      if (!input.shouldNotify({ change, app, wasNotified })) continue;
      const topics = listTopics(change.after, input.labelsOf?.(change.after, app) ?? []);
      const target = { channel, app, review: change.after, topics };
      if (change.kind === "edited") {
        if (channel.events.includes("review.updated"))
          events.push({ event: "review.updated", before: change.before, ...target });
      } else if (matchesFilters(target, filters.get(channel.id)))
        events.push({ event: "review.created", ...target });
    }
  }
  return events;
}

function listTopics({ analysis }: Review, ownTopics: readonly string[]): readonly string[] {
  const topics = analysis?.topics ?? [];
  return ownTopics.length === 0 ? topics : [...topics, ...ownTopics];
}

function matchesFilters(
  { channel, app, review, topics }: Pick<ReviewEvent, "channel" | "app" | "review" | "topics">,
  filter: ChannelFilter | undefined,
): boolean {
  return (
    channel.events.includes("review.created") &&
    filter?.takesApp(app) === true &&
    filter.takesReview(toFilterable(review, topics))
  );
}

/** @param topics with the workspace's own */
export function toFilterable(review: Review, topics: readonly string[]): FilterableReview {
  const { rating, title, text, author, country, version, analysis, translation, reply } = review;
  return {
    ...{ rating, title, text, author, country, version, topics },
    sentiment: analysis?.sentiment?.label ?? null,
    language: analysis?.language ?? null,
    hasReply: reply !== null,
    ...(isReplyOutdated(review) && { isReplyOutdated: true as const }),
    translatedText: translation?.text ?? null,
  };
}

function keyOf({ channelId, reviewId }: NotifiedReview): string {
  return `${channelId}/${reviewId}`;
}
