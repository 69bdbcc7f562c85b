// Which workspace an API key belongs to, cached for a second: a burst of requests with a key makes one query. A change
// notification about keys clears the cache in every process at once.
import type { ApiKeyOwner } from "../database/accounts/api-keys.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";

/** Notifications can get lost while a connection is down, so entries expire by themselves as well. */
const ttlMs = secondMs;
// Unknown keys are cached too: a client that keeps trying one costs no query each time.
const entriesMax = 10_000;

export type ApiKeyCache = ReturnType<typeof openApiKeyCache>;

export function openApiKeyCache({
  clock,
  log,
  database,
}: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "findApiKeyOwners" | "listen">;
}) {
  // The promise is cached, not its result: a notification that arrives during the query drops it too.
  const entries = new Map<string, { owner: Promise<ApiKeyOwner | null>; readAtMs: number }>();
  const close = database.listen("keys", (keyId) => {
    entries.clear();
    log.debug({ keyId }, "cleared the API key cache");
  });

  async function load(hash: string, now: Date): Promise<ApiKeyOwner | null> {
    const hashes = [Buffer.from(hash, "base64")];
    const [found] = await database.findApiKeyOwners({ hashes, now });
    if (!found) return null;
    const { hash: _, ...owner } = found;
    return owner;
  }

  return {
    /** By the SHA-256 of the key in base64; null for an unknown, revoked or ended key. */
    find(hash: string): Promise<ApiKeyOwner | null> {
      const now = clock.now();
      const readAtMs = now.getTime();
      const cached = entries.get(hash);
      // A clock that was set back must not keep an entry for longer.
      if (cached && Math.abs(readAtMs - cached.readAtMs) < ttlMs) return cached.owner;
      if (entries.size >= entriesMax) entries.clear();
      const entry = { owner: load(hash, now), readAtMs };
      entries.set(hash, entry);
      entry.owner.catch(() => {
        if (entries.get(hash) === entry) entries.delete(hash);
      });
      return entry.owner;
    },
    close,
  };
}
