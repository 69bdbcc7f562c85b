// Queues the digests of channels when they are due. Each is queued once, however many processes do this: who queues
// one moves the channel's next digest on in the same transaction.

import type { Container } from "../../app/container.ts";
import type { NewDelivery } from "../../domain/channel/delivery.ts";
import {
  type DigestRange,
  digestLateMaxMs,
  digestRangeOf,
  nextDigestAt,
} from "../../domain/channel/digest-rhythm.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { dayMs, minuteMs, secondMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import { toDigestDelivery } from "../../matching/deliveries.ts";
import { queueForChannels } from "../../use-cases/channels/queue-for-channels.ts";
import { composeChannelDigest } from "./channel-digest.ts";

type DigestDeps = Pick<Container, "clock" | "database" | "log">;

type DueDigest = Awaited<ReturnType<DigestDeps["database"]["listDueDigests"]>>[number];

const channelsMax = 50;
/** A channel can get a digest at any moment. */
const lookMsMax = minuteMs;
const lookMsMin = secondMs;
/** How long the ledger keeps the days of a digest: longer than any digest looks back. */
const digestsKeptMs = 31 * dayMs;
/** One that could not be composed stays due. It lets the others go first. */
const restMs = 10 * minuteMs;

/** Runs until the resources are closed. */
export function openDigestWorker(deps: DigestDeps, resources: ResourceStack): void {
  const resting = new Map<string, number>();
  const loop = startWorkerLoop({
    name: "digest worker",
    log: deps.log,
    async runRound(signal) {
      await queueDueDigests(deps, signal, resting);
      return readWaitMs(deps);
    },
  });
  resources.add(() => loop.close());
}

/**
 * Returns how many were queued. The signal ends it after the current one.
 *
 * @param resting until when channels are left out whose digest could not be composed, in milliseconds since 1970
 */
export async function queueDueDigests(
  deps: DigestDeps,
  signal: AbortSignal,
  resting = new Map<string, number>(),
): Promise<number> {
  const { clock, database } = deps;
  const now = clock.now();
  for (const [id, endsAtMs] of resting) if (endsAtMs <= now.getTime()) resting.delete(id);
  const exceptIds = [...resting.keys()];
  return queueForChannels(deps, {
    channels: await database.listDueDigests({ now, exceptIds, limit: channelsMax }),
    signal,
    async queue(channel) {
      resting.set(channel.id, now.getTime() + restMs);
      const count = await queueDigest(deps, channel);
      resting.delete(channel.id);
      return count;
    },
    // It stays due.
    failure: "a digest could not be composed",
  });
}

async function queueDigest(deps: DigestDeps, channel: DueDigest): Promise<number> {
  const { clock, database } = deps;
  const { digestDueAt: dueAt } = channel;
  const nextAt = dueAt && nextDigestAt(channel, dueAt);
  if (!dueAt || !nextAt) return 0;
  const range = digestRangeOf(channel, dueAt);
  const composed = await composeDelivery(deps, { channel, dueAt, range });
  return database.transaction(async (tx) => {
    const { id: channelId, rowVersion } = channel;
    const now = clock.now();
    if (!(await tx.advanceDigest({ channelId, rowVersion, from: dueAt, to: nextAt }))) return 0;
    if (composed === null) return 0;
    // An erasure locks the channel, too: it is either finished and known here, or deletes this digest.
    const erased = await tx.listErasedReviews(composed.quotedIds);
    if (erased.size > 0) throw new Error("a review that the digest quotes was erased meanwhile");
    const seenBefore = new Date(now.getTime() - digestsKeptMs);
    await tx.endCauses({ channelId, kind: "digest", seenBefore });
    return tx.enqueueDeliveries({ deliveries: [composed.delivery], now });
  });
}

/** null for one that is so late that a delivery would have expired by now, and for one without a day that is new. */
async function composeDelivery(
  deps: DigestDeps,
  { channel, dueAt, range }: { channel: DueDigest; dueAt: Date; range: DigestRange | null },
): Promise<{ delivery: NewDelivery; quotedIds: string[] } | null> {
  const { digest: rhythm } = channel;
  const now = deps.clock.now();
  const isLate = now.getTime() - dueAt.getTime() > digestLateMaxMs;
  if (rhythm === null || range === null || isLate) return null;
  const digest = await composeChannelDigest(deps, { channel, rhythm, range });
  const complaints = digest.apps.flatMap((app) => app.complaints);
  return {
    delivery: toDigestDelivery({ channel, digest }, () => uuidV7(now)),
    quotedIds: complaints.map(({ quote }) => quote.reviewId),
  };
}

async function readWaitMs({ clock, database }: DigestDeps): Promise<number> {
  const dueAt = await database.findNextDigestDue();
  if (dueAt === null) return lookMsMax;
  const waitMs = dueAt.getTime() - clock.now().getTime();
  return Math.min(lookMsMax, Math.max(lookMsMin, waitMs));
}
