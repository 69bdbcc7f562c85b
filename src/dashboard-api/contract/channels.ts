// Channels on the Sources page: input, preview, secret, and the delivery log.

import type { DeliveryDay } from "../../database/delivery/channel-counts.ts";
import type { ChannelEventName, EventName, ListedChannel } from "../../domain/channel.ts";
import type { ChannelType } from "../../domain/channel-destination.ts";
import type { DeliveryStatus, LoggedDelivery } from "../../domain/delivery.ts";
import type { ShownSecrets } from "../../operations/channel-actions.ts";
import type { DeliveryWithAttempts } from "../../use-cases/channels/deliveries.ts";
import type * as requests from "./requests.ts";
import type { FeedReview } from "./reviews.ts";
import type { Json, Moment, Nothing, Owned, Route } from "./route.ts";

export type { ChannelEventName, ChannelType, DeliveryDay, DeliveryStatus };

export type Channel = Owned<ListedChannel> & {
  /** Counts of the newest 2,000 deliveries in the log. */
  counts: Record<DeliveryStatus, number>;
  /** The newest delivery; null without any. */
  lastDelivery: { id: string; status: DeliveryStatus; createdAt: Moment } | null;
};

/** A channel that was deleted because its endpoint responded with 410. */
export type RetiredChannel = {
  id: string;
  channelId: string;
  name: string;
  url: string;
  at: Moment;
  reason: string;
};

export type Delivery = Json<Omit<LoggedDelivery, "dueAt">> & {
  /** The next attempt; of a pending delivery only. */
  dueAt: Moment | null;
};

/** A delivery of the log with the app and the review of the payload that was sent. */
export type ListedDelivery = Delivery & {
  subject: {
    appName: string;
    /** `headline` is its title, or how its text begins. */
    review: { rating: number; headline: string | null; country: string | null } | null;
  } | null;
};

export type DeliveryDetail = Delivery & Json<Pick<DeliveryWithAttempts, "attempts" | "body">>;
export type Attempt = DeliveryDetail["attempts"][number];

export type ChannelPreview = {
  /** The last reviews that match, newest first, at most 5. */
  reviews: FeedReview[];
  /** How many days the counts cover. */
  days: number;
  /** How often each event would have occurred; null for an event that the input leaves out. */
  counts: Record<EventName, number | null>;
};

export type { HttpRequest } from "../../domain/http-request.ts";
export type RequestPreview = {
  method: string;
  /** Behind the path of the channel's URL. */
  path: string;
  /** JSON, indented. */
  body: string;
};

/** `secret` is null for a channel of a type that signs nothing. */
type SecretView = Json<ShownSecrets>;

export type ChannelRoutes = {
  "GET /workspaces/:workspace/channels": Route<{ channels: Channel[]; notices: RetiredChannel[] }>;
  /** The signing secret of a webhook is shown here to the user who creates the channel; others have none. */
  "POST /workspaces/:workspace/channels": Route<
    { channel: Channel; secret: string | null; warning: string | null },
    typeof requests.newChannel
  >;
  "POST /workspaces/:workspace/channels/preview": Route<
    ChannelPreview,
    typeof requests.channelFilters
  >;
  /** The request of an HTTP channel for an invented review, and for a later edit of it; null where they are the same. */
  "POST /workspaces/:workspace/channels/request-preview": Route<
    { created: RequestPreview; updated: RequestPreview | null },
    typeof requests.requestPreview
  >;
  /** With the last seven days, today included. */
  "GET /workspaces/:workspace/channels/:channel": Route<{
    channel: Channel;
    days: DeliveryDay[];
    /** Until when the secret before the last rotation signs as well; null when it does not. */
    oldSecretEndsAt: Moment | null;
    /** Whether a secret was created that a rotation will switch to. */
    hasNextSecret: boolean;
    /** Addresses of an e-mail channel that have not confirmed, or unsubscribed: nothing is sent there. */
    unconfirmed: string[];
  }>;
  /** Absent fields stay; pending deliveries that no longer match are cancelled. */
  "PATCH /workspaces/:workspace/channels/:channel": Route<
    { channel: Channel; cancelledCount: number; warning: string | null },
    typeof requests.channelChange
  >;
  /** Owner. */
  "DELETE /workspaces/:workspace/channels/:channel": Route<Nothing>;
  /** Owner. Recorded in the audit log. */
  "POST /workspaces/:workspace/channels/:channel/secret": Route<SecretView>;
  /** Owner. Creates the secret that the next rotation switches to; it signs nothing until then. */
  "POST /workspaces/:workspace/channels/:channel/secret/next": Route<{ nextSecret: string }>;
  /** Owner. Switches to the next secret, or to a new one. The old secret signs as well until `oldSecretEndsAt`, in webhook-signature alone. */
  "POST /workspaces/:workspace/channels/:channel/secret/rotate": Route<SecretView>;
  /** Owner. From now on the secret of the last rotation signs alone. */
  "POST /workspaces/:workspace/channels/:channel/secret/end-old": Route<{ isEnded: boolean }>;
  /** Queues a sample event; poll the delivery for the result. */
  "POST /workspaces/:workspace/channels/:channel/test": Route<{ deliveryId: string }>;
  /** Newest first; `before` is `nextBefore` of the page before. `limit` 1 to 100, 30 by default. */
  "GET /workspaces/:workspace/channels/:channel/deliveries": Route<
    { deliveries: ListedDelivery[]; nextBefore: string | null },
    never,
    typeof requests.deliveryPage
  >;
  "POST /workspaces/:workspace/channels/:channel/redeliver-expired": Route<{ queued: number }>;
  /** Tries at once what failed and waits for its next attempt. */
  "POST /workspaces/:workspace/channels/:channel/retry": Route<{ queued: number }>;
  "GET /workspaces/:workspace/deliveries/:delivery": Route<{ delivery: DeliveryDetail }>;
  /** 409 while it is being sent. */
  "POST /workspaces/:workspace/deliveries/:delivery/redeliver": Route<{ queued: number }>;
  /** For all members of the workspace. */
  "DELETE /workspaces/:workspace/notices/:notice": Route<Nothing>;
};
