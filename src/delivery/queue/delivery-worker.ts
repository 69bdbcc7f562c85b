// The delivery worker: claims due deliveries for its free slots, sends each with the URL and secret of that moment, and
// saves the outcome. At least once, one process at a time for a channel, and no endpoint delays another.

import type { DeliveryQueue } from "../../database/database.ts";
import { type Clock, monotonicMs } from "../../lib/clock.ts";
import { systemDelay } from "../../lib/delay.ts";
import type { Log } from "../../lib/log.ts";
import { startWorkerLoop, type WorkerLoop } from "../../lib/worker-loop.ts";
import { type Mailer, openMailer } from "../channel-types/email/mailer.ts";
import { createEndpointResolver } from "../channel-types/resolve-endpoint.ts";
import { openHostNames, type ResolveDns } from "../send/host-names.ts";
import { openSender, type Sender } from "../send/send.ts";
import type { Secrets } from "../send/signature.ts";
import { openUrlPolicy } from "../send/url-check.ts";
import { Claimer } from "./claim.ts";
import { Dispatcher } from "./dispatch.ts";
import { type OrphanSearch, runMaintenance } from "./maintenance.ts";
import { Pacer } from "./pacer.ts";
import { OutcomeRecorder } from "./record-outcomes.ts";
import { type DeliverySettings, deliveryDefaults } from "./settings.ts";
import { Slots } from "./slots.ts";
import { WorkerLease } from "./worker-lease.ts";

export type DeliveryWorkerDeps = {
  clock: Clock;
  log: Log;
  queue: DeliveryQueue;
  secrets: Secrets;
  settings: Partial<DeliverySettings> & Pick<DeliverySettings, "version">;
  random?: () => number;
  resolveDns?: ResolveDns;
};

// With more unsaved outcomes nothing is claimed: the database can't keep up with the endpoints.
const unsavedMax = 1_024;
// With many requests in flight, claims start at least this far apart: one costs as much for many channels as for one.
const lingerMs = 16;
const lingerFrom = 32;
const tickMs = 200;

export class DeliveryWorker {
  readonly #deps: DeliveryWorkerDeps;
  readonly #settings: DeliverySettings;
  readonly #sender: Sender;
  readonly #mailer: Mailer | null;
  readonly #slots: Slots;
  readonly #pacer: Pacer;
  readonly #claimer: Claimer;
  readonly #dispatcher: Dispatcher;
  readonly #recorder: OutcomeRecorder;
  readonly #lease: WorkerLease;
  readonly #orphanSearch: OrphanSearch = { pending: null, ended_deliveries: null };
  #loops: { claims: WorkerLoop; ticks: WorkerLoop; maintenance: WorkerLoop } | null = null;
  /** Another process, or a moment that has come, may have made something due. */
  #isSignalled = true;
  #claimedAtMs = 0;
  #exchange: Promise<unknown> = Promise.resolve();

