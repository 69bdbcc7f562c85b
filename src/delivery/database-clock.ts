// The time of the database, for a process whose own clock may be wrong: due times that several processes compare
// must come from one clock. Between two measurements it goes on by the machine's monotonic time.
import { type Clock, monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

const measureMs = 30_000;
const warnMs = 5_000;

export type DatabaseClock = Clock & { close(): void };

/** @param open.readTime asks the database for its current moment */
export async function openDatabaseClock(open: {
  clock: Clock;
  log: Log;
  readTime: () => Promise<Date>;
}): Promise<DatabaseClock> {
  const { clock, log, readTime } = open;
  let measured = await measure();
  let hasWarned = false;
  warn();

  async function measure(): Promise<{ timeMs: number; atMs: number }> {
    const askedAtMs = monotonicMs();
    const time = await readTime();
    const answeredAtMs = monotonicMs();
    return { timeMs: time.getTime(), atMs: (askedAtMs + answeredAtMs) / 2 };
  }

  function now(): Date {
    return new Date(Math.floor(measured.timeMs + monotonicMs() - measured.atMs));
  }

  function warn(): void {
    const offMs = clock.now().getTime() - now().getTime();
    const isOff = Math.abs(offMs) > warnMs;
    if (isOff && !hasWarned) log.warn({ offMs }, "this machine's clock is not the database's");
    hasWarned = isOff;
  }

  const timer = setInterval(() => {
    measure().then(
      (next) => {
        measured = next;
        warn();
      },
      // The database is away: whoever needs it says so.
      () => {},
    );
  }, measureMs);
  timer.unref();
  return { now, close: () => clearInterval(timer) };
}
