// A delivery is one event on its way to one channel; an attempt is one POST of it.

import type { FilterableReview } from "../review/review-filter.ts";
import type { DeliveryEvent, FailingState } from "./channel.ts";
import type { ChannelType } from "./channel-types.ts";
import type { EventReview } from "./event.ts";
import type { HttpRequest } from "./http-request.ts";

export const deliveryStatuses = ["pending", "delivered", "expired", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * A delivery as it is queued: the body never changes, except that one held for a translation is a
 * draft until then.
 */
export type NewDelivery = {
  id: string;
  channelId: string;
  workspaceId: string;
  appId: string | null;
  reviewId: string | null;
  event: DeliveryEvent;
  /** For `review.created`: what a channel's filters ask about. null for everything else. */
  filterable: {
    rating: number;
    topics: readonly string[];
    /** What the body does not have. */
    facts: FilterFacts;
  } | null;
  /** UTF-8 JSON: the exact bytes that are signed and sent. */
  body: Buffer;
  isTest: boolean;
  /** Announced beside a review: see `announced-cause.ts`. */
  causes?: readonly string[];
  /** Not due before: it goes out then, or once what it waits for has come. */
  heldUntil?: Date;
};

/** Facts of a review when it was announced. */
export type FilterFacts = Omit<FilterableReview, keyof EventReview | "topics">;

/** A worker's question for due deliveries, with the limits that it has at the moment. */
export type ClaimRequest = {
  workerId: number;
  now: Date;
  /** Channels that the worker holds and may send for, with the deliveries that it has already. */
  held: readonly { channelId: string; countMax: number; busyIds: readonly string[] }[];
  /** How many channels may be leased that answer, and how many that fail. */
  answeringMax: number;
  failingMax: number;
  /** Hosts that nothing can be sent to right now. */
  fullHosts: readonly string[];
  /** Deliveries of each channel that is leased. */
  perChannelMax: number;
  /** Deliveries of all channels, and the bytes of their bodies. */
  countMax: number;
  bytesMax: number;
};

/** A channel of the answer: everything in it is of one moment. */
export type ClaimedChannel = EndpointFacts &
  Omit<ChannelHealth, "channelId"> & {
    channelId: string;
    /** Raised by every change of the channel. */
    version: number;
    /** Newly leased, or something was queued since the last answer. */
    isLeased: boolean;
    deliveries: DueDelivery[];
    /** More than these may be due. */
    hasMore: boolean;
    /** When the next delivery comes due that is not due now. */
    nextDueAt: Date | null;
  };

/** Where a channel's deliveries go and what signs them. */
export type EndpointFacts = {
  type: ChannelType;
  url: string;
  /** A Telegram chat or e-mail addresses. */
  recipients: readonly string[];
  /** The template of an HTTP channel; null for other types. */
  request: HttpRequest | null;
  /** Host and port of the URL. */
  host: string;
  encryptedSecret: Buffer;
  /** The secret before the last rotation, whose signature is sent as well until then. */
  oldEncryptedSecret: Buffer | null;
  oldSecretEndsAt: Date | null;
};

/** The health of a channel, which its holder alone writes. */
export type ChannelHealth = FailingState & {
  channelId: string;
  /** Attempts without an answer in time, in a row: several and the channel is only probed. */
  timeoutCount: number;
};

/** With the version of the channel that the attempts were made with: after a change another destination may answer. */
export type VersionedHealth = ChannelHealth & Pick<ClaimedChannel, "version">;

export type DueDelivery = {
  id: string;
  channelId: string;
  event: DeliveryEvent;
  body: Buffer;
  isTest: boolean;
  dueAt: Date;
  /** Start of the give-up window; a redelivery opens a new one. */
  queuedAt: Date;
  /** Attempts before this one. */
  attemptCount: number;
  /** Attempts before this one in the same give-up window: what the retry cycle doubles by. */
  retryCount: number;
  /** Whether it is in the queue of deliveries that failed before. */
  isRetry: boolean;
  /** Its body may still change: see closeDrafts. */
  isDraft: boolean;
  /** Whether it is stored, and the channel's filters still want it. */
  isWanted: boolean;
};

/** The result of one POST. `status` is null without an answer; `reason` then says why. */
type AttemptResult = {
  deliveryId: string;
  channelId: string;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** In words a user understands; null when it was delivered. */
  reason: string | null;
  /** The first 1 KB of the answer, or null. */
  answer: Buffer | null;
};

/** An attempt and what follows from it: saved only while the channel is still held. */
export type FinishedAttempt = AttemptResult & {
  event: DeliveryEvent;
  /** Counts from 1. */
  number: number;
  /** No answer in time: several in a row and the channel is only probed. */
  isTimeout: boolean;
  outcome: DeliveryOutcome;
  /** For how long the service wants nothing more from this channel, or null. */
  holdOffMs?: number | null;
};

export type DeliveryOutcome =
  | { kind: "delivered" }
  | { kind: "retry"; dueAt: Date }
  | { kind: "expired" };

export type LoggedDelivery = {
  id: string;
  channelId: string;
  appId: string | null;
  reviewId: string | null;
  event: DeliveryEvent;
  isTest: boolean;
  status: DeliveryStatus;
  createdAt: Date;
  /** The next attempt of a pending delivery. */
  dueAt: Date;
  attemptCount: number;
  finishedAt: Date | null;
  lastStatus: number | null;
  lastReason: string | null;
};

export type LoggedAttempt = Pick<
  AttemptResult,
  "startedAt" | "durationMs" | "status" | "reason" | "answer"
> & { number: number };
