// The bodies of webhook deliveries as the public contract names them: for the documentation and for
// tests of the bodies that are sent.
import { z } from "@hono/zod-openapi";
import type { EventBody } from "../reviews/event.ts";
import { appId, moment, ratingStars, storeId } from "./contract.ts";
import { exampleCreated, exampleDrop, exampleEventReview, exampleUpdated } from "./examples.ts";

const source = {
  channelId: z.string().openapi({ description: "Identifier of the webhook channel." }),
  channelName: z.string(),
  app: z.object({ id: appId, name: z.string(), store: storeId }),
};

export const eventReviewSchema = z
  .object({
    id: z.string().openapi({ description: "Stable for the life of the review." }),
    store: storeId,
    rating: ratingStars,
    title: z
      .string()
      .nullable()
      .openapi({ description: "null for stores without review titles (googleplay)." }),
    text: z.string().openapi({ description: "Always the untranslated original." }),
    translatedText: z.string().nullable().openapi({
      description:
        "Not null only when translation is on for the channel and the review was not already English.",
    }),
    translatedFrom: z
      .string()
      .nullable()
      .openapi({ description: "A language code, under the same condition as translatedText." }),
    author: z.string(),
    version: z.string(),
    country: z.string().openapi({
      description:
        "Storefront region for stores other than googleplay; detected language for googleplay.",
    }),
    date: moment,
  })
  .openapi("EventReview", { example: exampleEventReview });

const changeSchema = z
  .object({
    oldScore: ratingStars,
    newScore: ratingStars,
    ratingChanged: z.boolean(),
    textChanged: z.boolean(),
    headline: z.string().openapi({ description: "The change in words." }),
  })
  .openapi("EventChange");

const ratingDropSchema = z
  .object({
    currentAvg: z.number(),
    baselineAvg: z.number(),
    drop: z.number().openapi({ description: "Baseline minus current, in stars, 2 decimals." }),
    sampleSize: z.int(),
    baselineSampleSize: z.int(),
    periodDays: z.int(),
  })
  .openapi("RatingDrop");

export const reviewCreatedBody = z
  .object({ event: z.literal("review.created"), ...source, review: eventReviewSchema })
  .openapi("ReviewCreated", { example: exampleCreated });

export const reviewUpdatedBody = z
  .object({
    event: z.literal("review.updated"),
    ...source,
    review: eventReviewSchema,
    change: changeSchema,
  })
  .openapi("ReviewUpdated", { example: exampleUpdated });

export const ratingDropBody = z
  .object({ event: z.literal("review.rating_drop"), ...source, ratingDrop: ratingDropSchema })
  .openapi("ReviewRatingDrop", { example: exampleDrop });

/** Every event, in the order of the contract. */
export const webhooks = [
  {
    event: "review.created",
    summary: "A new review matches the channel's filters",
    body: reviewCreatedBody,
    example: exampleCreated,
  },
  {
    event: "review.updated",
    summary: "A review already delivered to this channel changed its rating or text",
    body: reviewUpdatedBody,
    example: exampleUpdated,
  },
  {
    event: "review.rating_drop",
    summary: "The app's overall rating fell past the channel's threshold",
    body: ratingDropBody,
    example: exampleDrop,
  },
] as const;

type Documented =
  | z.infer<typeof reviewCreatedBody>
  | z.infer<typeof reviewUpdatedBody>
  | z.infer<typeof ratingDropBody>;

// What is documented is what is composed: this does not compile once the two part.
type Composed<Body extends EventBody> = Body;
export type DocumentedBody = Composed<Documented>;
