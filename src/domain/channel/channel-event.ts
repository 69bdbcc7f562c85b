// Events for channels of types other than webhooks: the contract's events with what a message
// needs beyond them. Composed once and frozen like a webhook's body; the message is made of it when it is sent.
import { z } from "zod";
import { storeIds } from "../store/store-id.ts";
import { alertNames } from "./channel.ts";
import { digestRhythms } from "./digest-rhythm.ts";
import { ratingDropBody, reviewCreatedBody, reviewUpdatedBody } from "./event.ts";

const app = z.object({
  id: z.string(),
  name: z.string(),
  store: z.enum(storeIds),
  /** Its id in the store, for the link to its page. */
  externalAppId: z.string(),
});
const source = { workspaceId: z.string(), channelId: z.string(), channelName: z.string() };
const sourceOfApp = { ...source, app };

const day = z.iso.date();
const count = z.int().min(0);

const quote = z.object({
  reviewId: z.string(),
  rating: z.int().min(1).max(5),
  text: z.string(),
  version: z.string(),
  country: z.string(),
});

/** The topic of complaints, and the quote of one. */
const complaint = z.object({
  /** null: complaints in which no topic was found. */
  topic: z.string().nullable(),
  count,
  quote,
});

const ratings = z.object({ average: z.number(), total: count });

const appDigest = z.object({
  app,
  /** The changes in plain English; the most important first. */
  sentences: z.array(z.string()).max(10),
  /** Reviews that fit the channel's stars and topics; null for a channel that takes all. */
  matchingCount: count.nullable(),
  /** The totals after the last day and before the first; null where the store has none. */
  ratings: ratings.nullable(),
  ratingsBefore: ratings.nullable(),
  complaints: z.array(complaint).max(3),
  /** Complaints are about these topics, too; absent in digests that older versions queued. */
  moreTopicCount: count.exactOptional(),
});

const digest = z.object({
  event: z.literal("digest"),
  ...source,
  rhythm: z.enum(digestRhythms),
  range: z.object({ from: day, to: day }),
  apps: z.array(appDigest).max(20),
  /** Apps beyond those, in numbers alone. */
  others: z.array(z.object({ app, reviewCount: count })).max(20),
  /** Apps that are not named at all. */
  unnamedCount: count,
});

const alert = z.object({
  event: z.enum(alertNames),
  ...source,
  /** null where no app is concerned. */
  app: app.nullable(),
  /** The channel that fails. */
  failing: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The release that is worse; absent in others, and in those that older versions queued. */
  version: z.string().exactOptional(),
  /** One of its reviews; absent like the version, and where none says enough. */
  quote: quote.exactOptional(),
  /** Failures and rises, one sentence each. */
  lines: z.array(z.string()).max(20),
  /** Beyond those. */
  moreCount: count,
});

const ratingDay = z.object({ day: z.iso.date(), average: z.number() });

export const channelEventSchema = z.discriminatedUnion("event", [
  reviewCreatedBody.extend(sourceOfApp),
  reviewUpdatedBody.extend(sourceOfApp),
  ratingDropBody.extend({
    ...sourceOfApp,
    /** The average on the days between, oldest first; empty when they are not known. */
    days: z.array(ratingDay).max(400),
  }),
  digest,
  alert,
]);

export type ChannelEvent = z.infer<typeof channelEventSchema>;
export type ReviewEventDocument = Extract<ChannelEvent, { review: unknown }>;
export type RatingDropDocument = Extract<ChannelEvent, { ratingDrop: unknown }>;
export type DigestDocument = z.infer<typeof digest>;
export type AlertDocument = z.infer<typeof alert>;
/** What is said, without the channel that it is sent to. */
export type DigestContent = Omit<DigestDocument, "event" | keyof typeof source>;
export type AlertContent = Omit<AlertDocument, keyof typeof source>;
export type EventQuote = z.infer<typeof quote>;
export type AppDigest = z.infer<typeof appDigest>;
export type EventApp = z.infer<typeof app>;
