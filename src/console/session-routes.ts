// Signing in and out, one's own account and sessions.
import { z } from "zod";
import { formatTimestamp } from "../lib/timestamp.ts";
import { hashPassword, isPassword } from "../manage/password-hash.ts";
import { checkPassword, personLimits } from "../manage/person-choice.ts";
import { notFound, readName, refuseFaults } from "../manage/refusal.ts";
import { AppError } from "../reviews/error.ts";
import type { Caller } from "./caller.ts";
import { type ConsoleRoute, route } from "./console-route.ts";
import type { Session, SignedIn } from "./contract/session.ts";
import { email, passwordText, shortText } from "./fields.ts";
import type { ConsoleRooms } from "./rooms.ts";
import type { Person, Sessions } from "./sessions.ts";
import { checkSignIn, countProof } from "./sign-in.ts";

export const sessionRoutes: readonly ConsoleRoute[] = [
  route("GET /session", {
    admits: "anyone",
    async answer({ rooms, me }): Promise<Session> {
      if (me) return showSignedIn(rooms, me);
      return { state: (await rooms.keep.hasUsers()) ? "signed_out" : "unclaimed" };
    },
  }),
  route("POST /session/sign-in", {
    admits: "anyone",
    body: z.strictObject({ email, password: passwordText }),
    async answer(asked) {
      const { rooms, body, caller } = asked;
      const user = await checkSignIn(rooms, { ...body, address: caller.address });
      return beginSession(asked, user.id);
    },
  }),
  route("POST /session/sign-out", {
    admits: "person",
    async answer({ rooms, me, signIn }) {
      await rooms.keep.endSession({ id: me.session.id, userId: me.user.id });
      signIn(null);
      return {};
    },
  }),
  route("POST /session/workspace", {
    admits: "person",
    body: z.strictObject({ workspaceId: z.uuid() }),
    async answer({ rooms, me, body: { workspaceId } }) {
      const userId = me.user.id;
      if (!(await rooms.keep.findMembership({ userId, workspaceId }))) {
        throw notFound("workspace", workspaceId);
      }
      await rooms.keep.setUserWorkspace({ id: userId, workspaceId });
      return showSignedIn(rooms, { user: { ...me.user, workspaceId } });
    },
  }),
  route("PATCH /session/user", {
    admits: "person",
    body: z.strictObject({ name: shortText }),
    async answer({ rooms, me, body }) {
      const limits = { field: "name", lengthMax: personLimits.nameMax };
      const { name, faults } = readName(body.name, limits);
      refuseFaults(faults);
      await rooms.keep.setUserName({ id: me.user.id, name });
      return showSignedIn(rooms, { user: { ...me.user, name } });
    },
  }),
  route("POST /session/password", {
    admits: "person",
    body: z.strictObject({ currentPassword: passwordText, newPassword: passwordText }),
    async answer({ rooms, me, body }) {
      await changePassword(rooms, { ...body, me });
      return {};
    },
  }),
  route("GET /session/sessions", {
    admits: "person",
    async answer({ rooms, sessions, me }) {
      const found = await rooms.keep.listSessions({
        userId: me.user.id,
        now: rooms.clock.now(),
        idleSince: sessions.idleSince(),
      });
      return {
        sessions: found.map(({ id, startedAt, seenAt, endsAt, address, browser }) => ({
          id,
          startedAt: formatTimestamp(startedAt),
          lastSeenAt: formatTimestamp(seenAt),
          endsAt: formatTimestamp(endsAt),
          address,
          browser,
          isCurrent: id === me.session.id,
        })),
      };
    },
  }),
  route("DELETE /session/sessions/:session", {
    admits: "person",
    async answer({ rooms, me, params, signIn }) {
      const { session: id } = params;
      if (!(await rooms.keep.endSession({ id, userId: me.user.id }))) {
        throw notFound("session", id);
      }
      if (id === me.session.id) signIn(null);
      return {};
    },
  }),
  route("POST /session/sessions/end-others", {
    admits: "person",
    async answer({ rooms, me }) {
      const ended = { userId: me.user.id, exceptId: me.session.id };
      return { endedCount: await rooms.keep.endSessions(ended) };
    },
  }),
];

/** A fresh session, whatever was there before: nobody else can know its token. */
export async function beginSession(
  asked: {
    rooms: ConsoleRooms;
    sessions: Sessions;
    caller: Caller;
    me: Person | null;
    signIn(token: string | null): void;
  },
  userId: string,
): Promise<SignedIn> {
  const { rooms, me } = asked;
  if (me) await rooms.keep.endSession({ id: me.session.id, userId: me.user.id });
  const { token, person } = await asked.sessions.begin(userId, asked.caller);
  asked.signIn(token);
  return showSignedIn(rooms, person);
}

export async function showSignedIn(
  { keep, settings }: ConsoleRooms,
  { user }: Pick<Person, "user">,
): Promise<SignedIn> {
  const { id, email, name } = user;
  const workspaces = await keep.listMemberships(id);
  const last = workspaces.find((workspace) => workspace.id === user.workspaceId);
  return {
    state: "signed_in",
    user: { id, email, name },
    workspaces,
    workspaceId: (last ?? workspaces[0])?.id ?? null,
    apiUrl: `${settings.publicUrl ?? ""}/api/v1`,
    version: settings.version,
  };
}

/** Whoever knew the old one is out: every other session ends. */
async function changePassword(
  rooms: ConsoleRooms,
  change: { me: Person; currentPassword: string; newPassword: string },
): Promise<void> {
  const { user, session } = change.me;
  const tries = await countProof(rooms, user.id);
  const known = await rooms.keep.findUserByEmail(user.email);
  if (!known || !(await isPassword(change.currentPassword, known.passwordHash))) {
    throw new AppError("invalid_input", "the current password is wrong", {
      fields: [{ field: "currentPassword", message: "is wrong" }],
    });
  }
  await tries.forgive();
  const { email, name } = user;
  refuseFaults(checkPassword("newPassword", { password: change.newPassword, email, name }));
  const passwordHash = await hashPassword(change.newPassword);
  await rooms.keep.transaction(async (tx) => {
    await tx.setPasswordHash({ id: user.id, passwordHash });
    await tx.endSessions({ userId: user.id, exceptId: session.id });
  });
}
