// What the delivery worker needs of the database, and nothing more.
import type {
  ChannelHealth,
  ClaimedChannel,
  ClaimRequest,
  DueDelivery,
  FinishedAttempt,
} from "../../domain/delivery.ts";

/** Up to which row orphans were looked for; null before the first. */
export type OrphanPosition = { channelId: string; id: string } | null;

/** Reached through `transaction` only. */
type WholeStatements = {
  deleteGoneChannel(gone: {
    channelId: string;
    url: string;
    auditId: string;
    now: Date;
  }): Promise<boolean>;
  addDeliveryDays(add: { from: Date; dayCount: number }): Promise<void>;
  dropOldestDay(before: Date): Promise<string[]>;
  cancelDeliveries(cancel: { channelId: string; now: Date }): Promise<number>;
};

export type Queue = {
  transaction<T>(work: (tx: WholeStatements) => Promise<T>): Promise<T>;
  openSession(open: { leaseMs: number }): Promise<{ workerId: number; close(): Promise<void> }>;
  renewWorker(renew: { workerId: number; leaseMs: number }): Promise<boolean>;
  listSilentWorkers(): Promise<{ id: number; isOver: boolean }[]>;
  removeSilentWorkers(remove: { ids: readonly number[] }): Promise<number>;
  freeAbandonedChannels(now: Date): Promise<number>;
  claimDeliveries(claim: ClaimRequest): Promise<ClaimedChannel[]>;
  signalUnknownChannels(held: {
    workerId: number;
    knownIds: readonly string[];
    now: Date;
  }): Promise<number>;
  releaseChannels(release: { workerId: number; channelIds: readonly string[] }): Promise<string[]>;
  closeDrafts(drafts: readonly Pick<DueDelivery, "id" | "channelId">[]): Promise<void>;
  saveOutcomes(save: {
    workerId: number;
    attempts: readonly FinishedAttempt[];
    now: Date;
    /** Whether the commit waits for the disk; otherwise a crash of the server may forget it. */
    awaitsDisk: boolean;
  }): Promise<{ savedIds: string[]; busyIds: string[] }>;
  saveHealths(save: { workerId: number; healths: readonly ChannelHealth[] }): Promise<string[]>;
  repairQueue(now: Date): Promise<number>;
  removeOrphans(
    table: "pending" | "ended_deliveries",
    search: { after: OrphanPosition; limit: number },
  ): Promise<{ removedIds: string[]; after: OrphanPosition }>;
  removeOrphansOfChannel(orphans: { channelId: string; ids: readonly string[] }): Promise<string[]>;
  findOldestDelivery(before: Date): Promise<Date | null>;
  deleteOldDeliveries(batch: { before: Date; limit: number }): Promise<number>;
  deleteEndedSecrets(now: Date): Promise<number>;
  findDeletedChannel(): Promise<string | null>;
  deleteRemains(remains: { channelId: string; limit: number }): Promise<number>;
};
