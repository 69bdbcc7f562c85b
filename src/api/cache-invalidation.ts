// News that end answers early. News of a listing concern the workspaces that follow it; they are looked
// up for many listings at once.
import type { Database } from "../database/database.ts";

export type Endings = {
  /** Without any answer there is nothing to look up. */
  isEmpty(): boolean;
  endAll(): void;
  endOf(workspaceIds: ReadonlySet<string>): void;
};

/** Returns the way to stop listening. */
export function listenForNews(
  database: Pick<Database, "listen" | "listFollowers">,
  endings: Endings,
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
        endings.endOf(new Set(await database.listFollowers(listingIds)));
      } catch {
        // Whom it concerns can't be told: everybody. The reason is logged by whoever needs an answer.
        endings.endAll();
      }
    }
    isLooking = false;
  }

  const stopReviews = database.listen("reviews", (listingId) => {
    if (endings.isEmpty()) return;
    if (listingId === "") return endings.endAll();
    changed.add(listingId);
    void lookUp();
  });
  const stopApps = database.listen("apps", (workspaceId) => {
    if (workspaceId === "") endings.endAll();
    else endings.endOf(new Set([workspaceId]));
  });
  return () => {
    stopReviews();
    stopApps();
  };
}
