// One channel's part of the hand: what is on the wire, what waits, and whether it fails.
import type { ClaimedDelivery } from "../reviews/delivery.ts";

type Waiting = {
  delivery: ClaimedDelivery;
  /** In milliseconds since 1970: later its lease would end before its outcome can be saved. */
  sendBy: number;
};

export class HandChannel {
  readonly id: string;
  /** As the newest claim found it. */
  isFailing = false;
  isProbe = false;
  freshCount = 0;
  retryCount = 0;
  #wireCount = 0;
  #isStopped = false;
  #waiting: Waiting[] = [];

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
    this.#waiting.push({ delivery, sendBy });
    this.#count(delivery, 1);
  }

  /** Whether what waits has waited too long: the rest waits as long or shorter. */
  isLate(now: number): boolean {
    const [first] = this.#waiting;
    return first !== undefined && first.sendBy < now;
  }

  mayStart(wireMax: number): boolean {
    const cap = this.isProbe ? 1 : wireMax;
    return !this.#isStopped && this.#waiting.length > 0 && this.#wireCount < cap;
  }

  start(): ClaimedDelivery {
    const next = this.#waiting.shift();
    if (!next) throw new Error("nothing waits for this channel");
    this.#wireCount += 1;
    return next.delivery;
  }

  end(delivery: ClaimedDelivery): void {
    this.#wireCount -= 1;
    this.#count(delivery, -1);
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

  #count({ isRetry }: ClaimedDelivery, by: 1 | -1): void {
    if (isRetry) this.retryCount += by;
    else this.freshCount += by;
  }
}
