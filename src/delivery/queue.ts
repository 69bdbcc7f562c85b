// What the engine needs of the database, and nothing more. Statements that must not be torn apart are
// reached through `transaction` only.
import type {
  ClaimedDelivery,
  DeliveryClaim,
  FinishedAttempt,
  SendTargets,
} from "../domain/delivery.ts";

/** One delivery and the lease on it. */
export type Leased = Pick<ClaimedDelivery, "id" | "channelId" | "leaseToken">;

type Whole = {
  claimDeliveries(claim: DeliveryClaim): Promise<ClaimedDelivery[]>;
  finishAttempts(finish: { attempts: readonly FinishedAttempt[]; now: Date }): Promise<string[]>;
  deleteGoneChannel(gone: {
    channelId: string;
    url: string;
    auditId: string;
    now: Date;
  }): Promise<boolean>;
};

export type Queue = {
  transaction<T>(work: (tx: Whole) => Promise<T>): Promise<T>;
  loadSendTargets(wanted: {
    ids: readonly string[];
    leaseTokens: readonly string[];
  }): Promise<SendTargets>;
  cancelDeliveries(cancel: {
    channelIds: readonly string[];
    held: readonly { id: string; leaseToken: string }[];
    now: Date;
  }): Promise<number>;
  releaseLeases(release: { deliveries: readonly Leased[]; now: Date }): Promise<number>;
  repairQueue(now: Date): Promise<number>;
  deleteOldDeliveries(batch: { before: Date; limit: number }): Promise<number>;
};
