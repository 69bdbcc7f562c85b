// This process as one that delivers: registered, renewed, and ended by other processes when it is silent. Ends
// others in turn: those whose session is gone, and those whose lease has ended.

import type { DeliveryQueue } from "../../database/database.ts";
import { type Clock, monotonicMs } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { DeliverySettings } from "./settings.ts";

type WorkerLeaseDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<
    DeliveryQueue,
    | "openSession"
    | "renewWorker"
    | "listSilentWorkers"
    | "removeSilentWorkers"
    | "freeAbandonedChannels"
  >;
  settings: Pick<DeliverySettings, "leaseMs" | "silentMs">;
  /** Somebody else has taken over what this process held. */
  onEnded: () => void;
  /** Channels of others are due. */
  onChannelsFreed: () => void;
};

const renewalsPerLease = 3;
/** Channels that were locked when their worker was removed are freed a little later. */
const sweepMs = 10_000;

export class WorkerLease {
  readonly #deps: WorkerLeaseDeps;
  /** Since when each of the others is silent. */
  readonly #silentSince = new Map<number, number>();
  #opening: Promise<number | null> | null = null;
  #session: { workerId: number; close(): Promise<void> } | null = null;
  #renewedAtMs = 0;
  #watchedAtMs = 0;
  #sweepUntilMs = 0;

  constructor(deps: WorkerLeaseDeps) {
    this.#deps = deps;
    // Leftovers of an earlier version, or of a worker that was removed by hand.
    this.#sweepUntilMs = monotonicMs() + sweepMs;
  }

  /** The number of this worker; null while there is none to be had. */
  workerId(): Promise<number | null> {
    if (this.#session) return Promise.resolve(this.#session.workerId);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** To be called several times a second. */
  async renew(): Promise<void> {
    const { leaseMs, silentMs } = this.#deps.settings;
    const nowMs = monotonicMs();
    if (this.#session && nowMs - this.#renewedAtMs >= leaseMs / renewalsPerLease) {
      await this.#renewNow(this.#session, leaseMs);
    }
    if (nowMs - this.#watchedAtMs < silentMs / 2) return;
    this.#watchedAtMs = nowMs;
    await this.#watchOthers(nowMs);
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#session?.close();
    this.#session = null;
  }

  async #open(): Promise<number | null> {
    const { log, queue, settings } = this.#deps;
    try {
      const session = await queue.openSession({ leaseMs: settings.leaseMs });
      this.#session = session;
      this.#renewedAtMs = monotonicMs();
      return session.workerId;
    } catch (error) {
      log.warn({ reason: String(error) }, "this process can't deliver right now");
      return null;
    }
  }

  async #renewNow(
    session: { workerId: number; close(): Promise<void> },
    leaseMs: number,
  ): Promise<void> {
    const { log, onEnded, queue } = this.#deps;
    const { workerId } = session;
    if (await queue.renewWorker({ workerId, leaseMs })) {
      this.#renewedAtMs = monotonicMs();
      return;
    }
    log.warn({ workerId }, "nothing was heard of this process for a while: others deliver for it");
    this.#session = null;
    onEnded();
    await session.close();
  }

  async #watchOthers(nowMs: number): Promise<void> {
    const { clock, log, onChannelsFreed, queue, settings } = this.#deps;
    const silent = await queue.listSilentWorkers();
    const ids = new Set(silent.map(({ id }) => id));
    for (const id of this.#silentSince.keys()) if (!ids.has(id)) this.#silentSince.delete(id);
    const gone: number[] = [];
    for (const { id, isOver } of silent) {
      if (id === this.#session?.workerId) continue;
      const since = this.#silentSince.get(id) ?? nowMs;
      this.#silentSince.set(id, since);
      if (isOver || nowMs - since >= settings.silentMs) gone.push(id);
    }
    if (gone.length > 0) {
      // Before, because the answer may be lost: their channels would stay taken for a minute then.
      this.#sweepUntilMs = nowMs + sweepMs;
      const removedCount = await queue.removeSilentWorkers({ ids: gone });
      if (removedCount > 0)
        log.info({ workerIds: gone }, "the channels of a process that ended are taken over");
    }
    if (nowMs > this.#sweepUntilMs) return;
    if ((await queue.freeAbandonedChannels(clock.now())) > 0) onChannelsFreed();
  }
}
