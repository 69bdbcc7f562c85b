// Which workspace an API key belongs to, cached for a second: a burst of requests makes one query for all
// the keys in it. A change notification about keys clears the cache in every process at once.

import type { ApiKeyOwner } from "../database/accounts/api-keys.ts";
import type { Database } from "../database/database.ts";
import { createBatch } from "../lib/batch.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";

/** Notifications can get lost while a connection is down, so entries expire by themselves as well. */
const ttlMs = secondMs;
// Unknown keys are cached too: a client that keeps trying one costs no query each time.
const entriesMax = 10_000;
const batchLimits = { countMax: 1_000, runningMax: 2 };

export type ApiKeyCache = {
  /** By the SHA-256 of the key in base64; null for an unknown, revoked or ended key. */
  find(hash: string): Promise<ApiKeyOwner | null>;
  close(): void;
};

type CacheEntry = { owner: Promise<ApiKeyOwner | null>; expiresAtMs: number };

export function openApiKeyCache({
  clock,
  log,
  database,
}: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "findApiKeyOwners" | "listen">;
}): ApiKeyCache {
  const lookup = createBatch<string, ApiKeyOwner | null>(async (hashes) => {
    const found = await database.findApiKeyOwners({
      hashes: [...new Set(hashes)].map((hash) => Buffer.from(hash, "base64")),
      now: clock.now(),
    });
    const owners = new Map(found.map(({ hash, ...owner }) => [hash.toString("base64"), owner]));
    return hashes.map((hash) => owners.get(hash) ?? null);
  }, batchLimits);
  const entries = new Map<string, CacheEntry>();
  const close = database.listen("keys", (keyId) => {
    entries.clear();
    log.debug({ keyId }, "cleared the API key cache");
  });
  return {
    find(hash) {
      const nowMs = clock.now().getTime();
      const cached = entries.get(hash);
      if (cached && isFresh(cached, nowMs)) return cached.owner;
      // The promise is cached, not its result: a notification that comes during the query drops it too,
      // and a burst shares one query.
      const owner = lookup(hash);
      const entry = { owner, expiresAtMs: nowMs + ttlMs };
      entries.delete(hash);
      entries.set(hash, entry);
      owner.catch(() => {
        if (entries.get(hash) === entry) entries.delete(hash);
      });
      evictOldest(entries, nowMs);
      return owner;
    },
    close,
  };
}

function isFresh(entry: CacheEntry, nowMs: number): boolean {
  // A clock that was set back must not keep an entry for longer.
  return nowMs < entry.expiresAtMs && nowMs >= entry.expiresAtMs - ttlMs;
}

function evictOldest(entries: Map<string, CacheEntry>, nowMs: number): void {
  for (const [hash, entry] of entries) {
    if (entries.size <= entriesMax && isFresh(entry, nowMs)) return;
    entries.delete(hash);
  }
}
