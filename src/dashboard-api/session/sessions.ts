// Sessions of users: each has a token of its own, and ends after 12 hours without use or 30 days in all.

import type { Context } from "hono";
import type { Database } from "../../database/database.ts";
import type { Session, User } from "../../domain/people/user.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs, hourMs, minuteMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { startWorkerLoop, type WorkerLoop } from "../../lib/worker-loop.ts";
import { generateToken, hashToken } from "../../use-cases/accounts/link-token.ts";
import { type CheckedIdentity, startSession } from "../../use-cases/accounts/sessions.ts";
import { endings } from "../../use-cases/endings.ts";
import type { DashboardDeps } from "../deps.ts";

export const sessionMs = 30 * dayMs;
export const idleMs = 12 * hourMs;
/** How precisely the last use is known: never a write per request. */
const touchMs = minuteMs;
const browserLengthMax = 300;

export type SignedInUser = { user: User; session: Session };

/** Where a request comes from, as the list of sessions shows it. */
export type ClientInfo = { address: string; browser: string };

export type NewSession = {
  userId: string;
  checked: CheckedIdentity | null;
  isFromProvider?: boolean;
};

export type Sessions = {
  /**
   * The token goes into the cookie, and nowhere else.
   *
   * @param identity.checked null for an account that was just created
   * @param identity.isFromProvider ends as soon as the settings say for people who came through the provider
   * @throws AppError `unauthorized` when password or second factor have changed since they were checked
   */
  begin(
    identity: NewSession,
    client: ClientInfo,
  ): Promise<{ token: string; signedIn: SignedInUser }>;
  find(token: string | null, client: ClientInfo): Promise<SignedInUser | null>;
  idleSince(): Date;
};

export function createSessions({
  clock,
  database,
  settings,
}: {
  clock: Clock;
  database: Database;
  settings: { providerSessionMs: number };
}): Sessions {
  const idleSince = (): Date => new Date(clock.now().getTime() - idleMs);

  return {
    idleSince,
    async begin({ userId, checked, isFromProvider = false }, client) {
      const now = clock.now();
      const { token, tokenHash } = generateToken();
      const lastsMs = isFromProvider ? settings.providerSessionMs : sessionMs;
      const endsAt = new Date(now.getTime() + lastsMs);
      const times = { startedAt: now, seenAt: now, endsAt, provedAt: now };
      const session = { id: uuidV7(now), userId, ...times, ...client };
      await startSession(
        { clock, database },
        { session: { ...session, tokenHash }, checked, client },
      );
      const user = await database.findUser(userId);
      if (!user) throw new Error("the user of a new session does not exist");
      return { token, signedIn: { user, session } };
    },
    async find(token, client) {
      if (token === null) return null;
      const now = clock.now();
      const tokenHash = hashToken(token);
      const session = await database.findSession({ tokenHash, now, idleSince: idleSince() });
      const user = session && (await database.findUser(session.userId));
      if (!session || !user) return null;
      if (now.getTime() - session.seenAt.getTime() >= touchMs) {
        await database.touchSession({ id: session.id, seenAt: now, address: client.address });
      }
      return { user, session };
    },
  };
}

/** The browser as it names itself: printable ASCII, cut to a bounded length. */
export function browserOf(context: Context): string {
  const userAgent = context.req.header("user-agent") ?? "";
  return userAgent.replace(/[^\x20-\x7e]/g, "").slice(0, browserLengthMax);
}

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
      for (const { withTime } of endings) await withTime?.(database, now);
      await database.deleteEndedSignInLinks({ now });
      return hourMs;
    },
  });
}
