// Slots of this process: how many attempts may be in flight, at one host, and for channels that fail or are slow,
// whatever they answer.
import type { DeliverySettings } from "./settings.ts";

type Limits = Pick<DeliverySettings, "inFlightMax" | "troubledMax" | "slowMs" | "perHostMax">;

type SlotOwner = { host: string; isFailing: boolean; answersInMs: number | null };

/** A taken slot: released as it was taken, whatever became of its owner meanwhile. */
export type Slot = { readonly host: string; isTroubled: boolean };

export class Slots {
  readonly #limits: Limits;
  readonly #countOfHost = new Map<string, number>();
  #count = 0;
  #troubledCount = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  get free(): number {
    return this.#limits.inFlightMax - this.#count;
  }

  get freeTroubled(): number {
    return Math.max(0, Math.min(this.free, this.#limits.troubledMax - this.#troubledCount));
  }

  fullHosts(): string[] {
    const full = [...this.#countOfHost].filter(([, count]) => count >= this.#limits.perHostMax);
    return full.map(([host]) => host);
  }

  freeAt(host: string): number {
    return Math.min(this.free, this.#limits.perHostMax - (this.#countOfHost.get(host) ?? 0));
  }

  freeFor(owner: SlotOwner): number {
    const atHost = this.freeAt(owner.host);
    return Math.max(0, this.#isTroubled(owner) ? Math.min(atHost, this.freeTroubled) : atHost);
  }

  take(owner: SlotOwner): Slot | null {
    if (this.freeFor(owner) === 0) return null;
    const slot = { host: owner.host, isTroubled: this.#isTroubled(owner) };
    this.#count += 1;
    this.#countOfHost.set(slot.host, (this.#countOfHost.get(slot.host) ?? 0) + 1);
    if (slot.isTroubled) this.#troubledCount += 1;
    return slot;
  }

  release({ host, isTroubled }: Slot): void {
    this.#count -= 1;
    const hostCount = (this.#countOfHost.get(host) ?? 0) - 1;
    if (hostCount === 0) this.#countOfHost.delete(host);
    else this.#countOfHost.set(host, hostCount);
    if (isTroubled) this.#troubledCount -= 1;
  }

  /** An attempt begins in the slot. Returns a function to call when it ends. */
  begin(slot: Slot): () => void {
    const timer = setTimeout(() => {
      if (slot.isTroubled) return;
      slot.isTroubled = true;
      this.#troubledCount += 1;
    }, this.#limits.slowMs);
    return () => clearTimeout(timer);
  }

  #isTroubled({ isFailing, answersInMs }: SlotOwner): boolean {
    return isFailing || (answersInMs !== null && answersInMs >= this.#limits.slowMs);
  }
}
