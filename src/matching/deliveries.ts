// Turns matched events into deliveries to be enqueued. Ids come from a function, so that the same input
// gives the same deliveries.
import type { Channel, EventName } from "../domain/channel.ts";
import type { AlertContent, DigestContent } from "../domain/channel-event.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import type { RatingDrop } from "../domain/event.ts";
import type { App } from "../domain/listing.ts";
import { composeAlertBody, composeBody, composeDigestBody } from "./body.ts";
import { type ReviewEvent, toFilterable } from "./match-reviews.ts";
import { sampleApp, sampleDigest, sampleEvent } from "./sample.ts";

type NewId = () => string;

export function toReviewDelivery(matched: ReviewEvent, newId: NewId): NewDelivery {
  return toDelivery(matched.channel, newId, {
    event: matched.event,
    appId: matched.app.id,
    reviewId: matched.review.id,
    filterable: matched.event === "review.created" ? filterableOf(matched) : null,
    body: composeBody(matched),
  });
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
  const event = "review.rating_drop";
  const body = composeBody({ event, ...matched });
  return toDelivery(matched.channel, newId, { event, appId: matched.app.id, body });
}

export function toDigestDelivery(
  input: { channel: Channel; digest: DigestContent },
  newId: NewId,
): NewDelivery {
  return toDelivery(input.channel, newId, { event: "digest", body: composeDigestBody(input) });
}

export function toAlertDelivery(
  input: { channel: Channel; content: AlertContent },
  newId: NewId,
): NewDelivery {
  const { event, app } = input.content;
  const body = composeAlertBody(input);
  return toDelivery(input.channel, newId, { event, appId: app?.id ?? null, body });
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
  const body = composeBody({ channel, app: sampleApp, ...sample });
  return toDelivery(channel, newId, { event: sample.event, body, isTest: true });
}

function filterableOf({ review, topics }: ReviewEvent): NewDelivery["filterable"] {
  const filterable = toFilterable(review, topics);
  // The body has these.
  const { rating, title, text, author, country, version, translatedText, ...others } = filterable;
  const { topics: _, ...facts } = others;
  return { rating, topics, facts };
}

function toDelivery(
  { id: channelId, workspaceId }: Channel,
  newId: NewId,
  content: Pick<NewDelivery, "event" | "body"> & Partial<NewDelivery>,
): NewDelivery {
  return {
    id: newId(),
    channelId,
    workspaceId,
    appId: null,
    reviewId: null,
    filterable: null,
    isTest: false,
    ...content,
  };
}
