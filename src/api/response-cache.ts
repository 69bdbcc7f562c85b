// The bytes of recent answers, by workspace and question. An answer is good for one second at most, and
// shorter when its workspace's data change: news only ever end it early, so lost news do no harm.
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type CacheEntry, createByteLru } from "./byte-lru.ts";
import { listenForChanges } from "./cache-invalidation.ts";
import type { StoredResponse } from "../http/stored-response.ts";

const freshMs = secondMs;

export type ResponseCacheBounds = {
  /** For answers that were asked for again. */
  bytesMax: number;
  /**
   * For answers that were asked for once. Few, so that who walks through all pages pushes out nothing
   * that others ask for, and pages nobody asks for again are gone while they cost little to forget.
   */
  onceBytesMax: number;
  /** A bigger answer is sent and not kept. */
  responseBytesMax: number;
};

const defaultBounds: ResponseCacheBounds = {
  bytesMax: 20 * 2 ** 20,
  onceBytesMax: 2 ** 20,
  responseBytesMax: 2 ** 19,
};

export type ResponseCache = {
  /**
   * The answer that is kept, or what `make` makes: once for all who ask meanwhile. It is handed what
   * was answered before, stale as it may be; if nothing changed it can return the same again.
   */
  find(
    asked: { workspaceId: string; requestKey: string },
    make: (before: StoredResponse | null) => Promise<StoredResponse>,
  ): Promise<StoredResponse>;
  close(): void;
};

export function openResponseCache(open: {
  clock: Clock;
  database: Pick<Database, "listen" | "listFollowingWorkspaces">;
  bounds?: ResponseCacheBounds;
}): ResponseCache {
  const { clock, database, bounds = defaultBounds } = open;
  const once = createByteLru(bounds.onceBytesMax);
  const again = createByteLru(bounds.bytesMax);

  function endAll(isConcerned: (kept: CacheEntry) => boolean): void {
    for (const shelf of [once, again]) {
      for (const kept of shelf.list()) if (isConcerned(kept)) kept.untilMs = 0;
    }
  }

  /** What is kept under a name moves to those that were asked for again. */
  function promote(name: string): CacheEntry | undefined {
    const known = again.get(name);
    if (known) return known;
    const askedOnce = once.take(name);
    if (askedOnce) again.put(name, askedOnce);
    return askedOnce;
  }

  function settle(name: string, made: { kept: CacheEntry; answer: StoredResponse | null }): void {
    const shelf = once.get(name) === made.kept ? once : again;
    // News or the bounds may have ended it meanwhile, and another may be in its place.
    if (shelf.get(name) !== made.kept) return;
    made.kept.made = made.answer;
    if (made.answer && made.answer.byteCount <= bounds.responseBytesMax) {
      shelf.put(name, made.kept);
    } else shelf.forget(name);
  }

  const close = listenForChanges(database, {
    isEmpty: () => once.isEmpty() && again.isEmpty(),
    invalidateAll: () => endAll(() => true),
    invalidateWorkspaces: (workspaceIds) => endAll(({ workspaceId }) => workspaceIds.has(workspaceId)),
  });

  return {
    find({ workspaceId, requestKey: question }, make) {
      const name = `${workspaceId} ${question}`;
      const nowMs = clock.now().getTime();
      const known = promote(name);
      // A clock that was set back must not keep an answer for longer.
      const isFresh = known && nowMs < known.untilMs && nowMs >= known.fromMs;
      if (isFresh && known.answer) return known.answer;
      const answer = make(known?.made ?? null);
      const kept = { answer, made: null, workspaceId, fromMs: nowMs, untilMs: nowMs + freshMs };
      (known ? again : once).put(name, kept);
      answer.then(
        (made) => settle(name, { kept, answer: made }),
        () => settle(name, { kept, answer: null }),
      );
      return answer;
    },
    close,
  };
}
