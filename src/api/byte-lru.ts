// A cache bounded by bytes: beyond the bound, the entry that was added first is evicted.
import type { StoredResponse } from "../http/stored-response.ts";

export type CacheEntry = {
  /** null once it was evicted. */
  response: Promise<StoredResponse> | null;
  /** The response once it was made; null until then. */
  settled: StoredResponse | null;
  workspaceId: string;
  createdAtMs: number;
  expiresAtMs: number;
};

export type ByteLru = {
  get(key: string): CacheEntry | undefined;
  /** A response counts with its bytes once it was made: add it again then. */
  set(key: string, entry: CacheEntry): void;
  /** Removes and returns it, still usable. */
  remove(key: string): CacheEntry | undefined;
  evict(key: string): void;
  list(): Iterable<CacheEntry>;
  isEmpty(): boolean;
};

export function createByteLru(bytesMax: number): ByteLru {
  const slots = new Map<string, { entry: CacheEntry; byteCount: number }>();
  let byteTotal = 0;

  function remove(key: string): CacheEntry | undefined {
    const slot = slots.get(key);
    if (!slot) return undefined;
    slots.delete(key);
    byteTotal -= slot.byteCount;
    return slot.entry;
  }

  function evict(key: string): void {
    const entry = remove(key);
    if (entry) release(entry);
  }

  return {
    get: (key) => slots.get(key)?.entry,
    set(key, entry) {
      const previous = remove(key);
      if (previous && previous !== entry) release(previous);
      const byteCount = countBytes(key, entry);
      slots.set(key, { entry, byteCount });
      byteTotal += byteCount;
      for (const oldest of slots.keys()) {
        if (byteTotal <= bytesMax) return;
        evict(oldest);
      }
    },
    remove,
    evict,
    *list() {
      for (const { entry } of slots.values()) yield entry;
    },
    isEmpty: () => slots.size === 0,
  };
}

/**
 * A busy Map leaves copies of its old tables behind, which only a full collection frees. An evicted entry
 * must not hold its text until then: that made the process grow by 100 MB.
 */
function release(entry: CacheEntry): void {
  entry.response = null;
  entry.settled = null;
}

function countBytes(key: string, { settled }: CacheEntry): number {
  // Twice, for the compressed forms that stay with it.
  return key.length + (settled ? 2 * settled.byteCount : 0);
}
