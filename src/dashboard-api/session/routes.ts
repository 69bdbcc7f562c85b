// Signing in and out, one's own account and sessions.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { passwordSchema, userNameSchema } from "../../domain/user-input.ts";
import { notFound, parseField } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { hashPassword, isPassword } from "../../use-cases/members/password-hash.ts";
import type { ClientInfo } from "../client-info.ts";
import type { Session, SignedIn } from "../contract/session.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { email, passwordText, shortText } from "../fields.ts";
import type { Sessions, SignedInUser } from "./sessions.ts";
import { checkSignIn, countPasswordCheck } from "./sign-in.ts";

export const sessionRoutes: readonly DashboardRoute[] = [
  route("GET /session", {
    access: "anyone",
    async answer({ deps, currentUser: me }): Promise<Session> {
      if (me) return toSignedInView(deps, me);
      return { state: (await deps.database.hasUsers()) ? "signed_out" : "unclaimed" };
    },
  }),
  route("POST /session/sign-in", {
    access: "anyone",
    body: z.strictObject({ email, password: passwordText }),
    async answer(asked) {
      const { deps, body, client: caller } = asked;
      const user = await checkSignIn(deps, { ...body, address: caller.address });
      return beginSession(asked, user.id);
    },
  }),
  route("POST /session/sign-out", {
    access: "person",
    async answer({ deps, me, signIn }) {
      await deps.database.endSession({ id: me.session.id, userId: me.user.id });
      signIn(null);
      return {};
    },
  }),
  route("POST /session/workspace", {
    access: "person",
    body: z.strictObject({ workspaceId: z.uuid() }),
    async answer({ deps, me, body: { workspaceId } }) {
      const userId = me.user.id;
      if (!(await deps.database.findMembership({ userId, workspaceId }))) {
        throw notFound("workspace", workspaceId);
      }
      await deps.database.setUserWorkspace({ id: userId, workspaceId });
      return toSignedInView(deps, { user: { ...me.user, workspaceId } });
    },
  }),
  route("PATCH /session/user", {
    access: "person",
    body: z.strictObject({ name: shortText }),
    async answer({ deps, me, body }) {
      const name = parseField(userNameSchema, { field: "name", value: body.name });
      await deps.database.setUserName({ id: me.user.id, name });
      return toSignedInView(deps, { user: { ...me.user, name } });
    },
  }),
  route("POST /session/password", {
    access: "person",
    body: z.strictObject({ currentPassword: passwordText, newPassword: passwordText }),
    async answer({ deps, me, body }) {
      await changePassword(deps, { ...body, me });
      return {};
    },
  }),
  route("GET /session/sessions", {
    access: "person",
    async answer({ deps, sessions, me }) {
      const found = await deps.database.listSessions({
        userId: me.user.id,
        now: deps.clock.now(),
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
    access: "person",
    async answer({ deps, me, params, signIn }) {
      const { session: id } = params;
      if (!(await deps.database.endSession({ id, userId: me.user.id }))) {
        throw notFound("session", id);
      }
      if (id === me.session.id) signIn(null);
      return {};
    },
  }),
  route("POST /session/sessions/end-others", {
    access: "person",
    async answer({ deps, me }) {
      const ended = { userId: me.user.id, exceptId: me.session.id };
      return { endedCount: await deps.database.endSessions(ended) };
    },
  }),
];

/** A fresh session, whatever was there before: nobody else can know its token. */
export async function beginSession(
  asked: {
    deps: DashboardDeps;
    sessions: Sessions;
    caller: ClientInfo;
    me: SignedInUser | null;
    signIn(token: string | null): void;
  },
  userId: string,
): Promise<SignedIn> {
  const { deps, me } = asked;
  if (me) await deps.database.endSession({ id: me.session.id, userId: me.user.id });
  const { token, person } = await asked.sessions.begin(userId, asked.caller);
  asked.signIn(token);
  return toSignedInView(deps, person);
}

export async function toSignedInView(
  { database, settings }: DashboardDeps,
  { user }: Pick<SignedInUser, "user">,
): Promise<SignedIn> {
  const { id, email, name } = user;
  const workspaces = await database.listMemberships(id);
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
  deps: DashboardDeps,
  change: { me: SignedInUser; currentPassword: string; newPassword: string },
): Promise<void> {
  const { user, session } = change.me;
  const tries = await countPasswordCheck(deps, user.id);
  const known = await deps.database.findUserByEmail(user.email);
  if (!known || !(await isPassword(change.currentPassword, known.passwordHash))) {
    throw new AppError("invalid_input", "the current password is wrong", {
      fields: [{ field: "currentPassword", message: "is wrong" }],
    });
  }
  await tries.reset();
  const newPassword = { field: "newPassword", value: change.newPassword };
  const passwordHash = await hashPassword(parseField(passwordSchema(user), newPassword));
  await deps.database.transaction(async (tx) => {
    await tx.setPasswordHash({ id: user.id, passwordHash });
    await tx.endSessions({ userId: user.id, exceptId: session.id });
  });
}
