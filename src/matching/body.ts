// Composes what is queued for a channel: for a webhook the bytes that are signed and sent, with the keys in the
// contract's order; for other types the event that a message is made of.

import type { Channel } from "../domain/channel/channel.ts";
import type { AlertContent, ChannelEvent, DigestContent } from "../domain/channel/channel-event.ts";
import type {
  AlertBody,
  EventBody,
  EventChange,
  EventReview,
  RatingDrop,
} from "../domain/channel/event.ts";
import type { App } from "../domain/feed/listing.ts";
import type { Review } from "../domain/review/review.ts";
import { storeTraits } from "../domain/store/store-traits.ts";
import { formatTimestamp } from "../lib/timestamp.ts";

type AppFacts = Pick<App, "id" | "name" | "store" | "externalAppId">;
type RatingDay = { day: string; average: number };

/** The parts of a body. */
type EventInput = { channel: Channel; app: AppFacts } & (
  | { event: "review.created"; review: Review }
  | { event: "review.updated"; review: Review; before: Review }
  | { event: "review.rating_drop"; ratingDrop: RatingDrop; days?: readonly RatingDay[] }
);

export function composeBody(input: EventInput): Buffer {
  const isWebhook = input.channel.type === "webhook";
  return toBytes(isWebhook ? toEventBody(input) : toChannelEvent(input));
}

export function composeDigestBody(input: { channel: Channel; digest: DigestContent }): Buffer {
  return toBytes({ event: "digest", ...sourceOf(input.channel), ...input.digest });
}

export function composeAlertBody(input: { channel: Channel; content: AlertContent }): Buffer {
  const { channel, content } = input;
  const isWebhook = channel.type === "webhook";
  return toBytes(isWebhook ? toAlertBody(channel, content) : { ...content, ...sourceOf(channel) });
}

function toBytes(event: ChannelEvent | EventBody | AlertBody): Buffer {
  return Buffer.from(JSON.stringify(event), "utf8");
}

/** The fields that docs/webhooks.md names. */
function toAlertBody(channel: Channel, { event, app, failing, lines }: AlertContent): AlertBody {
  const source = { channelId: channel.id, channelName: channel.name };
  if (event === "channel.failing") {
    // The finder of failing channels always names one.
    if (failing === null) throw new Error("an alert of a failing channel names no channel");
    return { event, ...source, app: null, failing, lines };
  }
  const named = app && { id: app.id, name: app.name, store: app.store };
  return { event, ...source, app: named, lines };
}

function sourceOf({ id, name, workspaceId }: Channel) {
  return { workspaceId, channelId: id, channelName: name };
}

function toChannelEvent(input: EventInput): ChannelEvent {
  const { channel, app } = input;
  const body = toEventBody(input);
  const more = {
    workspaceId: channel.workspaceId,
    app: { ...body.app, externalAppId: app.externalAppId },
  };
  if (body.event !== "review.rating_drop") return { ...body, ...more };
  return { ...body, ...more, days: "days" in input ? [...input.days] : [] };
}

function toEventBody(input: EventInput): EventBody {
  const { event, channel, app } = input;
  const { id, name, store } = app;
  const source = { channelId: channel.id, channelName: channel.name, app: { id, name, store } };
  switch (event) {
    case "review.created":
      return { event, ...source, review: composeReview(input) };
    case "review.updated": {
      const change = describeChange(input.before, input.review);
      return { event, ...source, review: composeReview(input), change };
    }
    case "review.rating_drop":
      return { event, ...source, ratingDrop: composeDrop(input.ratingDrop) };
  }
}

function composeReview(input: { channel: Channel; app: AppFacts; review: Review }): EventReview {
  const { channel, app, review } = input;
  const translation = channel.translate && !isEnglish(review) ? review.translation : null;
  return {
    id: review.id,
    store: app.store,
    rating: review.rating,
    // Google Play has no titles, even if an import has one.
    title: storeTraits[app.store].hasTitles ? review.title : null,
    text: review.text,
    translatedText: translation?.text ?? null,
    translatedFrom: translation?.from ?? null,
    author: review.author,
    version: review.version,
    country: review.country,
    date: formatTimestamp(review.date),
  };
}

function isEnglish({ analysis, translation }: Review): boolean {
  const language = translation?.from ?? analysis?.language ?? "";
  return /^en(-|$)/i.test(language);
}

function composeDrop(ratingDrop: RatingDrop): RatingDrop {
  const { currentAvg, baselineAvg, drop, sampleSize, baselineSampleSize, periodDays } = ratingDrop;
  return { currentAvg, baselineAvg, drop, sampleSize, baselineSampleSize, periodDays };
}

type ReviewContent = Pick<Review, "rating" | "title" | "text">;

/** Title counts as text. */
function describeChange(before: ReviewContent, after: ReviewContent): EventChange {
  const ratingChanged = before.rating !== after.rating;
  const textChanged = before.text !== after.text || before.title !== after.title;
  return {
    oldScore: before.rating,
    newScore: after.rating,
    ratingChanged,
    textChanged,
    headline: composeHeadline({ before, after, ratingChanged, textChanged }),
  };
}

function composeHeadline(change: {
  before: ReviewContent;
  after: ReviewContent;
  ratingChanged: boolean;
  textChanged: boolean;
}): string {
  if (!change.ratingChanged) return "Text edited";
  const stars = `Rating changed from ${change.before.rating} to ${change.after.rating} stars`;
  return change.textChanged ? `${stars} and text edited` : stars;
}
