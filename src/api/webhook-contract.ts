// The bodies of webhook deliveries for the documentation: the schemas of the domain, with names.
import { z } from "@hono/zod-openapi";
import {
  alertBody,
  channelFailingBody,
  eventChange,
  eventReview,
  ratingDrop,
  ratingDropBody,
  reviewCreatedBody,
  reviewUpdatedBody,
} from "../domain/event.ts";

// Parts that several bodies share are referred to by name.
const review = named(eventReview, "EventReview");
const change = named(eventChange, "EventChange");
const drop = named(ratingDrop, "RatingDrop");

/** Every event, in the order of the contract; behind them the alerts, of which `reviews.spike` stands for three. */
export const webhooks = [
  {
    event: "review.created",
    summary: "A new review matches the channel's filters",
    body: named(reviewCreatedBody.extend({ review }), "ReviewCreated"),
  },
  {
    event: "review.updated",
    summary: "A review already delivered to this channel changed its rating or text",
    body: named(reviewUpdatedBody.extend({ review, change }), "ReviewUpdated"),
  },
  {
    event: "review.rating_drop",
    summary: "The app's overall rating fell past the channel's threshold",
    body: named(ratingDropBody.extend({ ratingDrop: drop }), "ReviewRatingDrop"),
  },
  {
    event: "reviews.spike",
    summary: "Complaints about a topic, or negative reviews, rose; only for channels that chose it",
    body: named(alertBody, "Alert"),
  },
  {
    event: "channel.failing",
    summary: "Another channel has failed for ten minutes; only for channels that chose it",
    body: named(channelFailingBody, "ChannelFailing"),
  },
] as const;

// A copy: schemas made before @hono/zod-openapi extended zod have no `openapi` method.
function named<Schema extends z.ZodObject>(schema: Schema, name: string): Schema {
  return z.object(schema.shape).openapi(name) as unknown as Schema;
}
