// What was opened is closed in reverse order, also when opening the next thing fails half-way.

export class ResourceStack {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** Remembers how to close what was just opened. */
  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** Closes everything, newest first; one failure does not keep the rest open. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "closing failed");
  }
}
