// Which channels have to hear of which changed reviews. Pure: the same input gives the same events.

import type { Channel } from "../domain/channel.ts";
import type { App } from "../domain/listing.ts";
import type { Review } from "../domain/review.ts";
import { hourMs } from "../lib/timestamp.ts";

/** What a stated review is, compared with what is kept: the part of it that matters here. */
export type ReviewChange =
  | { kind: "new"; before: null; after: Review }
  | { kind: "edited" | "restated" | "unchanged"; before: Review; after: Review };

/** Whom a batch is news for, by the dates of its reviews. */
export type Announce = "none" | "fresh" | "all" | { since: Date };

/** One review, one channel, one event on its way. */
export type ReviewEvent = { channel: Channel; app: App; review: Review } & (
  | { event: "review.created" }
  | { event: "review.updated"; before: Review }
);

/** A review whose `review.created` was queued for a channel. */
export type AnnouncedReview = { channelId: string; reviewId: string };

export type MatchedReviews = {
  events: ReviewEvent[];
  /** What is announced now: only those reviews can be updated later. */
  announced: AnnouncedReview[];
};

// Stores publish late: a review from just before the app was added is still news.
const lateMs = 48 * hourMs;

/**
 * New reviews are created for every channel whose filters fit; edits are updates for every channel
 * that got the review before, whatever its filters say now.
 *
 * @param input.apps apps of the one listing that changed, at most one per workspace
 * @param input.delivered what was announced before, of these channels and reviews
 */
export function matchReviews(input: {
  channels: readonly Channel[];
  apps: readonly App[];
  changes: readonly ReviewChange[];
  announce: Announce;
  delivered: readonly AnnouncedReview[];
}): MatchedReviews {
  const appOf = new Map(input.apps.map((app) => [app.workspaceId, app]));
  const delivered = new Set(input.delivered.map(keyOf));
  const events: ReviewEvent[] = [];
  for (const change of input.changes) {
    for (const channel of input.channels) {
      const app = appOf.get(channel.workspaceId);
      if (!app) continue;
      const pair = { channelId: channel.id, reviewId: change.after.id };
      const wasDelivered = delivered.size > 0 && delivered.has(keyOf(pair));
      const match = { channel, app, review: change.after };
      if (change.kind === "new") {
        // A listing can be forked or added again: what a channel has heard of is not new to it.
        const isNews = !wasDelivered && isAnnounced(input.announce, match);
        if (isNews && fits(match)) events.push({ event: "review.created", ...match });
      } else if (change.kind === "edited") {
        const hears = channel.events.includes("review.updated");
        if (wasDelivered && hears)
          events.push({ event: "review.updated", before: change.before, ...match });
      }
    }
  }
  return { events, announced: events.filter(isCreated).map(toAnnounced) };
}

type Match = { channel: Channel; app: App; review: Review };

function isAnnounced(announce: Announce, { app, review }: Match): boolean {
  if (typeof announce === "object")
    return review.date >= announce.since && review.date >= app.addedAt;
  if (announce !== "fresh") return announce === "all";
  return review.date.getTime() >= app.addedAt.getTime() - lateMs;
}

function fits({ channel, app, review }: Match): boolean {
  const { events, apps, stars, topics } = channel;
  const found = review.analysis?.topics ?? [];
  return (
    events.includes("review.created") &&
    (apps === null || apps.includes(app.id)) &&
    (stars === null || stars.includes(review.rating)) &&
    (topics === null || topics.some((topic) => found.includes(topic)))
  );
}

function isCreated({ event }: ReviewEvent): boolean {
  return event === "review.created";
}

function toAnnounced({ channel, review }: ReviewEvent): AnnouncedReview {
  return { channelId: channel.id, reviewId: review.id };
}

function keyOf({ channelId, reviewId }: AnnouncedReview): string {
  return `${channelId}/${reviewId}`;
}
