// The engine: claims due deliveries, sends each with the URL and secret of that moment, and saves what
// came of it. At least once, never twice at the same time, and no endpoint holds up another.
import { randomUUID } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { uuidV7 } from "../lib/uuid.ts";
import type { ClaimedDelivery, FinishedAttempt, SendTarget } from "../reviews/delivery.ts";
import { type AttemptTools, attemptDelivery, type Secrets } from "./attempt.ts";
import { openBell } from "./bell.ts";
import { type Completions, openCompletions } from "./completions.ts";
import { type AskDns, openHostNames } from "./host-names.ts";
import type { Queue } from "./queue.ts";
import { openSender, type Sender } from "./sender.ts";
import { type DeliverySettings, deliveryDefaults } from "./settings.ts";
import { openSlots, type Slots } from "./slots.ts";
import { runUpkeep } from "./upkeep.ts";
import { openUrlPolicy } from "./url-check.ts";

export type Deliverer = {
  start(): void;
  /** There may be work: look now instead of at the next poll. */
  wake(): void;
  /** Claims nothing more, lets what is in flight end, saves it and gives the rest back. */
  close(): Promise<void>;
};

export type DelivererParts = {
  clock: Clock;
  log: Log;
  queue: Queue;
  secrets: Secrets;
  settings: Partial<DeliverySettings> & Pick<DeliverySettings, "version">;
  random?: () => number;
  askDns?: AskDns;
};

// Beyond it nothing is claimed: the database can't keep up with the endpoints.
const unsavedMax = 1_024;

export function openDeliverer(parts: DelivererParts): Deliverer {
  return new Engine(parts, { ...deliveryDefaults, ...parts.settings });
}

class Engine implements Deliverer {
  readonly #parts: DelivererParts;
  readonly #settings: DeliverySettings;
  readonly #tools: AttemptTools & { sender: Sender };
  readonly #slots: Slots;
  readonly #completions: Completions;
  readonly #work = openBell();
  readonly #upkeep = openBell();
  readonly #tasks = new Set<Promise<void>>();
  #running: Promise<unknown> | null = null;
  #isClosing = false;

  constructor(parts: DelivererParts, settings: DeliverySettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.#tools = openTools(parts, settings);
    this.#slots = openSlots(settings);
    this.#completions = openCompletions(parts);
  }

  start(): void {
    this.#running ??= Promise.all([this.#run(), this.#keepUp()]);
  }

