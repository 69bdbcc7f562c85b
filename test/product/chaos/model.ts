// The state of the model check: every delivery that was queued, every secret and filter that a channel ever had and
// until when, and every request that arrived. Says at the end what is owed, what came twice, and what should
// not have come.
import { createHmac } from "node:crypto";
import type { Channel } from "../../../src/domain/channel/channel.ts";
import type { NewDelivery } from "../../../src/domain/channel/delivery.ts";
import { monotonicMs } from "../../../src/lib/clock.ts";
import type { Received } from "../../support/receiver.ts";

/**
 * How long after a change a request may arrive that was on its way before: the time between the last look at the
 * channel and the bytes, and what a busy machine takes to read and note them.
 */
const onItsWayMs = 1_500;

export type ModelChannel = {
  channel: Channel;
  /** The newest last. */
  secrets: { secret: string; endedAtMs: number | null }[];
  starsSoFar: (readonly number[] | null)[];
  goneAtMs: number | null;
  /** Answers 410 from now on. */
  isRetiring: boolean;
};

export type Violation = { kind: string; deliveryId: string; lateMs?: number };

export class Model {
  readonly channels = new Map<string, ModelChannel>();
  readonly deliveries = new Map<string, NewDelivery>();
  /** Since when a delivery's review is erased. */
  readonly erasedAtMs = new Map<string, number>();
  readonly violations: Violation[] = [];
  readonly acceptedCounts = new Map<string, number>();
  /** Sent again on request. */
  readonly redeliveryCounts = new Map<string, number>();
  arrivalCount = 0;
  secretLagMsMax = 0;

  /** Those that can still be changed. */
  get living(): ModelChannel[] {
    return [...this.channels.values()].filter(
      ({ goneAtMs, isRetiring }) => goneAtMs === null && !isRetiring,
    );
  }

  noteArrival({ headers, body }: Received): ModelChannel | null {
    this.arrivalCount += 1;
    const deliveryId = headers["x-service-delivery"] ?? "";
    const delivery = this.deliveries.get(deliveryId);
    const known = delivery && this.channels.get(delivery.channelId);
    if (!delivery || !known) {
      this.violations.push({ kind: "phantom", deliveryId });
      return null;
    }
    if (!body.equals(delivery.body)) this.violations.push({ kind: "other bytes", deliveryId });
    const nowMs = monotonicMs();
    if (known.goneAtMs !== null && nowMs - known.goneAtMs > onItsWayMs) {
      const lateMs = nowMs - known.goneAtMs;
      this.violations.push({ kind: "to a deleted channel", deliveryId, lateMs });
    }
    const erasedAtMs = this.erasedAtMs.get(deliveryId) ?? Number.POSITIVE_INFINITY;
    if (nowMs - erasedAtMs > onItsWayMs) {
      const lateMs = nowMs - erasedAtMs;
      this.violations.push({ kind: "of an erased review", deliveryId, lateMs });
    }
    this.#checkSignature(known, { headers, body, deliveryId, nowMs });
    return known;
  }

  noteAccepted({ headers }: Received): void {
    const id = headers["x-service-delivery"] ?? "";
    this.acceptedCounts.set(id, (this.acceptedCounts.get(id) ?? 0) + 1);
  }

  get duplicateCount(): number {
    return [...this.acceptedCounts].reduce((sum, [id, count]) => {
      const askedFor = 1 + (this.redeliveryCounts.get(id) ?? 0);
      return sum + Math.max(0, count - askedFor);
    }, 0);
  }

  /** Ids of deliveries of reviews and to channels that are still there. */
  owed(): string[] {
    return [...this.deliveries.values()]
      .filter(({ id, channelId }) => {
        if (this.erasedAtMs.has(id)) return false;
        const known = this.channels.get(channelId);
        return known?.goneAtMs === null && !known.isRetiring;
      })
      .map(({ id }) => id);
  }

  /** Whether some filter of its channel ever refused the delivery: it may then be cancelled. */
  wasEverRefused(id: string): boolean {
    const delivery = this.deliveries.get(id);
    const known = delivery && this.channels.get(delivery.channelId);
    const rating = delivery?.filterable?.rating ?? 0;
    return known?.starsSoFar.some((stars) => stars !== null && !stars.includes(rating)) ?? false;
  }

  #checkSignature(
    known: ModelChannel,
    arrival: Pick<Received, "headers" | "body"> & { deliveryId: string; nowMs: number },
  ): void {
    const { headers, body, deliveryId, nowMs } = arrival;
    const signature = headers["x-service-signature"];
    const signer = known.secrets.findLast(({ secret }) => signature === sign(secret, body));
    if (!signer) {
      this.violations.push({ kind: "unknown signature", deliveryId });
      return;
    }
    if (signer.endedAtMs === null) return;
    const lateMs = nowMs - signer.endedAtMs;
    this.secretLagMsMax = Math.max(this.secretLagMsMax, lateMs);
    if (lateMs > onItsWayMs) this.violations.push({ kind: "an old secret", deliveryId, lateMs });
  }
}

function sign(secret: string, body: Buffer): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
