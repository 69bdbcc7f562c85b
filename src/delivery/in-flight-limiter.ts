// How many attempts may be in flight: in this process, to one host, and for channels that fail. Whoever finds
// no free slot is remembered and called once there is one, so that nobody has to look again and again.
import type { DeliverySettings } from "./settings.ts";

type Limits = Pick<DeliverySettings, "inFlightMax" | "failingMax" | "perHostMax">;

export type SlotOwner = { host: string; isFailing: boolean };

/** A taken slot: given back exactly as it was taken, whatever became of its owner meanwhile. */
export type Slot = Readonly<SlotOwner>;

export class InFlightLimiter<Owner extends SlotOwner> {
  readonly #limits: Limits;
  readonly #countOfHost = new Map<string, number>();
  readonly #waitingForHost = new Map<string, Set<Owner>>();
  readonly #waitingToFail = new Set<Owner>();
  #count = 0;
  #failingCount = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  get freeSlots(): number {
    return this.#limits.inFlightMax - this.#count;
  }

  get freeFailingSlots(): number {
    return Math.min(this.freeSlots, this.#limits.failingMax - this.#failingCount);
  }

  /** Hosts without a free slot. */
  fullHosts(): string[] {
    return [...this.#waitingForHost.keys()];
  }

  /** A slot, or null: then the owner is among those that `release` returns once there is one for it. */
  take(owner: Owner): Slot | null {
    const { host, isFailing } = owner;
    const hostCount = this.#countOfHost.get(host) ?? 0;
    if (hostCount >= this.#limits.perHostMax) {
      const waiting = this.#waitingForHost.get(host) ?? new Set();
      this.#waitingForHost.set(host, waiting.add(owner));
      return null;
    }
    if (isFailing && this.#failingCount >= this.#limits.failingMax) {
      this.#waitingToFail.add(owner);
      return null;
    }
    this.#count += 1;
    this.#countOfHost.set(host, hostCount + 1);
    if (isFailing) this.#failingCount += 1;
    return { host, isFailing };
  }

  /** Returns those that may try again now. */
  release({ host, isFailing }: Slot): Owner[] {
    this.#count -= 1;
    const hostCount = (this.#countOfHost.get(host) ?? 0) - 1;
    if (hostCount === 0) this.#countOfHost.delete(host);
    else this.#countOfHost.set(host, hostCount);
    const again = [...(this.#waitingForHost.get(host) ?? [])];
    this.#waitingForHost.delete(host);
    if (!isFailing) return again;
    this.#failingCount -= 1;
    again.push(...this.#waitingToFail);
    this.#waitingToFail.clear();
    return again;
  }
}
