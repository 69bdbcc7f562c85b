// News that end answers early. News of a listing concern the workspaces that follow it; they are looked
// up for many listings at once.
import type { Database } from "../database/database.ts";

export type InvalidatableCache = {
  /** Without any answer there is nothing to look up. */
  isEmpty(): boolean;
  invalidateAll(): void;
  invalidateWorkspaces(workspaceIds: ReadonlySet<string>): void;
};

/** Returns the way to stop listening. */
export function listenForChanges(
  database: Pick<Database, "listen" | "listFollowingWorkspaces">,
  endings: InvalidatableCache,
): () => void {
  let changed = new Set<string>();
  let isLooking = false;

  async function lookUp(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (changed.size > 0) {
      const listingIds = [...changed];
      changed = new Set();
      try {
        endings.invalidateWorkspaces(new Set(await database.listFollowingWorkspaces(listingIds)));
      } catch {
        // Whom it concerns can't be told: everybody. The reason is logged by whoever needs an answer.
        endings.invalidateAll();
      }
    }
    isLooking = false;
  }

  const stopReviews = database.listen("reviews", (listingId) => {
    if (endings.isEmpty()) return;
    if (listingId === "") return endings.invalidateAll();
    changed.add(listingId);
    void lookUp();
  });
  const stopApps = database.listen("apps", (workspaceId) => {
    if (workspaceId === "") endings.invalidateAll();
    else endings.invalidateWorkspaces(new Set([workspaceId]));
  });
  return () => {
    stopReviews();
    stopApps();
  };
}
