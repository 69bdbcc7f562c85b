// Turns matched events into deliveries to be enqueued. Ids come from a function, so that the same input
// gives the same deliveries.
import type { Channel, EventName } from "../domain/channel.ts";
import { type NewDelivery, toDeliveryId } from "../domain/delivery.ts";
import type { RatingDrop } from "../domain/event.ts";
import type { App } from "../domain/listing.ts";
import {
  type AlertContent,
  composeAlertBody,
  composeBody,
  composeDigestBody,
  type DigestContent,
} from "./body.ts";
import { type ReviewEvent, toFilterable } from "./match-reviews.ts";
import { sampleApp, sampleDigest, sampleEvent } from "./sample.ts";

type NewId = () => string;

/** One delivery per event, never per review. */
export function toReviewDeliveries(events: readonly ReviewEvent[], newId: NewId): NewDelivery[] {
  return events.map((matched) => ({
    ...targetOf(matched.channel, newId),
    appId: matched.app.id,
    reviewId: matched.review.id,
    event: matched.event,
    filterable: matched.event === "review.created" ? filterableOf(matched) : null,
    body: composeBody(matched),
  }));
}

export function toRatingDropDelivery(
  matched: {
    channel: Channel;
    app: App;
    ratingDrop: RatingDrop;
    /** For the chart of types that show one. */
    days?: readonly { day: string; average: number }[];
  },
  newId: NewId,
): NewDelivery {
  return {
    ...targetOf(matched.channel, newId),
    appId: matched.app.id,
    reviewId: null,
    event: "review.rating_drop",
    filterable: null,
    body: composeBody({ event: "review.rating_drop", ...matched }),
  };
}

export function toDigestDelivery(
  input: { channel: Channel; digest: DigestContent },
  newId: NewId,
): NewDelivery {
  return {
    ...targetOf(input.channel, newId),
    appId: null,
    reviewId: null,
    event: "digest",
    filterable: null,
    body: composeDigestBody(input),
  };
}

export function toAlertDelivery(
  input: { channel: Channel; content: AlertContent },
  newId: NewId,
): NewDelivery {
  return {
    ...targetOf(input.channel, newId),
    appId: input.content.app?.id ?? null,
    reviewId: null,
    event: input.content.event,
    filterable: null,
    body: composeAlertBody(input),
  };
}

/**
 * A test event with invented data, sent whatever events are enabled: the named one, or a digest for a channel with
 * digests, or `review.created`.
 */
export function toTestDelivery(
  test: { channel: Channel; now: Date; event?: EventName | undefined },
  newId: NewId,
): NewDelivery {
  const { channel, event } = test;
  if (channel.digest !== null && event === undefined) {
    const digest = sampleDigest(test.now, channel.digest);
    return { ...toDigestDelivery({ channel, digest }, newId), isTest: true };
  }
  const sample = sampleEvent(event ?? "review.created", { now: test.now, stars: channel.stars });
  return {
    ...targetOf(channel, newId),
    appId: null,
    reviewId: null,
    event: sample.event,
    filterable: null,
    body: composeBody({ channel, app: sampleApp, ...sample }),
    isTest: true,
  };
}

function filterableOf({ review, topics }: ReviewEvent): NewDelivery["filterable"] {
  const { rating, sentiment, language, hasReply } = toFilterable(review, topics);
  return { rating, topics, facts: { sentiment, language, hasReply } };
}

function targetOf(
  channel: Channel,
  newId: NewId,
): Pick<NewDelivery, "id" | "channelId" | "workspaceId" | "isTest"> {
  const { id: channelId, workspaceId } = channel;
  return { id: toDeliveryId(newId(), channelId), channelId, workspaceId, isTest: false };
}
