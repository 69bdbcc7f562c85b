// A delivery is one event for one channel; an attempt is one POST of it.
import type { EventName } from "./channel.ts";

export const deliveryStatuses = ["pending", "delivered", "expired", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * A delivery as it is queued. Its body never changes, except that one that waits for a translation is a
 * draft until then.
 */
export type NewDelivery = {
  id: string;
  channelId: string;
  workspaceId: string;
  appId: string | null;
  reviewId: string | null;
  event: EventName;
  /** Of a `review.created`: what a channel's filters ask about. null for everything else. */
  filterable: { rating: number; topics: readonly string[] } | null;
  /** UTF-8 JSON: the exact bytes that are signed and sent. */
  body: Buffer;
  isTest: boolean;
  /** Not due before: it is sent then, or once its translation is there. */
  heldUntil?: Date;
};

/** A delivery that one worker holds until its lease ends. */
export type ClaimedDelivery = {
  id: string;
  channelId: string;
  event: EventName;
  body: Buffer;
  isTest: boolean;
  /** Start of the give-up window; a redelivery opens a new one. */
  queuedAt: Date;
  /** Attempts before this one. */
  attemptCount: number;
  /** Attempts before this one in the same give-up window: what the retry cycle doubles by. */
  retryCount: number;
  leaseToken: string;
  /** Host and port of the channel's URL when it was claimed. */
  host: string;
  /** Whether it stood in the line of those that failed before. */
  isRetry: boolean;
  /** Whether the channel's last attempt failed. */
  isFailing: boolean;
  /** Whether the channel timed out so often that it gets one attempt at a time. */
  isProbe: boolean;
};

/** What a worker asks for: as much as it has room for. */
export type DeliveryClaim = {
  leaseToken: string;
  now: Date;
  leasedUntil: Date;
  /** How many deliveries may be claimed at most, and how many of them for failing channels. */
  room: number;
  failingRoom: number;
  /** At most for a channel that answers, for one that fails, and for all channels of one host. */
  perChannelMax: number;
  perFailingChannelMax: number;
  perHostMax: number;
  /** Timeouts in a row from which on a channel gets one attempt at a time. */
  probeAfter: number;
  /** What the caller has already: first attempts and retries per channel, and how many per host. */
  taken: readonly { channelId: string; freshCount: number; retryCount: number }[];
  takenHosts: readonly { host: string; count: number }[];
  /** Channels and hosts that are not looked at now. */
  fullChannelIds: readonly string[];
  fullHosts: readonly string[];
};

/** Where a channel's deliveries go and what signs them, as it says right now. */
export type SendTarget = { channelId: string; url: string; encryptedSecret: Buffer };

/** What may go on the wire right now. What is in neither list is somebody else's, or gone. */
export type SendTargets = {
  targets: SendTarget[];
  wantedIds: string[];
  /** What the channel no longer wants. */
  unwantedIds: string[];
};

/** The result of one POST. `status` is null without a response; `reason` then says why. */
export type AttemptResult = {
  deliveryId: string;
  channelId: string;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** In words a user understands; null for a 2xx. */
  reason: string | null;
  /** The first 1 KB of the response, or null. */
  answer: Buffer | null;
};

/** An attempt and its outcome: saved only while the lease is still held. */
export type FinishedAttempt = AttemptResult & {
  leaseToken: string;
  /** Counts from 1. */
  number: number;
  /** No response in time; after several in a row the channel gets one attempt at a time. */
  isTimeout: boolean;
  outcome: DeliveryOutcome;
};

/** What becomes of a claimed delivery after an attempt. */
export type DeliveryOutcome =
  | { kind: "delivered" }
  | { kind: "retry"; dueAt: Date }
  | { kind: "expired" };

/** A delivery as the log shows it. */
export type LoggedDelivery = {
  id: string;
  channelId: string;
  appId: string | null;
  reviewId: string | null;
  event: EventName;
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

/** One attempt as the log shows it. */
export type LoggedAttempt = Pick<
  AttemptResult,
  "startedAt" | "durationMs" | "status" | "reason" | "answer"
> & { number: number };
