// Turns at something that all share: it has slots for work, lines in which work waits for one, and owners with one or more
// lines. An owner takes no more slots than remain free, so that a newcomer finds one; the line whose owner lately used
// slots the least goes first. Use counts from the moment at which work begins.
import { keepRecent } from "./bounded-map.ts";
import { monotonicMs } from "./clock.ts";
import { secondMs } from "./timestamp.ts";

export type Turn = {
  /** null: a line of its own. */
  line: string | null;
  /** To whom its use is counted: to the line by default. */
  owner?: string;
  /** Lines of a lower rank go first. */
  rank?: number;
  /** Aborted when the caller has left. */
  signal?: AbortSignal;
};

type FairQueueOptions<T> = {
  slotCount: number;
  /** Work of one line at a time. */
  perLineMax?: number;
  /** The line that was served longest ago goes first, however long its work took. */
  isInTurns?: boolean;
  /** Owners that lately used slots for longer than this leave the others free. */
  much?: { ms: number; slotCount: number };
  /** @throws with the reason for a turn that may not wait behind those that do */
  admit?(turn: T, waiting: readonly T[]): void;
  waitMsMax?: number;
  /** For a turn that did not come in time, or whose caller has left. */
  refuse?(): Error;
};

type Waiter<T> = { turn: T; start(startedMs: number): void };
type Line<T> = {
  key: string;
  owner: string;
  rank: number;
  runningCount: number;
  waiting: Waiter<T>[];
};

/** Runs work as soon as it is its turn. */
export type TakeTurn<T extends Turn> = <R>(turn: T, work: () => Promise<R>) => Promise<R>;

export function createFairQueue<T extends Turn>(options: FairQueueOptions<T>): TakeTurn<T> {
  const queue = new FairQueue(options);
  return (turn, work) => queue.run(turn, work);
}

const checkMs = secondMs;

class FairQueue<T extends Turn> {
  readonly #options: FairQueueOptions<T>;
  readonly #lines = new Map<string, Line<T>>();
  readonly #uses = new Uses();
  #runningCount = 0;
  #ownLineCount = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: FairQueueOptions<T>) {
    this.#options = options;
  }

  async run<R>(turn: T, work: () => Promise<R>): Promise<R> {
    const line = this.#lineOf(turn);
    const isFirst = line.waiting.length === 0 && this.#mayRun(line);
    if (!isFirst) this.#options.admit?.(turn, this.#listWaiting());
    this.#lines.set(line.key, line);
    const startedMs = isFirst ? this.#begin(line) : await this.#wait(line, turn);
    try {
      return await work();
    } finally {
      this.#end(line, startedMs);
    }
  }

  #lineOf({ line, owner, rank = 0 }: T): Line<T> {
    this.#ownLineCount += line === null ? 1 : 0;
    const key = line ?? `own ${this.#ownLineCount}`;
    const known = this.#lines.get(key);
    return known ?? { key, owner: owner ?? key, rank, runningCount: 0, waiting: [] };
  }

  #listWaiting(): T[] {
    return [...this.#lines.values()].flatMap(({ waiting }) => waiting.map(({ turn }) => turn));
  }

  #mayRun({ owner, runningCount }: Line<T>): boolean {
    const { slotCount, perLineMax = Infinity, much } = this.#options;
    const isMuch = much !== undefined && this.#uses.msOf(owner) > much.ms;
    const countMax = isMuch ? Math.min(slotCount, much.slotCount) : slotCount;
    const isFair = this.#uses.countOf(owner) < slotCount - this.#runningCount;
    return runningCount < perLineMax && this.#runningCount < countMax && isFair;
  }

  #begin(line: Line<T>): number {
    line.runningCount += 1;
    this.#runningCount += 1;
    return this.#uses.begin(line.owner);
  }

  #end(line: Line<T>, startedMs: number): void {
    line.runningCount -= 1;
    this.#runningCount -= 1;
    this.#uses.end(line.owner, startedMs);
    this.#forgetEmpty(line);
    this.#startNext();
  }

  #startNext(): void {
    for (let next = this.#findNext(); next; next = this.#findNext()) {
      next.waiting[0]?.start(this.#begin(next));
    }
    this.#checkLater();
  }

  /** Use that lies back fades, so that an owner may take a free slot although no work ends. */
  #checkLater(): void {
    if (this.#options.much === undefined || this.#timer !== null) return;
    if (this.#listWaiting().length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#startNext();
    }, checkMs);
  }

  #findNext(): Line<T> | undefined {
    const waiting = [...this.#lines.values()].filter((one) => one.waiting.length > 0);
    const useOf = ({ owner }: Line<T>): number =>
      this.#options.isInTurns ? this.#uses.servedOf(owner) : this.#uses.msOf(owner);
    const ready = waiting.filter((line) => this.#mayRun(line));
    return ready.sort((one, other) => one.rank - other.rank || useOf(one) - useOf(other))[0];
  }

  #forgetEmpty({ key, runningCount, waiting }: Line<T>): void {
    if (runningCount + waiting.length === 0) this.#lines.delete(key);
  }

  /** Returns when its turn came. */
  #wait(line: Line<T>, turn: T): Promise<number> {
    const { waitMsMax, refuse } = this.#options;
    const { signal } = turn;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        line.waiting.splice(line.waiting.indexOf(waiter), 1);
      };
      const leave = (): void => {
        stop();
        this.#forgetEmpty(line);
        reject(refuse?.() ?? new Error("the caller has left"));
      };
      const start = (startedMs: number): void => {
        stop();
        resolve(startedMs);
      };
      const waiter = { turn, start };
      const timer = waitMsMax === undefined ? undefined : setTimeout(leave, waitMsMax);
      line.waiting.push(waiter);
      this.#checkLater();
      signal?.addEventListener("abort", leave);
      if (signal?.aborted) leave();
    });
  }
}

