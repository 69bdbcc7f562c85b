// Recent responses by workspace and request. A response is good for one second at most, and for less when
// its workspace's data change: notifications only ever end it early, so a lost one does no harm.
import type { Database } from "../database/database.ts";
import type { StoredResponse } from "../http/stored-response.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type CacheEntry, createByteLru } from "./byte-lru.ts";
import { listenForChanges } from "./cache-invalidation.ts";

const ttlMs = secondMs;

export type ResponseCacheBounds = {
  /** For responses that were requested again. */
  bytesMax: number;
  /**
   * For responses that were requested once. Few, so that a client that walks through all pages evicts
   * nothing that others request, and pages nobody requests again are gone while they cost little to free.
   */
  onceBytesMax: number;
  /** A bigger response is sent and not cached. */
  responseBytesMax: number;
};

const defaultBounds: ResponseCacheBounds = {
  bytesMax: 20 * 2 ** 20,
  onceBytesMax: 2 ** 20,
  responseBytesMax: 2 ** 19,
};

export type ResponseCache = {
  /**
   * The cached response, or what `create` makes: once for all requests that come meanwhile. It gets the
   * previous response, stale as it may be; if nothing changed it can return the same again.
   */
  find(
    request: { workspaceId: string; requestKey: string },
    create: (previous: StoredResponse | null) => Promise<StoredResponse>,
  ): Promise<StoredResponse>;
  close(): void;
};

export function openResponseCache(options: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "listen" | "listFollowingWorkspaces">;
  bounds?: ResponseCacheBounds;
}): ResponseCache {
  const { clock, bounds = defaultBounds } = options;
  const once = createByteLru(bounds.onceBytesMax);
  const again = createByteLru(bounds.bytesMax);

  function expire(isConcerned: (entry: CacheEntry) => boolean): void {
    for (const lru of [once, again]) {
      for (const entry of lru.list()) if (isConcerned(entry)) entry.expiresAtMs = 0;
    }
  }

  /** An entry that is requested a second time moves to the larger cache. */
  function promote(key: string): CacheEntry | undefined {
    const entry = again.get(key);
    if (entry) return entry;
    const promoted = once.remove(key);
    if (promoted) again.set(key, promoted);
    return promoted;
  }

  function settle(key: string, entry: CacheEntry, response: StoredResponse | null): void {
    const lru = once.get(key) === entry ? once : again;
    // It may have been evicted meanwhile, and another entry may be in its place.
    if (lru.get(key) !== entry) return;
    entry.settled = response;
    if (response && response.byteCount <= bounds.responseBytesMax) lru.set(key, entry);
    else lru.evict(key);
  }

  const close = listenForChanges(options, {
    isEmpty: () => once.isEmpty() && again.isEmpty(),
    invalidateAll: () => expire(() => true),
    invalidateWorkspaces: (workspaceIds) =>
      expire(({ workspaceId }) => workspaceIds.has(workspaceId)),
  });

  return {
    find({ workspaceId, requestKey }, create) {
      const key = `${workspaceId} ${requestKey}`;
      const nowMs = clock.now().getTime();
      const cached = promote(key);
      // A clock that was set back must not keep a response for longer.
      const isFresh = cached && nowMs < cached.expiresAtMs && nowMs >= cached.createdAtMs;
      if (isFresh && cached.response) return cached.response;
      const response = create(cached?.settled ?? null);
      const entry: CacheEntry = {
        response,
        settled: null,
        workspaceId,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + ttlMs,
      };
      (cached ? again : once).set(key, entry);
      response.then(
        (settled) => settle(key, entry, settled),
        () => settle(key, entry, null),
      );
      return response;
    },
    close,
  };
}
