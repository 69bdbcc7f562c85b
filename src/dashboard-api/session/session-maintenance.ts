// Deletes what has expired, by the hour: sessions, links, invitations and counted sign-in attempts. Not after a
// sign-in: while an attacker guesses, no sign-in cleans up, and the attempts would pile up.
import { hourMs } from "../../lib/timestamp.ts";
import { startWorkerLoop, type WorkerLoop } from "../../lib/worker-loop.ts";
import type { DashboardDeps } from "../deps.ts";
import { idleMs } from "./sessions.ts";

export function startSessionMaintenance(
  deps: Pick<DashboardDeps, "clock" | "log" | "database">,
): WorkerLoop {
  const { clock, log, database } = deps;
  return startWorkerLoop({
    name: "session maintenance",
    log,
    async runRound() {
      const now = clock.now();
      await database.deleteExpiredSessions({ now, idleSince: new Date(now.getTime() - idleMs) });
      await database.deleteEndedLinks(now);
      await database.deleteEndedSignInLinks({ now });
      return hourMs;
    },
  });
}
