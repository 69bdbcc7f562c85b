// Deletes what has expired, by the hour: sessions, links, invitations and counted sign-in attempts. Not after a
// sign-in: while somebody only guesses, nobody signs in, and the attempts would pile up.
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { systemDelay } from "../../lib/delay.ts";
import type { Log } from "../../lib/log.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { startWorkerLoop, type WorkerLoop } from "../../lib/worker-loop.ts";
import { idleMs } from "./sessions.ts";

export function startSessionMaintenance(deps: {
  clock: Clock;
  log: Log;
  database: Pick<Database, "deleteExpiredSessions">;
}): WorkerLoop {
  const { clock, log, database } = deps;
  return startWorkerLoop({
    name: "session maintenance",
    log,
    delay: systemDelay,
    async runRound() {
      const now = clock.now();
      await database.deleteExpiredSessions({ now, idleSince: new Date(now.getTime() - idleMs) });
      return hourMs;
    },
  });
}
