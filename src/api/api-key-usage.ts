// When and how often API keys are used, written in batches: never a write per request. A crash only loses a slightly
// newer time and a few counts on the API keys page.
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";

const batchMs = 2 * secondMs;
// More than can be used within one batch; a key beyond it is recorded with its next use.
const keysMax = 10_000;

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
  const pending = new Map<string, { usedAt: Date; address: string; requestCount: number }>();
  let timer: NodeJS.Timeout | null = null;

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const uses = [...pending].map(([keyId, use]) => ({ keyId, ...use }));
    pending.clear();
    if (uses.length === 0) return;
    try {
      await database.recordApiKeyUsage(uses);
    } catch (error) {
      log.warn(
        { reason: String(error), keyCount: uses.length },
        "could not record the usage of API keys",
      );
    }
  }

  return {
    record({ keyId, address }: { keyId: string; address: string }): void {
      const use = pending.get(keyId);
      if (use) {
        use.usedAt = clock.now();
        use.address = address;
        use.requestCount += 1;
      } else if (pending.size < keysMax) {
        pending.set(keyId, { usedAt: clock.now(), address, requestCount: 1 });
      } else return;
      // Unreferenced: the last batch must not delay the end of the process.
      timer ??= setTimeout(() => void flush(), batchMs).unref();
    },
    /** Writes what was recorded since the last batch. */
    flush,
  };
}
