// A channel: where events go, which ones, and under which filters; and the schemas that every input of a
// channel passes, whether it comes from the command line or from the dashboard.
import { z } from "zod";
import { type ChannelType, channelTypes, destinationLimits } from "./channel-destination.ts";
import { type DigestSchedule, digestDefaults, digestScheduleFields } from "./digest-rhythm.ts";
import { idSchema, nameSchema, oneOfSchema, unique, wholeNumberSchema } from "./fields.ts";
import { type HttpRequest, httpRequestSchema } from "./http-request.ts";
import { toTopicName } from "./own-topic.ts";
import type { FilterableReview, ReviewFilter } from "./review-filter.ts";
import { matchesApp, matchesReview, parseReviewFilter } from "./review-filter.ts";
import { reviewWorkLimits } from "./review-work.ts";
import type { StoreId } from "./store-id.ts";
import { topicNames } from "./topics.ts";

export const eventNames = ["review.created", "review.updated", "review.rating_drop"] as const;
export type EventName = (typeof eventNames)[number];
/** Events that the contract does not name. Off unless they are chosen. */
export const alertNames = [
  "reviews.spike",
  "release.worse",
  "storefront.failing",
  "channel.failing",
] as const;
export type AlertName = (typeof alertNames)[number];

export const channelEventNames = [...eventNames, ...alertNames] as const;
export type ChannelEventName = (typeof channelEventNames)[number];

/** The subjects of deliveries. A channel does not choose digests as an event: it replaces them. */
export type DeliveryEvent = ChannelEventName | "digest";

export const channelLimits = {
  nameMax: 200,
  urlMax: destinationLimits.urlMax,
  appsMax: 1_000,
  topicsMax: 50,
  /** Between one star and five stars there are four. */
  dropThresholdMax: 4,
  periodDaysMax: 365,
  minSampleSizeMax: 1_000_000_000,
} as const;

const topicShownMax = 64;
const textField = z.string({ error: "must be a text" });
const { appsMax, topicsMax, dropThresholdMax } = channelLimits;
const eventsError = { error: `must be some of ${channelEventNames.join(", ")}` };
const starsError = { error: "must be some of 1, 2, 3, 4, 5" };
const appsError = { error: `must be 1 to ${appsMax}, or all` };
const topicsError = { error: `must be 1 to ${topicsMax}, or all` };
const dropError = { error: `must be more than 0 and at most ${dropThresholdMax} stars` };

/** Which events a channel gets. The result is normalized: sorted, without repeats, in lower case. */
export const channelFiltersSchema = z.object({
  events: z
    .array(z.string(eventsError), eventsError)
    .min(1, eventsError)
    .refine((events) => events.every(isEventName), eventsError)
    .transform((events) => channelEventNames.filter((name) => events.includes(name))),
  /** App ids; null means all of the workspace. */
  apps: z
    .array(
      idSchema.transform((id) => id.toLowerCase()),
      appsError,
    )
    .transform(unique)
    .refine(({ length }) => length >= 1 && length <= appsMax, appsError)
    .nullable(),
  /** Star ratings; null means all. */
  stars: z
    .array(z.number(starsError).int(starsError).min(1, starsError).max(5, starsError), starsError)
    .min(1, starsError)
    .transform((stars) => unique(stars).sort((one, other) => one - other))
    .nullable(),
  /** Topics, any of which must be found; null means all reviews. Whether a workspace has them is not known here. */
  topics: z
    .array(z.string(topicsError).transform(toTopicName), topicsError)
    .transform(unique)
    .refine(({ length }) => length >= 1 && length <= topicsMax, topicsError)
    .nullable(),
  /**
   * Further filters, as search parameters of the Reviews page: `country=de&sentiment=negative`; null without any. Absent,
   * it stays as it is.
   */
  filter: textField
    .max(reviewWorkLimits.viewQueryMax, { error: "is too long" })
    .nullable()
    .optional(),
  /** The saved view whose filters apply instead of these, by id or name; null for none. */
  view: textField.nullable().optional(),
  translate: z.boolean({ error: "must be true or false" }),
  /** Stars the average must have fallen by. */
  dropThreshold: z
    .number(dropError)
    .refine((stars) => stars > 0 && stars <= dropThresholdMax, dropError),
  periodDays: wholeNumberSchema({ min: 1, max: channelLimits.periodDaysMax }),
  minSampleSize: wholeNumberSchema({ min: 1, max: channelLimits.minSampleSizeMax }),
});

/** The settings of a channel that users choose. Whether its apps exist and its URL may be reached is not known here. */
export const channelInputSchema = channelFiltersSchema.extend({
  name: nameSchema(channelLimits.nameMax),
  type: oneOfSchema(channelTypes).optional(),
  // Which of them a type takes, and in which form, says destinationSchemas.
  url: textField.optional(),
  headers: textField.optional(),
  token: textField.optional(),
  chat: textField.optional(),
  to: textField.optional(),
  /** The template of an HTTP channel. */
  request: httpRequestSchema.optional(),
  digest: digestScheduleFields.digest.optional(),
  digestAt: digestScheduleFields.digestAt.optional(),
  timeZone: digestScheduleFields.timeZone.optional(),
  isPaused: z.boolean({ error: "must be true or false" }).optional(),
});

