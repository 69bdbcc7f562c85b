// What the engine needs of the database, and nothing more. Statements that must not be torn apart are
// reached through `transaction` only.
import type { ClaimedDelivery, FinishedAttempt, SendTarget } from "../reviews/delivery.ts";

type Whole = {
  claimDeliveries(claim: {
    leaseToken: string;
    now: Date;
    leasedUntil: Date;
    room: number;
    failingRoom: number;
    perChannelMax: number;
    probeAfter: number;
    inFlight: readonly { channelId: string; count: number }[];
    fullChannelIds: readonly string[];
  }): Promise<ClaimedDelivery[]>;
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
  loadSendTargets(wanted: { ids: readonly string[]; leaseToken: string }): Promise<SendTarget[]>;
  cancelDeliveries(cancel: {
    channelIds: readonly string[];
    leaseToken: string | null;
    now: Date;
  }): Promise<number>;
  releaseLeases(release: {
    deliveries: readonly Pick<ClaimedDelivery, "id" | "channelId" | "leaseToken">[];
    now: Date;
  }): Promise<void>;
  repairQueue(): Promise<number>;
  deleteOldDeliveries(batch: { before: Date; limit: number }): Promise<number>;
};
