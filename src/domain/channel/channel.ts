// A channel: where events go, which ones, and under which filters; and the schemas that every input of a
// channel passes, whether it comes from the command line or from the dashboard.
import { z } from "zod";
import {
  idSchema,
  listSchema,
  nameSchema,
  oneOfSchema,
  unique,
  wholeNumberSchema,
} from "../fields.ts";
import type { FilterableReview, ReviewFilters } from "../review/review-filter.ts";
import {
  findChannelFault,
  matchesApp,
  matchesReview,
  parseReviewFilter,
  valuesOf,
} from "../review/review-filter.ts";
import { viewLimits } from "../review/saved-view.ts";
import { topicNames, toTopicName } from "../review/topics.ts";
import type { StoreId } from "../store/store-id.ts";
import { destinationLimits } from "./channel-destination.ts";
import {
  type ChannelNumber,
  type ChannelType,
  channelNumbers,
  channelTypeIds,
  mapChannelNumbers,
} from "./channel-types.ts";
import { type DigestSchedule, digestDefaults, digestScheduleFields } from "./digest-rhythm.ts";
import { type HttpRequest, httpRequestSchema } from "./http-request.ts";

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

export function isAlertName(name: ChannelEventName): name is AlertName {
  return (alertNames as readonly string[]).includes(name);
}

export const channelEventNames = [...eventNames, ...alertNames] as const;
export type ChannelEventName = (typeof channelEventNames)[number];

const offered = new Set<ChannelEventName>(eventNames);

/** Channels can choose these events from now on: the feature that sends them is installed. */
export function offerEvents(names: readonly ChannelEventName[]): void {
  for (const name of names) offered.add(name);
}

/** The subjects of deliveries. A channel does not choose digests as an event: it replaces them. */
export type DeliveryEvent = ChannelEventName | "digest";

export const channelLimits = {
  nameMax: 200,
  urlMax: destinationLimits.urlMax,
  appsMax: 1_000,
  topicsMax: 50,
} as const;

const topicShownMax = 64;
/** Repeated ones are dropped. */
const eventsMax = 50;
const starsMax = 50;
const textField = z.string({ error: "must be a text" });
const booleanField = z.boolean({ error: "must be true or false" });
const { appsMax, topicsMax } = channelLimits;
const eventsError = { error: `must be some of ${channelEventNames.join(", ")}` };
const starsError = { error: "must be some of 1, 2, 3, 4, 5" };
const appsError = { error: `must be 1 to ${appsMax}, or all` };
const topicsError = { error: `must be 1 to ${topicsMax}, or all` };

function toNumberSchema(name: ChannelNumber): z.ZodType<number, number> {
  const { max, isWhole, description } = channelNumbers[name];
  const error = `must be more than 0 and at most ${max} stars`;
  const schema = isWhole
    ? wholeNumberSchema({ min: 1, max })
    : z.number({ error }).refine((stars) => stars > 0 && stars <= max, { error });
  return schema.describe(description);
}

/** Which events a channel gets. The result is normalized: sorted, without repeats, in lower case. */
export const channelFiltersSchema = z.object({
  events: listSchema(z.string(eventsError), { max: eventsMax, ...eventsError })
    .refine((events) => events.length > 0, eventsError)
    .refine((events) => events.every(isEventName), eventsError)
    .refine((events) => events.every((name) => !isEventName(name) || offered.has(name)), {
      error: "has events of a feature that this installation lacks",
    })
    .transform((events) => channelEventNames.filter((name) => events.includes(name)))
    .describe("The events that are sent."),
  apps: listSchema(
    idSchema.transform((id) => id.toLowerCase()),
    { max: appsMax, ...appsError },
  )
    .transform(unique)
    .refine(({ length }) => length >= 1, appsError)
    .nullable()
    .describe("Identifiers of apps; null for all."),
  stars: listSchema(z.number(starsError).int(starsError).min(1, starsError).max(5, starsError), {
    max: starsMax,
    ...starsError,
  })
    .refine(({ length }) => length >= 1, starsError)
    .transform((stars) => unique(stars).sort((one, other) => one - other))
    .nullable()
    .describe("Star ratings; null for all."),
  // Whether a workspace has them is not known here.
  topics: listSchema(z.string(topicsError).transform(toTopicName), {
    max: topicsMax,
    ...topicsError,
  })
    .transform(unique)
    .refine(({ length }) => length >= 1, topicsError)
    .nullable()
    .describe("Topics, any of which a review must have; null for all reviews."),
  filter: textField
    .max(viewLimits.queryMax, { error: "is too long" })
    .nullable()
    .optional()
    .describe("Further filters, as search parameters of the Reviews page; null without any."),
  view: textField
    .nullable()
    .optional()
    .describe(
      "The id or name of a saved view whose filters apply instead of these; null for none.",
    ),
  translate: booleanField.describe("Whether a translation is sent along."),
  ...mapChannelNumbers(toNumberSchema),
});

