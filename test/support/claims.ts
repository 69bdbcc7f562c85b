// Claims and finishes deliveries of a world by hand, without an engine.
import { randomUUID } from "node:crypto";
import type {
  ClaimedDelivery,
  DeliveryClaim,
  DeliveryOutcome,
  FinishedAttempt,
} from "../../src/domain/delivery.ts";
import type { ChannelWorld } from "./channel-world.ts";

export function claim(
  world: ChannelWorld,
  given: Partial<DeliveryClaim> = {},
): Promise<ClaimedDelivery[]> {
  const now = given.now ?? world.clock.now();
  return world.database.transaction((tx) =>
    tx.claimDeliveries({
      leaseToken: randomUUID(),
      now,
      leasedUntil: new Date(now.getTime() + 25_000),
      room: 64,
      failingRoom: 32,
      perChannelMax: 4,
      perFailingChannelMax: 4,
      perHostMax: 64,
      probeAfter: 3,
      taken: [],
      takenHosts: [],
      fullChannelIds: [],
      fullHosts: [],
      ...given,
    }),
  );
}

export function finish(
  world: ChannelWorld,
  claimed: readonly ClaimedDelivery[],
  outcome: DeliveryOutcome,
  given: Partial<FinishedAttempt> = {},
): Promise<string[]> {
  const attempts = claimed.map((delivery) => ({
    deliveryId: delivery.id,
    channelId: delivery.channelId,
    leaseToken: delivery.leaseToken,
    number: delivery.attemptCount + 1,
    startedAt: world.clock.now(),
    durationMs: 12,
    status: outcome.kind === "delivered" ? 200 : 500,
    reason: outcome.kind === "delivered" ? null : "HTTP 500",
    answer: Buffer.from("said"),
    isTimeout: false,
    outcome,
    ...given,
  }));
  const now = world.clock.now();
  return world.database.transaction((tx) => tx.finishAttempts({ attempts, now }));
}
