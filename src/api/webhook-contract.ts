// The bodies of webhook deliveries for the documentation: the schemas of the domain, with names and examples.
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
import {
  exampleCreated,
  exampleDrop,
  exampleEventReview,
  exampleFailing,
  exampleSpike,
  exampleUpdated,
} from "./examples.ts";

// Parts that several bodies share are referred to by name.
const review = named(eventReview, "EventReview", exampleEventReview);
const change = named(eventChange, "EventChange", exampleUpdated.change);

/** Every event, in the order of the contract; behind them the alerts, of which `reviews.spike` stands for three. */
export const webhooks = [
  {
    event: "review.created",
    summary: "A new review matches the channel's filters",
    body: named(reviewCreatedBody.extend({ review }), "ReviewCreated", exampleCreated),
    example: exampleCreated,
  },
  {
    event: "review.updated",
    summary: "A review already delivered to this channel changed its rating or text",
    body: named(reviewUpdatedBody.extend({ review, change }), "ReviewUpdated", exampleUpdated),
    example: exampleUpdated,
  },
  {
    event: "review.rating_drop",
    summary: "The app's overall rating fell past the channel's threshold",
    body: named(
      ratingDropBody.extend({
        ratingDrop: named(ratingDrop, "RatingDrop", exampleDrop.ratingDrop),
      }),
      "ReviewRatingDrop",
      exampleDrop,
    ),
    example: exampleDrop,
  },
  {
    event: "reviews.spike",
    summary: "Complaints about a topic, or negative reviews, rose; only for channels that chose it",
    body: named(alertBody, "Alert", exampleSpike),
    example: exampleSpike,
  },
  {
    event: "channel.failing",
    summary: "Another channel has failed for ten minutes; only for channels that chose it",
    body: named(channelFailingBody, "ChannelFailing", exampleFailing),
    example: exampleFailing,
  },
] as const;

// A copy: schemas made before @hono/zod-openapi extended zod have no `openapi` method.
function named<Schema extends z.ZodObject>(schema: Schema, name: string, example: object): Schema {
  return z.object(schema.shape).openapi(name, { example }) as unknown as Schema;
}
