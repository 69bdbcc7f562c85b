// The responses of the read API, field by field, as the public contract names them. Types, documentation and
// tests are made from these schemas; nothing else is ever sent.
import { z } from "zod";
import { sentimentLabels } from "../domain/review/analysis.ts";
import type { Histogram } from "../domain/review/snapshot.ts";
import { storeSchema } from "../domain/store/store-id.ts";

const count = z.int().min(0);
export const dayText = z.iso.date().meta({ description: "A UTC day.", format: "date" });
export const appId = z.string().meta({ format: "uuid", description: "Identifier of an app." });
export const externalAppId = z
  .string()
  .meta({ description: "The app's identifier inside its store.", example: "1234567890" });
const ratingStars = z.int().min(1).max(5).describe("Stars.");
export const moment = z.string().meta({
  format: "date-time",
  description: "ISO 8601 in UTC; milliseconds only where the store gives them.",
  example: "2026-11-21T08:37:00Z",
});

export const appSchema = z
  .object({
    id: appId,
    name: z.string(),
    store: storeSchema,
    externalAppId,
    appIcon: z.string().describe("URL of the icon; empty until it was read from the store."),
  })
  .meta({ id: "App" });

export const appsResponse = z.object({ apps: z.array(appSchema) }).meta({ id: "Apps" });

const sentimentSchema = z
  .object({
    label: z.enum(sentimentLabels),
    score: z.number().min(-1).max(1).describe("From -1 (negative) to 1 (positive)."),
  })
  .meta({ id: "Sentiment" });

export const reviewSchema = z
  .object({
    id: z.string().meta({ format: "uuid", description: "Stable for the life of the review." }),
    store: storeSchema,
    externalAppId,
    author: z.string().describe("Empty when the store does not say."),
    rating: ratingStars,
    title: z
      .string()
      .nullable()
      .describe("null for stores without review titles, such as googleplay."),
    text: z.string().describe("The original text."),
    translatedText: z.string().nullable().describe("The stored translation, if one was made."),
    translatedFrom: z.string().nullable().describe("Source language code of the translation."),
    version: z
      .string()
      .describe("App version the review refers to; empty when the store does not say."),
    country: z
      .string()
      .describe(
        "Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts.",
      ),
    date: moment,
    sentiment: sentimentSchema
      .nullable()
      .describe("null while the review is not analysed, and for a review without text."),
    topics: z
      .array(z.string())
      .describe("Empty while the review is not analysed, and for a review without text."),
  })
  .meta({ id: "Review" });

/** Fields that `include=` adds to a review, by the name that it takes. */
const includable = {
  reply: z
    .object({ text: z.string(), at: moment.nullable() })
    .meta({ id: "Reply" })
    .nullable()
    .describe("The developer's public reply."),
  language: z.string().nullable().describe("What it is written in; null while it is not analysed."),
  editedAt: moment.nullable().describe("When Starpost saw the last edit."),
  removedAt: moment
    .nullable()
    .describe("Since when the store no longer shows it, as far as its lists tell."),
  removed: z
    .enum(["by_store", "erased"])
    .nullable()
    .describe(
      "Why a copy should drop it: the store no longer shows it, or it was erased here for its author and has no content left.",
    ),
  device: z.string().nullable().describe("As the store's official API names it."),
  votes: z.int().nullable().describe("Users who found it helpful."),
  storeId: z.string().describe("The store's own id; empty once it was erased."),
  url: z.string().describe("Where the store shows it, or the reviews of its app."),
  ownTopics: z
    .array(z.string())
    .describe("Those of its `topics` that the workspace defines itself."),
  opinions: z
    .record(z.string(), z.number())
    .nullable()
    .describe("On each topic, from -1 to 1; null where the analysis gives none."),
};

/** Known of pages by change alone: at any other moment, changes before it may not be committed yet. */
const ofChanges = {
  changedAt: z
    .string()
    .meta({ format: "date-time" })
    .describe(
      "With `updatedSince` only: when it changed, to the microsecond. The greatest of a run is the next `updatedSince` of programs that can't read the header.",
    ),
};

