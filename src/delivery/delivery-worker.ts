// The delivery worker: takes channels with due deliveries, reads ahead of them, sends each delivery with the URL
// and secret of that moment, and saves the outcome. At least once, one process at a time for a channel, and no
// endpoint delays another.
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { type Mailer, openMailer } from "./channel-types/email/mailer.ts";
import { createEndpointResolver } from "./channel-types/resolve-endpoint.ts";
import { Dispatcher } from "./dispatcher.ts";
import { HeldChannels } from "./held-channels.ts";
import { openHostNames, type ResolveDns } from "./host-names.ts";
import { InFlightLimiter } from "./in-flight-limiter.ts";
import type { LeasedChannel } from "./leased-channel.ts";
import { type OrphanSearch, runMaintenance } from "./maintenance.ts";
import { OutcomeBatcher } from "./outcome-batcher.ts";
import { Prefetcher } from "./prefetcher.ts";
import type { Queue } from "./queue.ts";
import { openSender, type Sender } from "./sender.ts";
import { type DeliverySettings, deliveryDefaults } from "./settings.ts";
import type { Secrets } from "./signature.ts";
import { openUrlPolicy } from "./url-check.ts";
import { createWakeSignal } from "./wake-signal.ts";
import { WorkerLease } from "./worker-lease.ts";

export type DeliveryWorkerDeps = {
  clock: Clock;
  log: Log;
  queue: Queue;
  secrets: Secrets;
  settings: Partial<DeliverySettings> & Pick<DeliverySettings, "version">;
  random?: () => number;
  resolveDns?: ResolveDns;
};

// With more unsaved outcomes no channel is taken: the database can't keep up with the endpoints.
const unsavedMax = 1_024;
// With many requests in flight, queries for due channels start at least so far apart: one query costs as much for
// many channels as for one.
const lingerMs = 10;
const lingerFrom = 32;
// With fewer, nobody waits for a second query: so many deliveries of a channel come along with its lease.
const calmFirstMax = 4;
/** Leasing a channel costs more than reading one delivery: at least so many are assumed for each. */
const perChannelMin = 8;
const channelsMax = 256;
const tickMs = 200;

export class DeliveryWorker {
  readonly #deps: DeliveryWorkerDeps;
  readonly #settings: DeliverySettings;
  readonly #sender: Sender;
  readonly #mailer: Mailer | null;
  readonly #channels: HeldChannels;
  readonly #limiter: InFlightLimiter<LeasedChannel>;
  readonly #prefetcher: Prefetcher;
  readonly #dispatcher: Dispatcher;
  readonly #batcher: OutcomeBatcher;
  readonly #lease: WorkerLease;
  readonly #work = createWakeSignal();
  readonly #closing = new AbortController();
  #running: Promise<unknown> | null = null;
  /** Channels may be held that are not known here: the answer to a lease was lost. */
  #isUnsure = false;
  #exchange: Promise<unknown> = Promise.resolve();

