// Channels on the Sources page: input, preview, secret, and the delivery log.
import type { z } from "zod";
import type { DeliveryDay } from "../../database/delivery/channel-counts.ts";
import type {
  ChannelEventName,
  channelInputSchema,
  ListedChannel,
} from "../../domain/channel/channel.ts";
import type { ChannelType } from "../../domain/channel/channel-types.ts";
import type { DeliveryStatus, LoggedDelivery } from "../../domain/channel/delivery.ts";
import type { changeChannel, createChannel } from "../../operations/channel.ts";
import type { channelActions, deliveryActions } from "../../operations/channel-actions.ts";
import type { ChannelPreview } from "../../read/channels/channel-preview.ts";
import type { DeliveryWithAttempts } from "../../use-cases/channels/deliveries.ts";
import type * as requests from "./requests.ts";
import type {
  ActionRoutes,
  Carries,
  Changes,
  Json,
  Moment,
  Nothing,
  Owned,
  Route,
} from "./route.ts";

export type { ChannelEventName, ChannelType, DeliveryDay, DeliveryStatus };

export type SavedChannel = Owned<ListedChannel>;
export type Channel = SavedChannel & {
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

export type { HttpRequest } from "../../domain/channel/http-request.ts";
export type { ChannelPreview };
export type RequestPreview = {
  method: string;
  /** Behind the path of the channel's URL. */
  path: string;
  /** JSON, indented. */
  body: string;
};

export type ChannelInput = z.output<typeof channelInputSchema>;

type Base = "/workspaces/:workspace";

export type ChannelRoutes = ActionRoutes<`${Base}/channels/:channel`, typeof channelActions> &
  ActionRoutes<`${Base}/deliveries/:delivery`, typeof deliveryActions> & {
    "GET /workspaces/:workspace/channels": Route<{
      channels: Channel[];
      notices: RetiredChannel[];
    }>;
    /** The signing secret of a webhook is shown here to the user who creates the channel; others have none. */
    "POST /workspaces/:workspace/channels": Carries<
      { channel: SavedChannel; secret: string | null; warning: string | null },
      typeof createChannel
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
    /** Pending deliveries that no longer match are cancelled. */
    "PATCH /workspaces/:workspace/channels/:channel": Changes<
      { channel: SavedChannel; cancelledCount: number; warning: string | null },
      typeof changeChannel
    >;
    /** Owner. */
    "DELETE /workspaces/:workspace/channels/:channel": Route<Nothing>;
    /** Newest first; `before` is `nextBefore` of the page before. `limit` 1 to 100, 30 by default. */
    "GET /workspaces/:workspace/channels/:channel/deliveries": Route<
      { deliveries: ListedDelivery[]; nextBefore: string | null },
      never,
      typeof requests.deliveryPage
    >;
    "GET /workspaces/:workspace/deliveries/:delivery": Route<{ delivery: DeliveryDetail }>;
    /** For all members of the workspace. */
    "DELETE /workspaces/:workspace/notices/:notice": Route<Nothing>;
  };
