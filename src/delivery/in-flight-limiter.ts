// How many attempts may be in flight: in this process, to one host, and for channels that fail. A channel
// without a free slot waits for one, so that nobody has to look again and again.
import type { DeliverySettings } from "./settings.ts";

type Limits = Pick<DeliverySettings, "inFlightMax" | "failingMax" | "perHostMax">;

export type SlotOwner = { host: string; isFailing: boolean };

/** A taken slot: given back exactly as it was taken, whatever became of its owner meanwhile. */
export type Slot = Readonly<SlotOwner>;

export class InFlightLimiter<Owner extends SlotOwner> {
  readonly #limits: Limits;
  readonly #countOfHost = new Map<string, number>();
  readonly #waitingForHost = new Map<string, Set<Owner>>();
  /** Hosts that somebody waits for and that may have a free slot. */
  readonly #freedHosts = new Set<string>();
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

  /** A slot, or null: then the owner waits for one. */
  take(owner: Owner): Slot | null {
    const { host, isFailing } = owner;
    if (!this.#hasSlotAt(host)) {
      const waiting = this.#waitingForHost.get(host) ?? new Set();
      this.#waitingForHost.set(host, waiting.add(owner));
      return null;
    }
    if (isFailing && this.#failingCount >= this.#limits.failingMax) {
      this.#waitingToFail.add(owner);
      return null;
    }
    this.#count += 1;
    this.#countOfHost.set(host, (this.#countOfHost.get(host) ?? 0) + 1);
    if (isFailing) this.#failingCount += 1;
    return { host, isFailing };
  }

  release({ host, isFailing }: Slot): void {
    this.#count -= 1;
    const hostCount = (this.#countOfHost.get(host) ?? 0) - 1;
    if (hostCount === 0) this.#countOfHost.delete(host);
    else this.#countOfHost.set(host, hostCount);
    if (isFailing) this.#failingCount -= 1;
    if (this.#waitingForHost.has(host)) this.#freedHosts.add(host);
  }

  /** The owner that waited longest and for which there is a slot now; it waits no more. */
  nextWaiting(): Owner | undefined {
    if (this.freeSlots <= 0) return undefined;
    for (const host of this.#freedHosts) {
      const owner = this.#hasSlotAt(host) ? this.#nextOf(host) : undefined;
      if (owner) return owner;
      this.#freedHosts.delete(host);
    }
    if (this.#failingCount >= this.#limits.failingMax) return undefined;
    const [failing] = this.#waitingToFail;
    if (failing) this.#waitingToFail.delete(failing);
    return failing;
  }

  #hasSlotAt(host: string): boolean {
    return (this.#countOfHost.get(host) ?? 0) < this.#limits.perHostMax;
  }

  #nextOf(host: string): Owner | undefined {
    const waiting = this.#waitingForHost.get(host);
    const [owner] = waiting ?? [];
    if (owner) waiting?.delete(owner);
    if (!waiting?.size) this.#waitingForHost.delete(host);
    return owner;
  }
}
