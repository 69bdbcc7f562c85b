// Turns matched events into deliveries to be enqueued. Ids come from a function, so that the same input
// gives the same deliveries.
import { causeOfDigest, causeOfRatingDrop } from "../domain/channel/announced-cause.ts";
import { type Channel, type ChannelEventName, isAlertName } from "../domain/channel/channel.ts";
import type { AlertContent, DigestContent } from "../domain/channel/channel-event.ts";
import type { NewDelivery } from "../domain/channel/delivery.ts";
import type { RatingDrop } from "../domain/channel/event.ts";
import type { App } from "../domain/feed/listing.ts";
import { composeAlertBody, composeBody, composeDigestBody } from "./body.ts";
import { type ReviewEvent, toFilterable } from "./match-reviews.ts";
import { sampleAlert, sampleApp, sampleDigest, sampleEvent } from "./sample.ts";

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
  const { id: appId } = matched.app;
  return toDelivery(matched.channel, newId, {
    event,
    appId,
    body,
    causes: [causeOfRatingDrop(appId)],
  });
}

export function toDigestDelivery(
  input: { channel: Channel; digest: DigestContent },
  newId: NewId,
): NewDelivery {
  const causes = [causeOfDigest(input.digest.range.to)];
  return toDelivery(input.channel, newId, {
    event: "digest",
    body: composeDigestBody(input),
    causes,
  });
}

export function toAlertDelivery(
  input: { channel: Channel; content: AlertContent; causes: readonly string[] },
  newId: NewId,
): NewDelivery {
  const { causes } = input;
  const { event, app } = input.content;
  const body = composeAlertBody(input);
  return toDelivery(input.channel, newId, { event, appId: app?.id ?? null, body, causes });
}

/**
 * A test event with invented data, sent whatever events are enabled: the named one, or a digest for a channel with
 * digests, or `review.created`.
 */
export function toTestDelivery(
  test: { channel: Channel; now: Date; event?: ChannelEventName | undefined },
  newId: NewId,
): NewDelivery {
  const { channel, event } = test;
  if (channel.digest !== null && event === undefined) {
    const digest = sampleDigest(test.now, channel.digest);
    return { ...toDigestDelivery({ channel, digest }, newId), isTest: true };
  }
  if (event !== undefined && isAlertName(event)) {
    const alert = composeAlertBody({ channel, content: sampleAlert(event) });
    return toDelivery(channel, newId, { event, body: alert, isTest: true });
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