const { digest, digestAt, timeZone } = digestScheduleFields;

/**
 * The settings of a channel that users choose. Whether its apps exist and its URL may be reached is not known here; which
 * fields of a destination a type takes, and in which form, says destinationSchemas.
 */
export const channelInputSchema = channelFiltersSchema.extend({
  name: nameSchema(channelLimits.nameMax).describe("Its name for people."),
  type: oneOfSchema(channelTypeIds).optional().describe("`webhook` without it. It stays as it is."),
  url: textField
    .optional()
    .describe(
      "Webhook, Slack, Discord, Teams: where messages go. A URL that is a secret is shown in part.",
    ),
  headers: textField.optional().describe("HTTP: lines like `Name: value`. They are never shown."),
  token: textField
    .optional()
    .describe("Telegram: the token of the bot. HTTP: the value of `{{token}}`. It is never shown."),
  chat: textField.optional().describe("Telegram: the chat's id or @name."),
  to: textField.optional().describe("E-mail: addresses with commas."),
  request: httpRequestSchema
    .optional()
    .describe("HTTP: method, template of the body, and the statuses that mean done or gone."),
  digest: digest
    .optional()
    .describe("Other types than webhooks: null for each event, else how often a digest is sent."),
  digestAt: digestAt.optional().describe("When a digest is sent."),
  timeZone: timeZone.optional().describe("The time zone of `digestAt`."),
  isPaused: booleanField.optional().describe("Whether nothing is sent for now."),
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

export type ListedChannel = Channel &
  FailingState & {
    /** Rises with every change by people, also of its secrets. */
    version: number;
  };

export type FailingState = {
  /** Since when every attempt has failed; null while the endpoint answers. */
  failingSince: Date | null;
  /** The last failure in words; null while the endpoint answers. */
  failingReason: string | null;
};

/** The fields of a webhook that users don't choose. */
export const webhookFields: Pick<
  Channel,
  "type" | "recipients" | "digestDueAt" | "request" | "query"
> = {
  type: "webhook",
  recipients: [],
  digestDueAt: null,
  request: null,
  query: null,
};

/** The settings of a new channel unless others are chosen. */
export const channelDefaults: ChannelFilters &
  DigestSchedule &
  Pick<Channel, "filter" | "view" | "isPaused"> = {
  events: [...eventNames],
  apps: null,
  stars: null,
  topics: null,
  translate: false,
  ...mapChannelNumbers((name) => channelNumbers[name].fallback as number),
  filter: null,
  view: null,
  isPaused: false,
  ...digestDefaults,
};

/** The filters of a channel, ready to be compared with apps and reviews. */
export type ChannelFilter = {
  takesApp(app: { id: string; store: StoreId }): boolean;
  /** A new review of an app that it takes. */
  takesReview(review: FilterableReview): boolean;
  /** Whether it takes all reviews of its apps. */
  takesAll: boolean;
};

type FilteredChannel = Pick<Channel, "apps" | "stars" | "topics" | "query">;

export function openChannelFilter(channel: FilteredChannel): ChannelFilter {
  const { apps, stars, topics, query } = channel;
  const filter = listedFilters(channel);
  return {
    takesApp: (app) =>
      filter !== nothing && (apps === null || apps.includes(app.id)) && matchesApp(filter, app),
    takesReview: (review) => matchesReview(filter, review),
    takesAll: stars === null && topics === null && query === null,
  };
}

/** No review has zero stars. */
const nothing: ReviewFilters = { rating: [0] };

/**
 * The stars, topics and further filters of a channel in one; its further filters set stars and topics only where it has none.
 * Filters that this version does not know, or that a channel can't have, match nothing.
 */
export function listedFilters(channel: Omit<FilteredChannel, "apps">): ReviewFilters {
  const { stars, topics, query } = channel;
  const parsed = parseReviewFilter(query ?? "");
  if (!parsed.ok || findChannelFault(parsed.filter) !== null) return nothing;
  return { ...parsed.filter, ...(stars && { rating: stars }), ...(topics && { topic: topics }) };
}

/** Topics that a channel filters by, by itself or by the view that it follows. */
export function listFilteredTopics({ topics, query }: Pick<Channel, "topics" | "query">): string[] {
  return [...(valuesOf(listedFilters({ stars: null, topics, query }), "topic") ?? [])];
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
