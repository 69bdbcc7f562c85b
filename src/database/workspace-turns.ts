// The turns of workspaces at the database. Two statements or transactions of each run at a time; further ones wait in the
// workspace's own line, and are refused after a while: whatever one workspace asks for, others find a free connection. One
// person can have many workspaces, so lines that lately used connections for long leave some free, and the line with the
// least use is served first. Before the workspace is known, keys and limits have such lines too.
// Inside of a transaction only its own statements may run: it would wait for its own turn.
import { RateLimitedError } from "../domain/error.ts";
import { monotonicMs } from "../lib/clock.ts";
import { createRecentUse } from "../lib/recent-use.ts";
import { secondMs } from "../lib/timestamp.ts";

const runningMax = 2;
const waitingMax = 1_000;
const waitMsMax = 5 * secondMs;
const retrySeconds = 5;
/** A page of reviews takes some hundredths. */
const muchMs = 2 * secondMs;
const shareOfMuch = 0.6;

type Line = { id: string; runningCount: number; waiting: (() => void)[] };

export type TakeTurn = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;

/** @param connectionCount for all lines together */
export function createWorkspaceTurns(connectionCount = Number.POSITIVE_INFINITY): TakeTurn {
  const lines = new Map<string, Line>();
  const use = createRecentUse();
  let runningCount = 0;
  const mayRun = ({ id, runningCount: own }: Line): boolean => {
    const countMax = connectionCount * (use.msOf(id) > muchMs ? shareOfMuch : 1);
    return own < runningMax && runningCount < countMax;
  };
  const start = (line: Line): void => {
    line.runningCount += 1;
    runningCount += 1;
  };
  const end = (line: Line): void => {
    line.runningCount -= 1;
    runningCount -= 1;
    if (line.runningCount + line.waiting.length === 0) lines.delete(line.id);
    const ready = [...lines.values()].filter((one) => one.waiting.length > 0 && mayRun(one));
    const next = use.pick(ready, ({ id }) => id);
    if (!next) return;
    start(next);
    next.waiting.shift()?.();
  };
  return async (workspaceId, work) => {
    const line = lines.get(workspaceId) ?? { id: workspaceId, runningCount: 0, waiting: [] };
    lines.set(workspaceId, line);
    if (mayRun(line)) start(line);
    else await waitFor(line);
    const startedMs = monotonicMs();
    try {
      return await work();
    } finally {
      use.add(workspaceId, monotonicMs() - startedMs);
      end(line);
    }
  };
}

/** Until the turn of another one is handed over. */
function waitFor({ waiting }: Line): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => {
      const index = waiting.indexOf(start);
      if (index !== -1) waiting.splice(index, 1);
      reject(new RateLimitedError("Too many requests at a time.", retrySeconds));
    };
    const timer = setTimeout(refuse, waitMsMax);
    const start = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (waiting.length < waitingMax) return void waiting.push(start);
    clearTimeout(timer);
    refuse();
  });
}