export type ChannelFilters = z.output<typeof channelFiltersSchema>;
/** Types are right, values need not be. */
export type ChannelInput = z.input<typeof channelInputSchema>;

export type Channel = ChannelFilters &
  DigestSchedule & {
    id: string;
    workspaceId: string;
    type: ChannelType;
    name: string;
    /** Where its messages go, as people see it: of a URL that is a secret, a part. */
    url: string;
    /** Its recipients: a Telegram chat or e-mail addresses. */
    recipients: string[];
    /** null for a channel that sends each event. */
    digestDueAt: Date | null;
    /** null for other types than HTTP. */
    request: HttpRequest | null;
    filter: string | null;
    /** The id of the view that it follows. */
    view: string | null;
    /** The filters that apply beside apps, stars and topics: its own, or those that its view has now. */
    query: string | null;
    /** Nothing but tests is sent. */
    isPaused: boolean;
    createdAt: Date;
  };

/** A channel as people see it. */
export type ListedChannel = Channel & FailingState;

export type FailingState = {
  /** Since when every attempt has failed; null while the endpoint answers. */
  failingSince: Date | null;
  /** The last failure in words; null while the endpoint answers. */
  failingReason: string | null;
};

/** The fields of a webhook that users don't choose. */
export const webhookFields: Pick<
  Channel,
  "type" | "recipients" | "digestDueAt" | "request" | "filter" | "view" | "query" | "isPaused"
> &
  DigestSchedule = {
  type: "webhook",
  recipients: [],
  digestDueAt: null,
  request: null,
  filter: null,
  view: null,
  query: null,
  isPaused: false,
  ...digestDefaults,
};

export const channelDefaults: ChannelFilters = {
  events: [...eventNames],
  apps: null,
  stars: null,
  topics: null,
  translate: false,
  dropThreshold: 0.1,
  periodDays: 7,
  minSampleSize: 30,
};

/** The filters of a channel, ready to be compared with apps and reviews. */
export type ChannelFilter = {
  takesApp(app: { id: string; store: StoreId }): boolean;
  /** A new review of an app that it takes. */
  takesReview(review: FilterableReview): boolean;
  /** Whether it takes all reviews of its apps. */
  takesAll: boolean;
};

export function openChannelFilter(
  channel: Pick<Channel, "apps" | "stars" | "topics" | "query">,
): ChannelFilter {
  const { apps, stars, topics } = channel;
  const filter = parseQuery(channel.query);
  return {
    takesApp: (app) =>
      filter !== null && (apps === null || apps.includes(app.id)) && matchesApp(filter, app),
    takesReview: (review) =>
      filter !== null &&
      (stars === null || stars.includes(review.rating)) &&
      (topics === null || topics.some((topic) => review.topics.includes(topic))) &&
      matchesReview(filter, review),
    takesAll: stars === null && topics === null && channel.query === null,
  };
}

/** Topics that a channel filters by, by itself or by the view that it follows. */
export function listFilteredTopics({ topics, query }: Pick<Channel, "topics" | "query">): string[] {
  return [topics ?? [], parseQuery(query)?.topic ?? []].flat();
}

/** null for filters that this version does not know: they match nothing. */
function parseQuery(query: string | null): ReviewFilter | null {
  const parsed = parseReviewFilter(query ?? "");
  return parsed.ok ? parsed.filter : null;
}

/** A warning, in words, about a valid setting that hardly does what its owner expects; null when there is nothing. */
export function describeChannelWarnings(
  { events, translate, query }: Pick<Channel, "events" | "translate" | "query">,
  { isTranslating }: { isTranslating: boolean },
): string | null {
  const warnings: string[] = [];
  if (events.includes("review.updated") && !events.includes("review.created")) {
    warnings.push(
      "review.updated without review.created: only edits of reviews that were delivered to this channel before are sent",
    );
  }
  if (translate && !isTranslating) {
    warnings.push(
      "no translator is set up: reviews go out without a translation until TRANSLATE_PROVIDER is set",
    );
  }
  if (
    query !== null &&
    events.some((event) => !event.startsWith("review.") || event === "review.rating_drop")
  ) {
    warnings.push(
      "the filter decides which new reviews are sent; rating drops and alerts follow the apps alone",
    );
  }
  return warnings.length > 0 ? warnings.join("; ") : null;
}

function isEventName(name: string): name is ChannelEventName {
  return (channelEventNames as readonly string[]).includes(name);
}

/**
 * The fault in the topics of a filter, or null: a channel that waits for a topic that does not exist would
 * never get anything.
 *
 * @param ownNames the topics that the workspace defines itself
 */
export function findUnknownTopic(
  topics: readonly string[],
  ownNames: readonly string[],
): string | null {
  const names = [...topicNames, ...ownNames];
  const unknown = topics.find((topic) => !names.includes(topic));
  if (unknown === undefined) return null;
  const shown = unknown.slice(0, topicShownMax);
  return `there is no topic ${JSON.stringify(shown)}; the topics are ${names.join(", ")}`;
}
