// A place for answers that holds only so many bytes: beyond them the one that was put there first goes.
import type { StoredResponse } from "../http/stored-response.ts";

export type CacheEntry = {
  /** null once it is forgotten. */
  answer: Promise<StoredResponse> | null;
  /** null while it is being made. */
  made: StoredResponse | null;
  workspaceId: string;
  fromMs: number;
  untilMs: number;
};

export type ByteLru = {
  get(name: string): CacheEntry | undefined;
  /** An answer counts with its bytes once it is made: put it there again then. */
  put(name: string, kept: CacheEntry): void;
  /** Hands it over to another shelf. */
  take(name: string): CacheEntry | undefined;
  forget(name: string): void;
  list(): Iterable<CacheEntry>;
  isEmpty(): boolean;
};

export function createByteLru(bytesMax: number): ByteLru {
  const places = new Map<string, { kept: CacheEntry; byteCount: number }>();
  let byteTotal = 0;

  function take(name: string): CacheEntry | undefined {
    const place = places.get(name);
    if (!place) return undefined;
    places.delete(name);
    byteTotal -= place.byteCount;
    return place.kept;
  }

  function forget(name: string): void {
    const kept = take(name);
    if (kept) release(kept);
  }

  return {
    get: (name) => places.get(name)?.kept,
    put(name, kept) {
      const before = take(name);
      if (before && before !== kept) release(before);
      const byteCount = countBytes(name, kept);
      places.set(name, { kept, byteCount });
      byteTotal += byteCount;
      for (const oldest of places.keys()) {
        if (byteTotal <= bytesMax) return;
        forget(oldest);
      }
    },
    take,
    forget,
    *list() {
      for (const { kept } of places.values()) yield kept;
    },
    isEmpty: () => places.size === 0,
  };
}

/**
 * A busy Map leaves copies of its old tables behind, which only a full collection clears. What was
 * forgotten must not hang on to its text until then: that made the process grow by 100 MB.
 */
function release(kept: CacheEntry): void {
  kept.answer = null;
  kept.made = null;
}

function countBytes(name: string, { made }: CacheEntry): number {
  // Twice, for the other forms that stay with it.
  return name.length + (made ? 2 * made.byteCount : 0);
}
