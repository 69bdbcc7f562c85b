// Who holds a key, remembered for a second: a burst of requests asks the database once, for all the keys
// it comes with. News about keys empties the memory at once, in every process.

import type { Database } from "../database/database.ts";
import type { ApiKeyOwner } from "../database/repositories/api-keys.ts";
import type { Clock } from "../lib/clock.ts";
import { secondMs } from "../lib/timestamp.ts";

/** News can get lost while a connection is down, so memory ends by itself as well. */
const ttlMs = secondMs;
// Unknown keys are remembered too: a client that keeps trying one costs no query each time.
const entriesMax = 10_000;

export type ApiKeyCache = {
  /** By the SHA-256 of the key in base64. */
  find(hash: string): Promise<ApiKeyOwner | null>;
  close(): void;
};

type CacheEntry = { holder: Promise<ApiKeyOwner | null>; untilMs: number };

export function openApiKeyCache(open: {
  clock: Clock;
  database: Pick<Database, "findApiKeyOwners" | "listen">;
}): ApiKeyCache {
  const lookUp = createBatchedLookup(open.database);
  const remembered = new Map<string, CacheEntry>();
  const close = open.database.listen("keys", () => remembered.clear());
  return {
    find(hash) {
      const nowMs = open.clock.now().getTime();
      const known = remembered.get(hash);
      if (known && isFresh(known, nowMs)) return known.holder;
      // The promise is remembered, not its answer: news that comes while the query is under way
      // drops it too, and a burst shares one query.
      const holder = lookUp(hash);
      const entry = { holder, untilMs: nowMs + ttlMs };
      remembered.delete(hash);
      remembered.set(hash, entry);
      holder.catch(() => {
        if (remembered.get(hash) === entry) remembered.delete(hash);
      });
      evictOldest(remembered, nowMs);
      return holder;
    },
    close,
  };
}

type Batch = { hashes: Set<string>; holders: Promise<Map<string, ApiKeyOwner>> };

/** Keys that are asked for at the same moment share one query. */
function createBatchedLookup(
  database: Pick<Database, "findApiKeyOwners">,
): (hash: string) => Promise<ApiKeyOwner | null> {
  let gathering: Batch | null = null;

  function gather(): Batch {
    const hashes = new Set<string>();
    // Once the requests that arrived together were all looked at.
    const isComplete = new Promise<void>((resolve) => setImmediate(resolve));
    const holders = isComplete.then(async () => {
      gathering = null;
      const found = await database.findApiKeyOwners(
        [...hashes].map((hash) => Buffer.from(hash, "base64")),
      );
      return new Map(found.map(({ hash, ...holder }) => [hash.toString("base64"), holder]));
    });
    return { hashes, holders };
  }

  return async (hash) => {
    gathering ??= gather();
    gathering.hashes.add(hash);
    const holders = await gathering.holders;
    return holders.get(hash) ?? null;
  };
}

function isFresh(entry: CacheEntry, nowMs: number): boolean {
  // A clock that was set back must not keep an entry for longer.
  return nowMs < entry.untilMs && nowMs >= entry.untilMs - ttlMs;
}

function evictOldest(remembered: Map<string, CacheEntry>, nowMs: number): void {
  for (const [name, entry] of remembered) {
    if (remembered.size <= entriesMax && isFresh(entry, nowMs)) return;
    remembered.delete(name);
  }
}
