// Slots of this process: how many attempts may be in flight, at one host, for channels that fail and for channels that
// are slow, whatever they answer; and how much may have been sent without a saved outcome.
import type { Deadlines } from "../send/deadlines.ts";
import { openDeadlines } from "../send/deadlines.ts";
import type { DeliverySettings } from "./settings.ts";

type Limits = Pick<
  DeliverySettings,
  "inFlightMax" | "failingMax" | "slowMax" | "slowMs" | "perHostMax" | "resendMax" | "quickMs"
>;

export type SlotOwner = { host: string; isFailing: boolean; answeredInMs: number | null };

/** A taken slot: released as it was taken, whatever became of its owner meanwhile. */
export type Slot = { readonly host: string; readonly isFailing: boolean; isSlow: boolean };

export class Slots {
  readonly #limits: Limits;
  readonly #countOfHost = new Map<string, number>();
  readonly #quick: Deadlines;
  readonly #slow: Deadlines;
  readonly #onCapacity: () => void;
  #count = 0;
  #failingCount = 0;
  #slowCount = 0;
  #quickCount = 0;

  constructor(limits: Limits, onCapacity: () => void) {
    this.#limits = limits;
    this.#onCapacity = onCapacity;
    this.#quick = openDeadlines(limits.quickMs);
    this.#slow = openDeadlines(limits.slowMs);
  }

  get count(): number {
    return this.#count;
  }

  get free(): number {
    return this.#limits.inFlightMax - this.#count;
  }

  get freeFailing(): number {
    return Math.min(this.free, this.#limits.failingMax - this.#failingCount);
  }

  /**
   * How many more attempts may begin with that many outcomes unsaved: that much is sent twice when the process is
   * killed. An attempt that takes longer than quick endpoints do is not counted: slow ones need many at once.
   */
  capacityBeside(unsavedCount: number): number {
    return this.#limits.resendMax - this.#quickCount - unsavedCount;
  }

  fullHosts(): string[] {
    const full = [...this.#countOfHost].filter(([, count]) => count >= this.#limits.perHostMax);
    return full.map(([host]) => host);
  }

  freeFor({ host, isFailing, answeredInMs }: SlotOwner): number {
    const { failingMax, slowMax, perHostMax } = this.#limits;
    const atHost = perHostMax - (this.#countOfHost.get(host) ?? 0);
    const failing = isFailing ? failingMax - this.#failingCount : atHost;
    const slow = this.#isSlow(answeredInMs) ? slowMax - this.#slowCount : atHost;
    return Math.max(0, Math.min(this.free, atHost, failing, slow));
  }

  take(owner: SlotOwner): Slot | null {
    if (this.freeFor(owner) === 0) return null;
    const { host, isFailing, answeredInMs } = owner;
    const slot = { host, isFailing, isSlow: this.#isSlow(answeredInMs) };
    this.#count += 1;
    this.#countOfHost.set(host, (this.#countOfHost.get(host) ?? 0) + 1);
    if (isFailing) this.#failingCount += 1;
    if (slot.isSlow) this.#slowCount += 1;
    return slot;
  }

  release({ host, isFailing, isSlow }: Slot): void {
    this.#count -= 1;
    const hostCount = (this.#countOfHost.get(host) ?? 0) - 1;
    if (hostCount === 0) this.#countOfHost.delete(host);
    else this.#countOfHost.set(host, hostCount);
    if (isFailing) this.#failingCount -= 1;
    if (isSlow) this.#slowCount -= 1;
  }

  /** An attempt begins in the slot. Returns what is to be called when it ends. */
  begin(slot: Slot): () => void {
    this.#quickCount += 1;
    const forgetQuick = this.#quick.add(() => {
      this.#quickCount -= 1;
      this.#onCapacity();
    });
    const forgetSlow = this.#slow.add(() => {
      if (slot.isSlow) return;
      slot.isSlow = true;
      this.#slowCount += 1;
    });
    return () => {
      if (forgetQuick()) this.#quickCount -= 1;
      forgetSlow();
    };
  }

  close(): void {
    this.#quick.close();
    this.#slow.close();
  }

  #isSlow(answeredInMs: number | null): boolean {
    return answeredInMs !== null && answeredInMs >= this.#limits.slowMs;
  }
}
