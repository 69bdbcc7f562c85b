// Closes what was opened in reverse order, also when opening the next resource fails.

export class ResourceStack {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** Adds the way to close what was just opened. */
  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, newest first; one failure does not keep the rest open.
   *
   * @throws AggregateError with every failure
   */
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
