// A digest: what changed in the reviews of one app, in a week or since a version came out. It is data with the
// sentences that say it; the page or message decides how it looks.
import { z } from "zod";
import { appNameSchema } from "../feed/listing.ts";
import { sentimentLabels } from "../review/analysis.ts";

const day = z.string();
const count = z.number().int().min(0);
const range = z.strictObject({ from: day, to: day }).meta({ id: "DayRange" });

/**
 * The subject of the change. `value` is a topic, a language or a version, `up`, `down` or `five_stars` of the rating; ""
 * for more and for fewer reviews and for the negative ones.
 */
const spike = z.strictObject({
  subject: z.enum(["reviews", "fewer", "rating", "negative", "topic", "language", "version"]),
  value: z.string(),
  /**
   * In the range; near-duplicates count once. For a topic: those that are negative. For a version: its negative reviews.
   * For the rating: those with one or two stars, or with five.
   */
  count,
  /** All reviews of the range; for a version all of it. */
  total: count,
  /** The expected count, from the days before. */
  expected: z.number().min(0),
  /** In plain English. */
  sentence: z.string(),
});

/** A word or phrase that reviews use now and did not use before. */
const newPhrase = z.strictObject({
  phrase: z.string(),
  language: z.string(),
  /** Reviews that use it: of those in the range that were read, and of those before that were read. */
  count,
  countBefore: count,
  reviewIds: z.array(z.string()),
  sentence: z.string(),
});

/** Reviews of the range with nearly the same text. They count once. */
const duplicates = z.strictObject({
  text: z.string(),
  count,
  /** The oldest first; not all of a large group. */
  reviewIds: z.array(z.string()),
  sentence: z.string(),
});

const quote = z.strictObject({
  reviewId: z.string(),
  rating: z.number().int().min(1).max(5),
  /** A whole text, or its beginning with an ellipsis. */
  text: z.string(),
  date: z.string(),
  version: z.string(),
  language: z.string(),
  country: z.string(),
  sentiment: z.enum(sentimentLabels).nullable(),
  topics: z.array(z.string()),
  /** Why it was chosen: the topics and phrases of this digest that it mentions. */
  mentions: z.array(z.string()),
});

export const digestSchema = z
  .strictObject({
    kind: z.enum(["day", "week", "release"]),
    app: appNameSchema,
    /** The version of a release digest; null in a weekly one. */
    version: z.string().nullable(),
    /** UTC days, both inclusive. */
    range,
    /** The days that the range is compared with; null where there are too few reviews to compare with. */
    baseline: range.nullable(),
    reviews: z.strictObject({
      total: count,
      /** null without a baseline. */
      expected: z.number().min(0).nullable(),
      averageRating: z.number().nullable(),
      averageRatingBefore: z.number().nullable(),
      negative: count,
      /** Copies beyond the first of each group of near-duplicates; `total` has them, spikes don't. */
      repeated: count,
      /** How many texts were read for phrases, near-duplicates and quotes: the newest ones. */
      read: count,
    }),
    /** The most surprising first. */
    spikes: z.array(spike),
    newPhrases: z.array(newPhrase),
    duplicates: z.array(duplicates),
    quotes: z.array(quote).max(3),
    /** The digest in plain English, the most important first; never empty. */
    sentences: z.array(z.string()).min(1),
  })
  .meta({ id: "Changes" });

export type Digest = z.infer<typeof digestSchema>;
export type Spike = Digest["spikes"][number];
export type NewPhrase = Digest["newPhrases"][number];
export type DuplicateGroup = Digest["duplicates"][number];
export type Quote = Digest["quotes"][number];

export type DigestReview = {
  id: string;
  rating: number;
  title: string | null;
  text: string;
  author: string;
  translatedText: string | null;
  version: string;
  country: string;
  date: Date;
  /** `und` for one that is not analysed. */
  language: string;
  sentiment: (typeof sentimentLabels)[number] | null;
  score: number;
  topics: string[];
};

/** Reviews of one day by what they are about. `value` is "" where the subject is `reviews`. */
export type DailyCount = {
  subject: "reviews" | "topic" | "language" | "version";
  value: string;
  day: string;
  total: number;
  /** The negative ones among these. */
  negative: number;
};
