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
import { Claimer } from "./claimer.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { HeldChannel } from "./held-channel.ts";
import { runMaintenance } from "./maintenance.ts";
import { OutcomeRecorder } from "./outcome-recorder.ts";
import { Pacer } from "./pacer.ts";
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

// With more unsaved outcomes nothing is claimed: the database can't keep up with the endpoints, and a crash would repeat
// them.
const unsavedMax = 128;
// With many requests in flight, claims start at least this far apart: one costs as much for many channels as for one.
const lingerMs = 16;
const lingerFrom = 32;
const renewalsPerLease = 5;

export class DeliveryWorker {
  readonly #deps: DeliveryWorkerDeps;
  readonly #settings: DeliverySettings;
  readonly #sender: Sender;
  readonly #mailer: Mailer | null;
  readonly #slots: Slots;
  readonly #claimer: Claimer;
  readonly #dispatcher: Dispatcher;
  readonly #recorder: OutcomeRecorder;
  readonly #lease: WorkerLease;
  #loops: { claims: WorkerLoop; leases: WorkerLoop; maintenance: WorkerLoop } | null = null;
  /** Another process, or a moment that has come, may have made something due. */
  #isSignalled = true;
  #claimedAtMs = 0;

  constructor(deps: DeliveryWorkerDeps) {
    const settings = { ...deliveryDefaults, ...deps.settings };
    const { random = Math.random } = deps;
    this.#deps = deps;
    this.#settings = settings;
    this.#sender = openGuardedSender(deps, settings);
    const { mail, timeoutMs } = settings;
    this.#mailer = mail && openMailer({ ...mail, timeoutMs });
    const [sender, mailer] = [this.#sender, this.#mailer];
    const resolveEndpoint = createEndpointResolver({ ...deps, ...settings, sender, mailer });
    const goOn = (): void => this.#loops?.claims.wake();
    const onLost = (channel: HeldChannel): void => this.#claimer.lose(channel);
    this.#slots = new Slots(settings);
    const common = { ...deps, settings, slots: this.#slots, pacer: new Pacer() };
    this.#recorder = new OutcomeRecorder({
      ...deps,
      onLost,
      onSaved: (outcome) => this.#claimer.noteSaved(outcome),
      onBatch: goOn,
    });
    this.#dispatcher = new Dispatcher({
      ...common,
      random,
      recorder: this.#recorder,
      onLost,
      onFree: goOn,
    });
    this.#claimer = new Claimer({
      ...common,
      resolveEndpoint,
      onBatch: (batch) => this.#dispatcher.start(batch),
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
    const { leaseMs, maintenanceMs } = this.#settings;
    const renewMs = leaseMs / renewalsPerLease;
    this.#loops ??= {
      claims: startWorkerLoop({
        ...common,
        name: "delivery worker",
        runRound: (signal) => this.#claim(signal),
      }),
      leases: startWorkerLoop({
        ...common,
        name: "lease of the delivery worker",
        firstDelayMs: renewMs,
        retryMs: renewMs,
        retryMsMax: renewMs,
        runRound: () => this.#lease.renew().then(() => renewMs),
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
    const { claims, leases, maintenance } = this.#loops ?? {};
    await Promise.all([claims?.close(), maintenance?.close()]);
    // Every attempt has a deadline, and so has this.
    await this.#dispatcher.close();
    await this.#recorder.close();
    await leases?.close();
    try {
      await this.#release({ isClosing: true });
      await this.#lease.close();
    } catch (error) {
      // Its channels are free when its lease has ended.
      this.#deps.log.warn({ reason: String(error) }, "channels can't be given back right now");
    }
    await this.#sender.close();
    this.#mailer?.close();
  }

  /** One round: a claim if there is a reason for it. Returns how long to wait for the next reason. */
  async #claim(signal: AbortSignal): Promise<number> {
    const { pollMs } = this.#settings;
    if (this.#recorder.unsavedCount >= unsavedMax) return pollMs;
    const pollInMs = this.#claimedAtMs + pollMs - monotonicMs();
    if (!(this.#isSignalled || pollInMs <= 0 || this.#claimer.isUseful))
      return this.#claimer.waitMs(pollInMs);
    this.#isSignalled = false;
    this.#claimedAtMs = monotonicMs();
    try {
      await this.#claimer.claim(await this.#lease.workerId());
      await this.#release({ isClosing: false });
    } catch (error) {
      this.#deps.log.warn({ reason: String(error) }, "deliveries can't be claimed right now");
      await systemDelay(pollMs, signal);
    }
    const restMs = lingerMs - (monotonicMs() - this.#claimedAtMs);
    if (this.#slots.count >= lingerFrom && restMs > 0) await systemDelay(restMs, signal);
    return this.#claimer.isUseful ? 0 : this.#claimer.waitMs(pollMs);
  }

  async #release(options: { isClosing: boolean }): Promise<void> {
    await this.#claimer.release(await this.#lease.workerId(), options);
  }

  async #maintain(signal: AbortSignal): Promise<number> {
    const { repairedCount } = await runMaintenance({ ...this.#deps, signal }, this.#settings);
    // No channel should be held without being known here; its deliveries would wait for ever.
    this.#claimer.expectUnknown();
    if (repairedCount > 0) this.wake();
    return this.#settings.maintenanceMs;
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