  constructor(deps: DeliveryWorkerDeps) {
    const settings = { ...deliveryDefaults, ...deps.settings };
    const { random = Math.random } = deps;
    this.#deps = deps;
    this.#settings = settings;
    this.#sender = openGuardedSender(deps, settings);
    const { mail, timeoutMs } = settings;
    this.#mailer = mail && openMailer({ ...mail, timeoutMs });
    const resolveEndpoint = createEndpointResolver({
      ...deps,
      ...settings,
      sender: this.#sender,
      mailer: this.#mailer,
    });
    const goOn = (): void => this.#loops?.claims.wake();
    this.#slots = new Slots(settings, () => this.#resume());
    this.#pacer = new Pacer(goOn);
    this.#recorder = new OutcomeRecorder({
      ...deps,
      settings,
      onLost: (channel) => this.#claimer.lose(channel),
      onEnded: (deliveryId) => this.#claimer.noteEnded(deliveryId),
      onSaved: goOn,
      onBatch: () => this.#resume(),
    });
    this.#dispatcher = new Dispatcher({
      ...deps,
      settings,
      random,
      slots: this.#slots,
      pacer: this.#pacer,
      recorder: this.#recorder,
      claimer: () => this.#claimer,
      onFree: goOn,
    });
    this.#claimer = new Claimer({
      ...deps,
      settings,
      resolveEndpoint,
      slots: this.#slots,
      pacer: this.#pacer,
      capacity: () => this.#dispatcher.capacity,
      heldBytes: () => this.#dispatcher.heldBytes,
      onTurn: (turn) => this.#dispatcher.start(turn),
      onHealth: (channel) => this.#recorder.addHealth(channel),
      onChange: goOn,
    });
    this.#lease = new WorkerLease({
      ...deps,
      settings,
      onEnded: () => {
        this.#claimer.loseAll();
        this.wake();
      },
      onChannelsFreed: () => this.wake(),
    });
  }

  start(): void {
    const common = { log: this.#deps.log, delay: systemDelay };
    const { maintenanceMs } = this.#settings;
    this.#loops ??= {
      claims: startWorkerLoop({
        ...common,
        name: "delivery worker",
        runRound: (signal) => this.#claim(signal),
      }),
      ticks: startWorkerLoop({
        ...common,
        name: "lease of the delivery worker",
        runRound: () => this.#tick(),
      }),
      maintenance: startWorkerLoop({
        ...common,
        name: "maintenance of the delivery queue",
        firstDelayMs: maintenanceMs,
        runRound: (signal) => this.#maintain(signal),
      }),
    };
  }

  /** There may be work: look now instead of at the next poll. */
  wake(): void {
    this.#isSignalled = true;
    this.#loops?.claims.wake();
  }

  /** Claims nothing more, lets what is in flight end, saves it and gives all channels back. */
  async close(): Promise<void> {
    this.#dispatcher.stop();
    const { claims, ticks, maintenance } = this.#loops ?? {};
    await Promise.all([claims?.close(), ticks?.close(), maintenance?.close()]);
    this.#pacer.close();
    // Every attempt has a deadline, and so has this.
    await this.#dispatcher.close();
    await this.#recorder.close();
    // Channels that can't be given back are free as soon as the session has ended.
    await this.#release({ isClosing: true }).catch(() => {});
    await this.#lease.close();
    this.#slots.close();
    await this.#sender.close();
    this.#mailer?.close();
  }

  #resume(): void {
    this.#dispatcher.resume();
    this.#loops?.claims.wake();
  }

  /** One round: a claim if there is a reason for it. Returns how long to wait for the next reason. */
  async #claim(signal: AbortSignal): Promise<number> {
    const { pollMs } = this.#settings;
    const pollInMs = this.#claimedAtMs + pollMs - monotonicMs();
    const isBehind = this.#recorder.unsavedCount >= unsavedMax;
    const isNeeded = this.#isSignalled || pollInMs <= 0 || this.#claimer.isUseful;
    if (!isNeeded || isBehind) return Math.max(1, isBehind ? pollMs : pollInMs);
    this.#isSignalled = false;
    this.#claimedAtMs = monotonicMs();
    try {
      await this.#inTurn(async () => {
        const workerId = await this.#lease.workerId();
        if (workerId !== null && !signal.aborted) await this.#claimer.claim(workerId);
      });
    } catch (error) {
      this.#deps.log.warn({ reason: String(error) }, "deliveries can't be claimed right now");
      await systemDelay(pollMs, signal);
    }
    const restMs = lingerMs - (monotonicMs() - this.#claimedAtMs);
    if (this.#slots.count >= lingerFrom && restMs > 0) await systemDelay(restMs, signal);
    return this.#claimer.isUseful ? 0 : pollMs;
  }

  async #tick(): Promise<number> {
    try {
      await this.#lease.renew();
      await this.#release({ isClosing: false });
      const now = this.#deps.clock.now();
      for (const channel of this.#claimer.list()) channel.wakeAt(now);
      if (this.#claimer.isUseful) this.#loops?.claims.wake();
    } catch (error) {
      this.#deps.log.warn({ reason: String(error) }, "channels can't be given back right now");
    }
    return tickMs;
  }

  async #maintain(signal: AbortSignal): Promise<number> {
    const deps = { ...this.#deps, signal, orphanSearch: this.#orphanSearch };
    try {
      const { repairedCount } = await runMaintenance(deps, this.#settings);
      // Nothing should be held that is not known; it would wait for ever.
      this.#claimer.doubt();
      if (repairedCount > 0) this.wake();
    } catch (error) {
      this.#deps.log.warn({ reason: String(error) }, "the delivery queue can't be checked");
    }
    return this.#settings.maintenanceMs;
  }

  #release(options: { isClosing: boolean }): Promise<void> {
    return this.#inTurn(async () => {
      const workerId = await this.#lease.workerId();
      if (workerId !== null) await this.#claimer.release(workerId, options);
    });
  }

  /** Claiming and giving back, one after the other: they would cross each other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#exchange.then(work);
    this.#exchange = done.catch(() => {});
    return done;
  }
}

function openGuardedSender(deps: DeliveryWorkerDeps, settings: DeliverySettings): Sender {
  const policy = openUrlPolicy(settings);
  const names = openHostNames({
    clock: deps.clock,
    addresses: policy.addresses,
    ...(deps.resolveDns ? { resolveDns: deps.resolveDns } : {}),
  });
  const { timeoutMs, proxy } = settings;
  return openSender({ policy, names, timeoutMs, proxy });
}
