// The turns of workspaces at the database. Two statements or transactions of each run at a time; further ones wait in the
// workspace's own line, and are refused after a while: whatever one workspace asks for, others find a free connection. Before
// the workspace is known, keys and limits have such lines too.
// Inside of a transaction only its own statements may run: it would wait for its own turn.
import { RateLimitedError } from "../domain/error.ts";
import { secondMs } from "../lib/timestamp.ts";

const runningMax = 2;
const waitingMax = 1_000;
const waitMsMax = 5 * secondMs;
const retrySeconds = 5;

type Line = { runningCount: number; waiting: (() => void)[] };

export type TakeTurn = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;

export function createWorkspaceTurns(): TakeTurn {
  const lines = new Map<string, Line>();
  return async (workspaceId, work) => {
    const line = lines.get(workspaceId) ?? { runningCount: 0, waiting: [] };
    lines.set(workspaceId, line);
    if (line.runningCount < runningMax) line.runningCount += 1;
    else await waitFor(line);
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else line.runningCount -= 1;
      if (line.runningCount === 0) lines.delete(workspaceId);
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
