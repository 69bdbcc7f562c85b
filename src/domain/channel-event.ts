// What channels of other types than webhooks are sent messages about: the contract's events with what a message
// needs beyond them. Composed once and frozen like a webhook's body; the message is made of it when it is sent.
import { z } from "zod";
import { ratingDropBody, reviewCreatedBody, reviewUpdatedBody } from "./event.ts";
import { storeIds } from "./store-id.ts";

const app = z.object({
  id: z.string(),
  name: z.string(),
  store: z.enum(storeIds),
  /** Its id in the store, for the link to its page. */
  externalAppId: z.string(),
});
const source = { workspaceId: z.string(), channelId: z.string(), channelName: z.string() };
const sourceOfApp = { ...source, app };

const ratingDay = z.object({ day: z.iso.date(), average: z.number() });

export const channelEventSchema = z.discriminatedUnion("event", [
  reviewCreatedBody.extend(sourceOfApp),
  reviewUpdatedBody.extend(sourceOfApp),
  ratingDropBody.extend({
    ...sourceOfApp,
    /** The average on the days between, oldest first; empty when they are not known. */
    days: z.array(ratingDay).max(400),
  }),
]);

export type ChannelEvent = z.infer<typeof channelEventSchema>;
export type ReviewEventDocument = Extract<ChannelEvent, { review: unknown }>;
export type RatingDropDocument = Extract<ChannelEvent, { ratingDrop: unknown }>;
export type EventApp = z.infer<typeof app>;
