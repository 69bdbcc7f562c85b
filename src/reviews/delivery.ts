// A delivery is one event on its way to one channel; an attempt is one POST of it.
import type { EventName } from "./channel.ts";

export const deliveryStatuses = ["pending", "delivered", "expired", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A delivery as it is queued: the body is composed once and never changes. */
export type NewDelivery = {
  id: string;
  channelId: string;
  workspaceId: string;
  appId: string | null;
  reviewId: string | null;
  event: EventName;
  /** UTF-8 JSON: the exact bytes that are signed and sent. */
  body: Buffer;
  isTest: boolean;
};

/** A delivery that one worker holds until its lease ends. */
export type ClaimedDelivery = {
  id: string;
  channelId: string;
  event: EventName;
  body: Buffer;
  isTest: boolean;
  createdAt: Date;
  /** Attempts before this one. */
  attemptCount: number;
};

/** What one POST came to. `status` is null when there was no answer; `reason` then says why. */
export type AttemptResult = {
  deliveryId: string;
  channelId: string;
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** In words a user understands; null for a 2xx. */
  reason: string | null;
  /** The first 1 KB of the answer, or null. */
  answer: Buffer | null;
};

/** What becomes of a claimed delivery after an attempt. */
export type DeliveryOutcome =
  | { kind: "delivered" }
  | { kind: "retry"; dueAt: Date }
  | { kind: "expired" };
