// The webhook bodies: field names, their order and their types are public contract, and are defined only
// here. Types and documentation are derived from it; null and absence differ.
import { z } from "zod";
import { appNameSchema } from "../feed/listing.ts";
import { storeSchema as store } from "../store/store-id.ts";

const stars = z.int().min(1).max(5);

export const eventReview = z
  .object({
    id: z.string().describe("Stable for the life of the review."),
    store,
    rating: stars,
    title: z
      .string()
      .nullable()
      .describe("null for stores without review titles, such as googleplay."),
    text: z.string().describe("Always the untranslated original."),
    translatedText: z
      .string()
      .nullable()
      .describe(
        "Not null only when translation is on for the channel and the review was not already English.",
      ),
    translatedFrom: z
      .string()
      .nullable()
      .describe("A language code, under the same condition as translatedText."),
    author: z.string(),
    version: z.string(),
    country: z
      .string()
      .describe(
        "Storefront region for stores other than googleplay, `001` where a store has none; detected language for googleplay.",
      ),
    date: z.iso.datetime().describe("ISO 8601 in UTC."),
  })
  .meta({ id: "EventReview" });

const eventChange = z
  .object({
    oldScore: stars,
    newScore: stars,
    ratingChanged: z.boolean(),
    textChanged: z.boolean(),
    headline: z.string().describe("The change in words."),
  })
  .meta({ id: "EventChange" });

export const ratingDrop = z
  .object({
    currentAvg: z.number(),
    baselineAvg: z.number(),
    drop: z.number().describe("Baseline minus current, in stars, 2 decimals."),
    sampleSize: z.int(),
    baselineSampleSize: z.int(),
    periodDays: z.int(),
  })
  .meta({ id: "RatingDrop" });

const source = {
  channelId: z.string().describe("Identifier of the webhook channel."),
  channelName: z.string(),
  app: appNameSchema,
};

export const reviewCreatedBody = z
  .object({
    event: z.literal("review.created"),
    ...source,
    review: eventReview,
  })
  .meta({ id: "ReviewCreated" });

export const reviewUpdatedBody = z
  .object({
    event: z.literal("review.updated"),
    ...source,
    review: eventReview,
    change: eventChange,
  })
  .meta({ id: "ReviewUpdated" });

export const ratingDropBody = z
  .object({
    event: z.literal("review.rating_drop"),
    ...source,
    ratingDrop,
  })
  .meta({ id: "ReviewRatingDrop" });

const lines = z.array(z.string()).describe("Failures and rises, one sentence each.");

// Alerts are not part of the contract: webhooks get them when they choose them.
export const alertBody = z
  .object({
    event: z.enum(["reviews.spike", "release.worse", "storefront.failing"]),
    ...source,
    app: source.app.nullable().describe("null where the app was removed meanwhile."),
    lines,
  })
  .meta({ id: "Alert" });

export const channelFailingBody = z
  .object({
    event: z.literal("channel.failing"),
    ...source,
    app: source.app.nullable().describe("Always null: a channel is not of one app."),
    failing: z.object({ id: z.string(), name: z.string() }).describe("The channel that fails."),
    lines,
  })
  .meta({ id: "ChannelFailing" });

export type AlertBody = z.infer<typeof alertBody> | z.infer<typeof channelFailingBody>;
export type EventReview = z.infer<typeof eventReview>;
export type EventChange = z.infer<typeof eventChange>;
export type RatingDrop = z.infer<typeof ratingDrop>;
export type EventBody =
  | z.infer<typeof reviewCreatedBody>
  | z.infer<typeof reviewUpdatedBody>
  | z.infer<typeof ratingDropBody>;
