// Sessions of people: begun with a fresh token, found by it, and gone after 7 days without use or 30 days
// in all.
import type { Database } from "../../database/database.ts";
import type { Session, User } from "../../domain/user.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs, hourMs, minuteMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { hashToken, generateToken } from "../../use-cases/members/link-token.ts";
import type { ClientInfo } from "../client-info.ts";

export const sessionMs = 30 * dayMs;
export const idleMs = 7 * dayMs;
/** How exactly the last use is known: never a write per request. */
const touchMs = minuteMs;
const cleanMs = hourMs;

export type SignedInUser = { user: User; session: Session };

export type Sessions = {
  /** The token goes into the cookie, and nowhere else. */
  begin(userId: string, caller: ClientInfo): Promise<{ token: string; person: SignedInUser }>;
  find(token: string, caller: ClientInfo): Promise<SignedInUser | null>;
  idleSince(): Date;
};

export function createSessions({ clock, database }: { clock: Clock; database: Database }): Sessions {
  const idleSince = (): Date => new Date(clock.now().getTime() - idleMs);
  let cleanedAt = 0;

  async function cleanUp(now: Date): Promise<void> {
    if (now.getTime() - cleanedAt < cleanMs) return;
    cleanedAt = now.getTime();
    await database.deleteExpiredSessions({ now, idleSince: idleSince() });
  }

  return {
    idleSince,
    async begin(userId, caller) {
      const now = clock.now();
      await cleanUp(now);
      const { token, tokenHash } = generateToken();
      const endsAt = new Date(now.getTime() + sessionMs);
      const id = uuidV7(now);
      const session = { id, userId, startedAt: now, seenAt: now, endsAt, ...caller };
      await database.insertSession({ ...session, tokenHash });
      const user = await database.findUser(userId);
      if (!user) throw new Error("a session was begun for nobody");
      return { token, person: { user, session } };
    },
    async find(token, caller) {
      const now = clock.now();
      const tokenHash = hashToken(token);
      const session = await database.findSession({ tokenHash, now, idleSince: idleSince() });
      const user = session && (await database.findUser(session.userId));
      if (!session || !user) return null;
      if (now.getTime() - session.seenAt.getTime() >= touchMs) {
        await database.touchSession({ id: session.id, seenAt: now, address: caller.address });
      }
      return { user, session };
    },
  };
}