const listed = { ...includable, ...ofChanges };
export const includableNames = Object.keys(listed) as readonly string[] as readonly [
  Includable,
  ...Includable[],
];
type Includable = keyof typeof listed;
const included = z.object(includable);
export type IncludedFields = z.infer<typeof included>;

const listedReviewSchema = reviewSchema
  .extend(z.object(listed).partial().shape)
  .meta({ id: "ListedReview" });

export const exportedReview = listedReviewSchema
  .extend({
    storeId: included.shape.storeId,
    cursor: z.string().describe("Pass it to go on behind this row."),
  })
  .meta({ id: "ExportedReview" });

export const reviewsResponse = z
  .object({
    reviews: z.array(listedReviewSchema),
    nextCursor: z.string().nullable().describe("Pass it back as `cursor`; null on the last page."),
    updatedUntil: z
      .string()
      .optional()
      .describe("With `updatedSince` only: the same as the header `Updated-Until`."),
  })
  .meta({ id: "Reviews" });

const reviewVersion = z
  .object({
    rating: ratingStars,
    title: z.string().nullable(),
    text: z.string(),
    version: z.string(),
    date: moment,
    replacedAt: moment.describe("When Starpost saw the edit."),
  })
  .meta({ id: "ReviewVersion" });

const earlierVersions = z
  .array(reviewVersion)
  .describe("As it was before each edit, oldest first; empty without any.");

export const reviewResponse = reviewSchema
  .extend({ ...includable, versions: earlierVersions })
  .meta({ id: "WholeReview" });

export const editsResponse = z
  .object({
    review: reviewSchema.describe("The review as it is now."),
    edits: earlierVersions,
  })
  .meta({ id: "Edits" });

export const histogramSchema = z
  .object({ "1": count, "2": count, "3": count, "4": count, "5": count })
  .meta({ id: "Histogram", description: "Number of ratings per star." });

export const topicCountSchema = z.object({ topic: z.string(), count }).meta({ id: "TopicCount" });

/** @param counts of 1 to 5 stars */
export function toHistogram(counts: Histogram): z.infer<typeof histogramSchema> {
  const [one, two, three, four, five] = counts;
  return { "1": one, "2": two, "3": three, "4": four, "5": five };
}

export const ratingsResponse = z
  .object({
    app: z.object({ id: appId, store: storeSchema, externalAppId }),
    rating: z.object({
      average: z.number().describe("All-time average, at most 4 decimals."),
      total: count.describe("Total number of ratings."),
      histogram: histogramSchema,
      capturedOn: dayText.describe("Day of the latest daily snapshot."),
    }),
  })
  .meta({ id: "Ratings" });

/** Weeks count these stores by name; `total` counts all. */
export const storeCounts = { appstore: count, googleplay: count };

const weekSchema = z
  .object({
    week: dayText.describe("The week's Monday (ISO weeks, UTC)."),
    label: z.string().meta({ description: "Short display label.", example: "Nov 16" }),
    ...storeCounts,
    total: count.describe("Reviews of all stores."),
    positive: count,
    neutral: count,
    negative: count,
    mixed: count,
    analyzed: count.describe("The sum of the four sentiment counts."),
    avgScore: z.number().describe("Average stars, 2 decimals; 0 in a week without reviews."),
  })
  .meta({ id: "Week" });

export const trendsResponse = z
  .object({
    weekly: z.array(weekSchema).describe("Every week of the range, oldest first."),
    totals: z.object({ total: count, analyzed: count }),
    ratingDistribution: z
      .array(z.object({ score: ratingStars, count }))
      .describe("Always five items, 1 to 5 stars."),
    topTopics: z.array(topicCountSchema).describe("The ten most frequent: by count, then by name."),
  })
  .meta({ id: "Trends" });

export const topicsResponse = z.object({ topics: z.array(z.string()) }).meta({ id: "Topics" });

export type TrendsResponse = z.infer<typeof trendsResponse>;
