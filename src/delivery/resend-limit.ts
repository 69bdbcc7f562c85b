// Limits what would be sent again if this process died now: what went out a moment ago, and outcomes that are not
// saved. An attempt that takes longer waits for its endpoint and counts no more: slow endpoints must not use up the
// places of quick ones, and need many at once.
import { type Deadlines, openDeadlines } from "./deadlines.ts";
import type { DeliverySettings } from "./settings.ts";

export class ResendLimit {
  readonly #max: number;
  readonly #unsavedCount: () => number;
  readonly #onFreed: () => void;
  readonly #recent: Deadlines;
  #recentCount = 0;

  constructor(options: {
    settings: Pick<DeliverySettings, "resendMax" | "quickMs">;
    unsavedCount: () => number;
    onFreed: () => void;
  }) {
    this.#max = options.settings.resendMax;
    this.#unsavedCount = options.unsavedCount;
    this.#onFreed = options.onFreed;
    this.#recent = openDeadlines(options.settings.quickMs);
  }

  /** How many more attempts may begin. */
  get freeCount(): number {
    return this.#max - this.#recentCount - this.#unsavedCount();
  }

  /** An attempt begins. Returns what is to be called when it is over. */
  begin(): () => void {
    this.#recentCount += 1;
    const forget = this.#recent.add(() => {
      this.#recentCount -= 1;
      this.#onFreed();
    });
    return () => {
      if (forget()) this.#recentCount -= 1;
    };
  }

  close(): void {
    this.#recent.close();
  }
}
