// Invalidates cached responses on change notifications. A changed listing concerns the workspaces that
// follow it; they are looked up for many listings at once.
import type { Database } from "../database/database.ts";
import type { Log } from "../lib/log.ts";

export type InvalidatableCache = {
  /** Without an entry there is nothing to look up. */
  isEmpty(): boolean;
  invalidateAll(): void;
  invalidateWorkspaces(workspaceIds: ReadonlySet<string>): void;
};

/** Returns the function that stops listening. */
export function listenForChanges(
  deps: { database: Pick<Database, "listen" | "listFollowingWorkspaces">; log: Log },
  cache: InvalidatableCache,
): () => void {
  const { database, log } = deps;
  let changedListings = new Set<string>();
  let isLookingUp = false;

  function invalidate(workspaceIds: readonly string[]): void {
    cache.invalidateWorkspaces(new Set(workspaceIds));
    log.debug({ workspaceIds }, "invalidated cached responses");
  }

  async function invalidateFollowers(): Promise<void> {
    if (isLookingUp) return;
    isLookingUp = true;
    while (changedListings.size > 0) {
      const listingIds = [...changedListings];
      changedListings = new Set();
      try {
        invalidate(await database.listFollowingWorkspaces(listingIds));
      } catch {
        // Which workspaces are concerned is unknown: all. The next query logs why the database failed.
        cache.invalidateAll();
      }
    }
    isLookingUp = false;
  }

  const stopReviews = database.listen("reviews", (listingId) => {
    if (cache.isEmpty()) return;
    if (listingId === "") return cache.invalidateAll();
    changedListings.add(listingId);
    void invalidateFollowers();
  });
  const stopApps = database.listen("apps", (workspaceId) => {
    if (workspaceId === "") cache.invalidateAll();
    else invalidate([workspaceId]);
  });
  return () => {
    stopReviews();
    stopApps();
  };
}