  wake(): void {
    this.#work.ring();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#work.ring();
    this.#upkeep.ring();
    await this.#running;
    // Every attempt has a deadline, and so has this. A batch being sent still adds its attempts.
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
    await this.#completions.close();
    await this.#tools.sender.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      const claimedCount = await this.#claimAndSend().catch((error: unknown) => {
        this.#parts.log.warn({ reason: String(error) }, "deliveries can't be claimed right now");
        return 0;
      });
      if (claimedCount === 0 && !this.#isClosing) await this.#work.wait(this.#settings.pollMs);
    }
  }

  async #claimAndSend(): Promise<number> {
    const claimed = await this.#claim();
    if (claimed.length === 0) return 0;
    if (this.#isClosing) {
      const now = this.#parts.clock.now();
      await this.#parts.queue.releaseLeases({ deliveries: claimed, now });
      return 0;
    }
    for (const delivery of claimed) this.#slots.take(delivery);
    // The next claim need not wait: what is taken counts already.
    this.#track(this.#sendAll(claimed));
    return claimed.length;
  }

  async #claim(): Promise<ClaimedDelivery[]> {
    const { room, ...rest } = this.#slots.room();
    if (room === 0 || this.#completions.count() >= unsavedMax) return [];
    const { perChannelMax, probeAfter, timeoutMs, leaseMarginMs } = this.#settings;
    const now = this.#parts.clock.now();
    const leasedUntil = new Date(now.getTime() + timeoutMs + leaseMarginMs);
    const lease = { leaseToken: randomUUID(), now, leasedUntil };
    return this.#parts.queue.transaction((tx) =>
      tx.claimDeliveries({ ...lease, perChannelMax, probeAfter, room, ...rest }),
    );
  }

  async #sendAll(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const targets = await this.#loadTargets(claimed).catch((error: unknown) => {
      for (const delivery of claimed) this.#free(delivery);
      throw error;
    });
    for (const delivery of claimed) {
      const target = targets.get(delivery.id);
      // Without a target it was cancelled, or deleted with its channel, a moment ago.
      if (target?.isWanted) this.#track(this.#send(delivery, target));
      else this.#free(delivery);
    }
    await this.#cancel(claimed.filter(({ id }) => targets.get(id)?.isWanted === false));
  }

  /** Right before signing: a secret, URL or event that changed meanwhile counts. */
  async #loadTargets(claimed: readonly ClaimedDelivery[]): Promise<Map<string, SendTarget>> {
    const ids = claimed.map(({ id }) => id);
    const leaseToken = claimed[0]?.leaseToken ?? "";
    const targets = await this.#parts.queue.loadSendTargets({ ids, leaseToken });
    return new Map(targets.map((target) => [target.deliveryId, target]));
  }

  /** What breaks off here is sent again once its lease has ended. */
  #track(work: Promise<void>): void {
    const task = work.catch((error: unknown) => {
      this.#parts.log.error({ reason: String(error) }, "sending broke off");
    });
    this.#tasks.add(task);
    void task.then(() => this.#tasks.delete(task));
  }

  async #send(delivery: ClaimedDelivery, target: SendTarget): Promise<void> {
    const attempt = await attemptDelivery(this.#tools, { delivery, target }).catch((error) => {
      this.#free(delivery);
      throw error;
    });
    logAttempt(this.#parts.log, { delivery, attempt });
    if (attempt.outcome.kind === "delivered") {
      this.#free(delivery);
      this.#completions.add(attempt, () => {});
      return;
    }
    const isGone = attempt.status === 410 && (await this.#dropChannel(target, delivery.channelId));
    // A failing channel gets its place back only once the next claim knows that it fails.
    if (isGone) this.#free(delivery);
    else this.#completions.add(attempt, () => this.#free(delivery));
  }

  #free(delivery: ClaimedDelivery): void {
    if (this.#slots.free(delivery)) this.#work.ring();
  }

  /** Only the channel's current URL can say that it is gone for good. */
  async #dropChannel({ url }: SendTarget, channelId: string): Promise<boolean> {
    const { clock, log, queue } = this.#parts;
    const now = clock.now();
    const gone = { channelId, url, auditId: uuidV7(now), now };
    try {
      const isDropped = await queue.transaction((tx) => tx.deleteGoneChannel(gone));
      if (isDropped) log.info({ channelId }, "a channel was dropped: 410 Gone");
      return isDropped;
    } catch (error) {
      // The delivery is retried, and the endpoint will say so again.
      log.warn({ reason: String(error), channelId }, "a channel was not dropped");
      return false;
    }
  }

  async #cancel(unwanted: readonly ClaimedDelivery[]): Promise<void> {
    const [first] = unwanted;
    if (!first) return;
    const channelIds = [...new Set(unwanted.map(({ channelId }) => channelId))];
    const now = this.#parts.clock.now();
    const { leaseToken } = first;
    await this.#parts.queue.cancelDeliveries({ channelIds, leaseToken, now });
  }

  async #keepUp(): Promise<void> {
    while (!this.#isClosing) {
      await this.#upkeep.wait(this.#settings.upkeepMs);
      if (this.#isClosing) return;
      try {
        const { repairedCount } = await runUpkeep(this.#parts, this.#settings);
        if (repairedCount > 0) this.#work.ring();
      } catch (error) {
        this.#parts.log.warn({ reason: String(error) }, "the delivery queue can't be checked");
      }
    }
  }
}

function openTools(
  parts: DelivererParts,
  settings: DeliverySettings,
): AttemptTools & { sender: Sender } {
  const { clock, secrets, random = Math.random } = parts;
  const policy = openUrlPolicy(settings);
  const names = openHostNames({
    clock,
    addresses: policy.addresses,
    ...(parts.askDns ? { askDns: parts.askDns } : {}),
  });
  const sender = openSender({ policy, names, timeoutMs: settings.timeoutMs });
  return { clock, secrets, sender, random, settings };
}

function logAttempt(
  log: Log,
  { delivery, attempt }: { delivery: ClaimedDelivery; attempt: FinishedAttempt },
): void {
  const { deliveryId, channelId, number, status, reason, durationMs, outcome } = attempt;
  const { event } = delivery;
  const facts = { deliveryId, channelId, event, number, status, reason, durationMs, outcome };
  if (outcome.kind === "delivered") log.debug(facts, "delivered");
  else log.info(facts, "an attempt failed");
}