const halfLifeMs = 10 * secondMs;
const ownersMax = 1_000;

/** How long each owner has slots now, or lately had them. */
class Uses {
  readonly #kept = new Map<string, { ms: number; atMs: number }>();
  readonly #running = new Map<string, { count: number; startedMsSum: number }>();
  readonly #servedAs = new Map<string, number>();
  #servedCount = 0;

  countOf(owner: string): number {
    return this.#running.get(owner)?.count ?? 0;
  }

  /** The number of its last turn among all turns. */
  servedOf(owner: string): number {
    return this.#servedAs.get(owner) ?? 0;
  }

  msOf(owner: string): number {
    const nowMs = monotonicMs();
    const { count, startedMsSum } = this.#running.get(owner) ?? { count: 0, startedMsSum: 0 };
    return this.#keptMsOf(owner, nowMs) + count * nowMs - startedMsSum;
  }

  begin(owner: string): number {
    const nowMs = monotonicMs();
    this.#count(owner, 1, nowMs);
    this.#servedCount += 1;
    keepRecent(this.#servedAs, { key: owner, value: this.#servedCount, countMax: ownersMax });
    return nowMs;
  }

  end(owner: string, startedMs: number): void {
    this.#count(owner, -1, startedMs);
    const nowMs = monotonicMs();
    const value = { ms: this.#keptMsOf(owner, nowMs) + nowMs - startedMs, atMs: nowMs };
    keepRecent(this.#kept, { key: owner, value, countMax: ownersMax });
  }

  #keptMsOf(owner: string, nowMs: number): number {
    const use = this.#kept.get(owner);
    return use ? use.ms * 0.5 ** ((nowMs - use.atMs) / halfLifeMs) : 0;
  }

  #count(owner: string, by: 1 | -1, startedMs: number): void {
    const { count, startedMsSum } = this.#running.get(owner) ?? { count: 0, startedMsSum: 0 };
    if (count + by === 0) this.#running.delete(owner);
    else
      this.#running.set(owner, { count: count + by, startedMsSum: startedMsSum + by * startedMs });
  }
}
