// Work on the texts of a workspace: in a thread of its own, one at a time for each workspace, and within a budget.

import { RateLimitedError } from "../domain/error.ts";
import { keepRecent } from "../lib/bounded-map.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import { OverBudgetError, runApart, type Work } from "../lib/work-pool.ts";

const busyMs = 15 * secondMs;

/**
 * Calls an exported function of a module, see `runApart`. Large arguments are JSON, which is cloned at once.
 *
 * @throws RateLimitedError when the work exceeds its budget, or the workspace has too much of it waiting
 */
export async function runForWorkspace<Run extends Work>(
  work: { module: string; run: Run },
  args: Parameters<Run>,
  workspaceId: string,
): Promise<Awaited<ReturnType<Run>>> {
  try {
    return await runApart(work, args, { busyMs, owner: workspaceId });
  } catch (error) {
    if (!(error instanceof OverBudgetError)) throw error;
    const message = "The reviews take too long to read: ask for fewer days or apps.";
    throw new RateLimitedError(message, minuteMs / secondMs, { cause: error });
  }
}

const resultsMax = 200;

/** Keeps the newest results by their keys, each of which names all that its result depends on. */
export function createResultCache<Result>() {
  const kept = new Map<string, Promise<Result>>();
  return (key: string, compute: () => Promise<Result>): Promise<Result> => {
    const result = kept.get(key) ?? compute();
    keepRecent(kept, { key, value: result, countMax: resultsMax });
    // A failure is not kept.
    result.catch(() => {
      if (kept.get(key) === result) kept.delete(key);
    });
    return result;
  };
}