  constructor(deps: DeliveryWorkerDeps) {
    const settings = { ...deliveryDefaults, ...deps.settings };
    const { random = Math.random } = deps;
    this.#deps = deps;
    this.#settings = settings;
    this.#sender = openGuardedSender(deps, settings);
    this.#limiter = new InFlightLimiter(settings);
    const { mail, timeoutMs } = settings;
    this.#mailer = mail && openMailer({ ...mail, timeoutMs });
    const resolveEndpoint = createEndpointResolver({
      ...deps,
      ...settings,
      sender: this.#sender,
      mailer: this.#mailer,
    });
    const onLost = (channel: LeasedChannel): void => this.#channels.lose(channel);
    const onSaved = (channel: LeasedChannel): void => this.#proceed(channel);
    const onBatch = (): void => this.#dispatcher.resume();
    this.#batcher = new OutcomeBatcher({ ...deps, settings, onLost, onSaved, onBatch });
    this.#prefetcher = new Prefetcher({ ...deps, settings, onLost, onRead: onSaved });
    const prefetcher = this.#prefetcher;
    const onFirst = (channel: LeasedChannel): void => this.#dispatcher.offer(channel);
    this.#channels = new HeldChannels({ ...deps, resolveEndpoint, prefetcher, onFirst });
    this.#dispatcher = new Dispatcher({
      ...deps,
      settings,
      random,
      resolveEndpoint,
      limiter: this.#limiter,
      prefetcher,
      batcher: this.#batcher,
      onLost,
    });
    this.#lease = new WorkerLease({
      ...deps,
      settings,
      onEnded: () => {
        this.#channels.loseAll();
        this.#work.set();
      },
      onChannelsFreed: () => this.#work.set(),
    });
  }

  start(): void {
    this.#running ??= Promise.all([this.#run(), this.#tick(), this.#maintain()]);
  }

  /** There may be work: look now instead of at the next poll. */
  wake(): void {
    this.#work.set();
  }

  /** Takes nothing more, lets what is in flight end, saves it and gives all channels back. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#dispatcher.stop();
    this.#work.set();
    await this.#running;
    await this.#prefetcher.close();
    // Every attempt has a deadline, and so has this.
    await this.#dispatcher.close();
    await this.#batcher.close();
    // What can't be given back is free as soon as the session has ended.
    await this.#release(this.#channels.list()).catch(() => {});
    await this.#lease.close();
    await this.#sender.close();
    this.#mailer?.close();
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      const beganMs = monotonicMs();
      const taking = this.#inTurn(() => this.#takeChannels());
      const mayHaveMore = await taking.catch((error: unknown) => {
        this.#deps.log.warn({ reason: String(error) }, "channels can't be taken right now");
        this.#isUnsure = true;
        return false;
      });
      if (this.#isClosing) return;
      if (!mayHaveMore) await this.#work.wait(this.#settings.pollMs);
      const restMs = lingerMs - (monotonicMs() - beganMs);
      if (this.#limiter.count >= lingerFrom && restMs > 0 && !this.#isClosing) await delay(restMs);
    }
  }

  /** Whether more channels may be due than were taken. */
  async #takeChannels(): Promise<boolean> {
    const { clock, queue } = this.#deps;
    const workerId = await this.#lease.workerId();
    if (workerId === null) return false;
    this.#channels.lookAtDue(this.#deps.clock.now());
    if (this.#isUnsure) await this.#signalUnknown(workerId);
    const isBehind = this.#batcher.unsavedCount >= unsavedMax;
    const capacity = isBehind ? 0 : this.#prefetcher.capacity;
    const now = clock.now();
    const sentAtMs = monotonicMs();
    const answeringMax = Math.min(channelsMax, Math.ceil(capacity / perChannelMin));
    const failingMax = isBehind ? 0 : Math.min(channelsMax, this.#limiter.freeFailingSlots);
    const fullHosts = this.#limiter.fullHosts();
    const firstMax = this.#limiter.count < lingerFrom ? calmFirstMax : 0;
    const lease = { workerId, now, answeringMax, failingMax, fullHosts, firstMax };
    const leases = await queue.leaseChannels(lease);
    for (const lease of leases) this.#channels.take(lease, { workerId, checkedAtMs: sentAtMs });
    return leases.length > 0 && leases.length >= Math.min(answeringMax, failingMax);
  }

  async #signalUnknown(workerId: number): Promise<void> {
    const { clock, queue } = this.#deps;
    const knownIds = this.#channels.list().map(({ id }) => id);
    await queue.signalUnknownChannels({ workerId, knownIds, now: clock.now() });
    this.#isUnsure = false;
  }

  /** Something was read of the channel, or saved. */
  #proceed(channel: LeasedChannel): void {
    if (channel.isIdle) channel.idleSinceMs = monotonicMs();
    this.#prefetcher.want(channel);
    this.#dispatcher.offer(channel);
  }

  #release(channels: readonly LeasedChannel[]): Promise<void> {
    return this.#inTurn(async () => {
      const workerId = await this.#lease.workerId();
      const { queue } = this.#deps;
      const isClosing = this.#isClosing;
      if (workerId !== null) await this.#channels.release({ queue, workerId, channels, isClosing });
    });
  }

  /** Taking and giving back, one after the other: they would cross each other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#exchange.then(work);
    this.#exchange = done.catch(() => {});
    return done;
  }

  async #tick(): Promise<void> {
    const { signal } = this.#closing;
    while (!this.#isClosing) {
      // Woken by closing alone.
      await delay(tickMs, null, { signal }).catch(() => {});
      if (this.#isClosing) return;
      try {
        this.#channels.lookAtDue(this.#deps.clock.now());
        await this.#lease.renew();
        await this.#release(this.#channels.listIdle(this.#settings.idleMs));
      } catch (error) {
        this.#deps.log.warn({ reason: String(error) }, "channels can't be given back right now");
      }
    }
  }

  async #maintain(): Promise<void> {
    const { signal } = this.#closing;
    const { maintenanceMs } = this.#settings;
    const orphanSearch: OrphanSearch = { pending: null, ended_deliveries: null };
    while (!this.#isClosing) {
      await delay(maintenanceMs, null, { signal }).catch(() => {});
      if (this.#isClosing) return;
      try {
        const deps = { ...this.#deps, signal, orphanSearch };
        const { repairedCount } = await runMaintenance(deps, this.#settings);
        // Nothing should be held that is not known; it would wait for ever.
        this.#isUnsure = true;
        if (repairedCount > 0) this.#work.set();
      } catch (error) {
        this.#deps.log.warn({ reason: String(error) }, "the delivery queue can't be checked");
      }
    }
  }
}

function openGuardedSender(deps: DeliveryWorkerDeps, settings: DeliverySettings): Sender {
  const policy = openUrlPolicy(settings);
  const names = openHostNames({
    clock: deps.clock,
    addresses: policy.addresses,
    ...(deps.resolveDns ? { resolveDns: deps.resolveDns } : {}),
  });
  return openSender({ policy, names, timeoutMs: settings.timeoutMs });
}
