// When and how often API keys are used, written in batches: never a write per request. A crash only loses a slightly
// newer time and a few counts on the API keys page.
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";

const batchMs = 2 * secondMs;
// More than can be used within one batch; a key beyond it is recorded with its next use.
const keysMax = 10_000;

type KeyUse = { usedAt: Date; address: string; requestCount: number };

export type ApiKeyUsage = ReturnType<typeof createApiKeyUsage>;

export function createApiKeyUsage({
  clock,
  log,
  database,
}: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "recordApiKeyUsage">;
}) {
  const pending = new Map<string, KeyUse>();
  let timer: NodeJS.Timeout | null = null;

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const uses = [...pending].map(([keyId, use]) => ({ keyId, ...use }));
    pending.clear();
    if (uses.length === 0) return;
    try {
      const { busyIds } = await database.recordApiKeyUsage(uses);
      for (const use of uses) if (busyIds.includes(use.keyId)) add(use);
    } catch (error) {
      log.warn(
        { reason: String(error), keyCount: uses.length },
        "could not record the usage of API keys",
      );
    }
  }

  function add(use: { keyId: string } & KeyUse): void {
    const { keyId, usedAt, address } = use;
    const known = pending.get(keyId);
    if (!known && pending.size >= keysMax) return;
    const requestCount = (known?.requestCount ?? 0) + use.requestCount;
    pending.set(
      keyId,
      known && known.usedAt > usedAt
        ? { ...known, requestCount }
        : { usedAt, address, requestCount },
    );
    // Unreferenced: the last batch must not delay the end of the process.
    timer ??= setTimeout(() => void flush(), batchMs).unref();
  }

  return {
    record: (use: { keyId: string; address: string }): void =>
      add({ ...use, usedAt: clock.now(), requestCount: 1 }),
    /** Writes what was recorded since the last batch. */
    flush,
  };
}
