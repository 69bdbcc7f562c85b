// The engine: claims due deliveries, sends each with the URL and secret of that moment, and saves what
// came of it. At least once, never twice at the same time, and no endpoint holds up another.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { AttemptTools } from "./attempt.ts";
import { Hand } from "./hand.ts";
import { type AskDns, openHostNames } from "./host-names.ts";
import { runUpkeep } from "./maintenance.ts";
import { type Completions, openCompletions } from "./outcome-batcher.ts";
import type { Queue } from "./queue.ts";
import { openSender, type Sender } from "./sender.ts";
import { type Addressee, Sending } from "./sending.ts";
import { type DeliverySettings, deliveryDefaults } from "./settings.ts";
import type { Secrets } from "./signature.ts";
import { openUrlPolicy } from "./url-check.ts";
import { openBell } from "./wake-signal.ts";

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
// While something is at hand claims begin so far apart: a larger one costs the database as much.
const lingerMs = 10;

export function openDeliverer(parts: DelivererParts): Deliverer {
  return new Engine(parts, { ...deliveryDefaults, ...parts.settings });
}

class Engine implements Deliverer {
  readonly #parts: DelivererParts;
  readonly #settings: DeliverySettings;
  readonly #sender: Sender;
  readonly #hand: Hand<Addressee>;
  readonly #sending: Sending;
  readonly #completions: Completions;
  readonly #work = openBell();
  readonly #upkeep = openBell();
  #running: Promise<unknown> | null = null;
  #isClosing = false;

  constructor(parts: DelivererParts, settings: DeliverySettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.#sender = openGuardedSender(parts, settings);
    this.#hand = new Hand(settings);
    this.#completions = openCompletions(parts);
    const { clock, secrets, random = Math.random } = parts;
    const tools: AttemptTools = { clock, sender: this.#sender, random, settings };
    this.#sending = new Sending({
      ...parts,
      secrets,
      tools,
      hand: this.#hand,
      completions: this.#completions,
      onRoom: () => this.#work.ring(),
    });
  }

  start(): void {
    this.#running ??= Promise.all([this.#run(), this.#keepUp()]);
  }

  wake(): void {
    this.#work.ring();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#sending.stop();
    this.#work.ring();
    this.#upkeep.ring();
    await this.#running;
    // Every attempt has a deadline, and so has this.
    await this.#sending.close();
    await this.#completions.close();
    await this.#sender.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      const beganMs = performance.now();
      const claimedCount = await this.#claim().catch((error: unknown) => {
        this.#parts.log.warn({ reason: String(error) }, "deliveries can't be claimed right now");
        return 0;
      });
      if (this.#isClosing) return;
      if (claimedCount === 0) await this.#work.wait(this.#settings.pollMs);
      const restMs = lingerMs - (performance.now() - beganMs);
      if (this.#hand.takenCount > 0 && restMs > 0 && !this.#isClosing) await delay(restMs);
    }
  }

  async #claim(): Promise<number> {
    // Whatever kept from the wire what is at hand: with every poll it gets another chance.
    if (this.#hand.takenCount > this.#hand.wireCount) this.#sending.wake();
    const { room, ...rest } = this.#hand.room();
    if (room === 0 || this.#completions.count() >= unsavedMax) return 0;
    const { probeAfter, timeoutMs, leaseMarginMs } = this.#settings;
    const now = this.#parts.clock.now();
    const sendBy = now.getTime() + timeoutMs;
    const leasedUntil = new Date(sendBy + timeoutMs + leaseMarginMs);
    const lease = { leaseToken: randomUUID(), now, leasedUntil };
    const claimed = await this.#parts.queue.transaction((tx) =>
      tx.claimDeliveries({ ...lease, ...rest, probeAfter, room }),
    );
    this.#hand.take(claimed, sendBy);
    this.#sending.wake();
    return claimed.length;
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

function openGuardedSender(parts: DelivererParts, settings: DeliverySettings): Sender {
  const policy = openUrlPolicy(settings);
  const names = openHostNames({
    clock: parts.clock,
    addresses: policy.addresses,
    ...(parts.askDns ? { askDns: parts.askDns } : {}),
  });
  return openSender({ policy, names, timeoutMs: settings.timeoutMs });
}
