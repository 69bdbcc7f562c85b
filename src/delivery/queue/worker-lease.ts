// This process as one of those that deliver: registered, renewed, and removed by others when its lease ends. It removes
// others in turn, and frees their channels.
import type { DeliveryQueue } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { DeliverySettings } from "./settings.ts";

type WorkerLeaseDeps = {
  clock: Clock;
  log: Log;
  queue: Pick<
    DeliveryQueue,
    "addWorker" | "renewWorker" | "removeWorker" | "freeAbandonedChannels"
  >;
  settings: Pick<DeliverySettings, "leaseMs">;
  /** Another process has taken over the channels of this one. */
  onEnded: () => void;
  /** Channels of other processes are due. */
  onChannelsFreed: () => void;
};

export class WorkerLease {
  readonly #deps: WorkerLeaseDeps;
  #workerId: number | null = null;

  constructor(deps: WorkerLeaseDeps) {
    this.#deps = deps;
  }

  /** The number of this worker. @throws what the database throws */
  async workerId(): Promise<number> {
    const { leaseMs } = this.#deps.settings;
    this.#workerId ??= await this.#deps.queue.addWorker({ leaseMs });
    return this.#workerId;
  }

  /** To be called several times in the length of a lease. */
  async renew(): Promise<void> {
    const { clock, log, onChannelsFreed, onEnded, queue } = this.#deps;
    const { leaseMs } = this.#deps.settings;
    const workerId = this.#workerId;
    if (workerId !== null && !(await queue.renewWorker({ workerId, leaseMs }))) {
      log.warn({ workerId }, "the lease of this process ended: others deliver for its channels");
      this.#workerId = null;
      onEnded();
    }
    const channelCount = await queue.freeAbandonedChannels(clock.now());
    if (channelCount === 0) return;
    log.info({ channelCount }, "the channels of a process that ended are taken over");
    onChannelsFreed();
  }

  async close(): Promise<void> {
    if (this.#workerId !== null) await this.#deps.queue.removeWorker(this.#workerId);
    this.#workerId = null;
  }
}
