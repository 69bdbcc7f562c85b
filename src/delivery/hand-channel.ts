// One channel's part of the hand: what is on the wire, what waits, what of it has a target already, and
// whether the channel fails.
import type { ClaimedDelivery } from "../domain/delivery.ts";

/** A delivery whose target was read a moment ago. */
export type Ready<Target> = { delivery: ClaimedDelivery; target: Target };

type Waiting<Target> = {
  delivery: ClaimedDelivery;
  /** In milliseconds since 1970: later its lease would end before its outcome can be saved. */
  sendBy: number;
  /** Where it goes, and when that was read on `performance.now()`'s clock. */
  answer: { target: Target; readAtMs: number } | null;
  /** Its target is being asked for. */
  isAsked: boolean;
};

export class HandChannel<Target> {
  readonly id: string;
  /** As the newest claim found it. */
  isFailing = false;
  isProbe = false;
  freshCount = 0;
  retryCount = 0;
  #wireCount = 0;
  #isStopped = false;
  #waiting: Waiting<Target>[] = [];

  constructor(id: string) {
    this.id = id;
  }

  get takenCount(): number {
    return this.freshCount + this.retryCount;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  get isIdle(): boolean {
    return this.takenCount === 0;
  }

  /** The host of what goes out next. */
  get nextHost(): string {
    return this.#waiting[0]?.delivery.host ?? "";
  }

  take(delivery: ClaimedDelivery, sendBy: number): void {
    this.isFailing = delivery.isFailing;
    this.isProbe = delivery.isProbe;
    this.#waiting.push({ delivery, sendBy, answer: null, isAsked: false });
    this.#count(delivery, 1);
  }

  /** Whether what waits has waited too long: the rest waits as long or shorter. */
  isLate(now: number): boolean {
    const [first] = this.#waiting;
    return first !== undefined && first.sendBy < now;
  }

  /**
   * What needs its target now: what goes out next, and as much to follow, at most `newMax` for the first
   * time. Behind an endpoint that is slow an answer grows old; at most `againMax` of these are asked
   * again, when there is a place for them.
   */
  ask(asking: { wireMax: number; newMax: number; againMax: number; freshSinceMs: number }): {
    asked: ClaimedDelivery[];
    newCount: number;
  } {
    const asked: ClaimedDelivery[] = [];
    let newCount = 0;
    if (this.#isStopped) return { asked, newCount };
    const cap = this.#capOf(asking.wireMax);
    const freeCount = cap - this.#wireCount;
    const againMax = Math.min(freeCount, asking.againMax);
    for (const [place, waiting] of this.#waiting.slice(0, cap + freeCount).entries()) {
      const { answer, isAsked } = waiting;
      if (isAsked) continue;
      if (answer === null ? newCount >= asking.newMax : place >= againMax) continue;
      if (answer !== null && answer.readAtMs >= asking.freshSinceMs) continue;
      if (answer === null) newCount += 1;
      waiting.isAsked = true;
      asked.push(waiting.delivery);
    }
    return { asked, newCount };
  }

  /** How many of those that wait were asked for. */
  get preparedCount(): number {
    return this.#waiting.filter(({ answer, isAsked }) => isAsked || answer !== null).length;
  }

  /** The answer to `ask`, unless it was put back meanwhile. */
  prepare(asked: ClaimedDelivery, answer: { target: Target; readAtMs: number }): void {
    const waiting = this.#waiting.find(({ delivery }) => delivery === asked);
    if (waiting) Object.assign(waiting, { answer, isAsked: false });
  }

  mayStart({ wireMax, freshSinceMs }: { wireMax: number; freshSinceMs: number }): boolean {
    const [next] = this.#waiting;
    if (this.#isStopped || !next?.answer || next.isAsked) return false;
    return next.answer.readAtMs >= freshSinceMs && this.#wireCount < this.#capOf(wireMax);
  }

  start(): Ready<Target> {
    const next = this.#waiting.shift();
    if (!next?.answer) throw new Error("nothing is ready for this channel");
    this.#wireCount += 1;
    return { delivery: next.delivery, target: next.answer.target };
  }

  end(delivery: ClaimedDelivery): void {
    this.#wireCount -= 1;
    this.#count(delivery, -1);
  }

  /** Whether it was still waiting. */
  drop(delivery: ClaimedDelivery): boolean {
    const place = this.#waiting.findIndex((waiting) => waiting.delivery === delivery);
    if (place === -1) return false;
    this.#waiting.splice(place, 1);
    this.#count(delivery, -1);
    return true;
  }

  stop(): void {
    this.#isStopped = true;
  }

  putBack(): ClaimedDelivery[] {
    const back = this.#waiting.map(({ delivery }) => delivery);
    this.#waiting = [];
    this.#isStopped = false;
    for (const delivery of back) this.#count(delivery, -1);
    return back;
  }

  #capOf(wireMax: number): number {
    return this.isProbe ? 1 : wireMax;
  }

  #count({ isRetry }: ClaimedDelivery, by: 1 | -1): void {
    if (isRetry) this.retryCount += by;
    else this.freshCount += by;
  }
}
