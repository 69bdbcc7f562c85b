// When and how often keys were used, noted in batches: never a write per request, and a lost note is only a
// slightly older time and a smaller count on the API keys page.
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";

const batchMs = 2 * secondMs;
// As many as can sensibly be used within one batch; what is beyond is noted with its next use.
const keysMax = 10_000;

export type ApiKeyUsage = {
  record(keyId: string): void;
  /** Writes what is noted. */
  flush(): Promise<void>;
};

export function createApiKeyUsage(open: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "recordApiKeyUsage">;
}): ApiKeyUsage {
  const noted = new Map<string, { usedAt: Date; requestCount: number }>();
  let timer: NodeJS.Timeout | null = null;

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const uses = [...noted].map(([keyId, use]) => ({ keyId, ...use }));
    noted.clear();
    if (uses.length === 0) return;
    try {
      await open.database.recordApiKeyUsage(uses);
    } catch (error) {
      open.log.warn(
        { reason: String(error), keyCount: uses.length },
        "uses of keys were not noted",
      );
    }
  }

  return {
    record(keyId) {
      const use = noted.get(keyId);
      if (use) {
        use.usedAt = open.clock.now();
        use.requestCount += 1;
      } else if (noted.size < keysMax) {
        noted.set(keyId, { usedAt: open.clock.now(), requestCount: 1 });
      } else return;
      // Unreferenced: a last note must not hold up the end of the process.
      timer ??= setTimeout(() => void flush(), batchMs).unref();
    },
    flush,
  };
}
