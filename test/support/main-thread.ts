// How long this thread computes without a turn of its event loop, in processor time: other programs of the machine make no
// difference to it.
import fs from "node:fs";

const file = "/proc/thread-self/schedstat";
const gapMs = 5;

export type ThreadWatch = {
  /** The longest so far, in ms; null where the system does not say. */
  longestTurnMs(): number | null;
  close(): void;
};

export function watchThread(): ThreadWatch {
  if (!fs.existsSync(file)) return { longestTurnMs: () => null, close() {} };
  let before = cpuMs();
  let longest = 0;
  const look = (): void => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(look, gapMs);
  return {
    longestTurnMs() {
      look();
      return longest;
    },
    close: () => clearInterval(timer),
  };
}

/** Elsewhere than on Linux, the time that passed. */
export function readThreadMs(): number {
  return fs.existsSync(file) ? cpuMs() : performance.now();
}

function cpuMs(): number {
  const [nanoseconds = ""] = fs.readFileSync(file, "utf8").split(" ");
  return Number(nanoseconds) / 1_000_000;
}
