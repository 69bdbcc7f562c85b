// Signing in and out, the user's own account and sessions.
import { browserName } from "../../domain/people/browser-name.ts";
import { passwordSchema } from "../../domain/people/user-input.ts";
import { ownedWorkspacesMaxDefault } from "../../domain/people/workspace.ts";
import { notFound, parseField } from "../../domain/validation-errors.ts";
import { hashPassword } from "../../use-cases/accounts/password-hash.ts";
import {
  changeOwnPassword,
  endOtherSessions,
  endSession,
  renameUser,
} from "../../use-cases/accounts/sessions.ts";
import { chosenWorkspace, passwordChange, signIn, userChange } from "../contract/requests.ts";
import type { Session, SignedIn } from "../contract/session.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { createNotices } from "../notices.ts";
import { createBrowserToken, readBrowserToken } from "../session/browser-token.ts";
import type { Cookies } from "../session/cookies.ts";
import { checkPassword } from "../session/identity.ts";
import type { ClientInfo, NewSession, Sessions, SignedInUser } from "../session/sessions.ts";
import { checkSignIn } from "../session/sign-in.ts";
import { show } from "../show.ts";

export const sessionRoutes: readonly DashboardRoute[] = [
  route("GET /session", {
    access: "anyone",
    async handle({ deps, me }): Promise<Session> {
      if (me) return toSignedInView(deps, me);
      return { state: (await deps.database.hasUsers()) ? "signed_out" : "unclaimed" };
    },
  }),
  route("POST /session/sign-in", {
    access: "anyone",
    needsPasswords: true,
    body: signIn,
    async handle(context) {
      const { deps, body, client, cookies, signal } = context;
      const browserToken = cookies.read("browser");
      const attempt = { ...body, address: client.address, browserToken, signal };
      const checked = await checkSignIn(deps, attempt);
      if (checked === "code_required") return { state: checked };
      const identity = { userId: checked.user.id, checked: checked.checked };
      return beginSession(context, identity);
    },
  }),
  route("POST /session/sign-out", {
    access: "user",
    async handle({ deps, me, cookies }) {
      await endSession(deps, { id: me.session.id, userId: me.user.id });
      cookies.write("session", null);
    },
  }),
  route("POST /session/workspace", {
    access: "user",
    body: chosenWorkspace,
    async handle({ deps, me, body: { workspaceId } }) {
      const userId = me.user.id;
      if (!(await deps.database.findMembership({ userId, workspaceId }))) {
        throw notFound("workspace", workspaceId);
      }
      await deps.database.forWorkspace(workspaceId).setUserWorkspace({ id: userId, workspaceId });
      return toSignedInView(deps, { user: { ...me.user, workspaceId } });
    },
  }),
  route("PATCH /session/user", {
    access: "user",
    body: userChange,
    async handle({ deps, me, body: { name } }) {
      await renameUser(deps, { userId: me.user.id, name });
      return toSignedInView(deps, { user: { ...me.user, name } });
    },
  }),
  route("POST /session/password", {
    access: "user",
    needsPasswords: true,
    isSensitive: true,
    body: passwordChange,
    async handle({ deps, client, signal, me, notices, body }) {
      await changePassword(deps, { ...body, me, address: client.address, signal });
      notices.user(me.user.email, "changed the password of your account");
    },
  }),
  route("GET /session/sessions", {
    access: "user",
    async handle({ deps, me }) {
      const open = await deps.database.listSessions({
        userId: me.user.id,
        now: deps.clock.now(),
        idleSince: deps.sessions.idleSince(),
      });
      return {
        sessions: open.map((session) => ({
          ...show(session, ["id", "startedAt", "endsAt", "address"]),
          browser: browserName(session.browser),
          lastSeenAt: session.seenAt,
          isCurrent: session.id === me.session.id,
        })),
      };
    },
  }),
  route("DELETE /session/sessions/:session", {
    access: "user",
    isSensitive: true,
    async handle({ deps, me, params, cookies }) {
      const { session: id } = params;
      if (!(await endSession(deps, { id, userId: me.user.id }))) {
        throw notFound("session", id);
      }
      if (id === me.session.id) cookies.write("session", null);
    },
  }),
  route("POST /session/sessions/end-others", {
    access: "user",
    isSensitive: true,
    async handle({ deps, me }) {
      return {
        endedCount: await endOtherSessions(deps, { id: me.session.id, userId: me.user.id }),
      };
    },
  }),
];

/**
 * Always a new session, so that its token is unknown to others; the one before ends. Users get an e-mail when a browser
 * signs in that never did.
 */
export async function beginSession(
  context: {
    deps: DashboardDeps & { sessions: Sessions };
    client: ClientInfo;
    me: SignedInUser | null;
    cookies: Cookies;
  },
  identity: NewSession,
): Promise<SignedIn> {
  const { deps, client, me, cookies } = context;
  if (me) await endSession(deps, { id: me.session.id, userId: me.user.id });
  const { token, signedIn } = await deps.sessions.begin(identity, client);
  cookies.write("session", token);
  const { email } = signedIn.user;
  const known = readBrowserToken(deps.signingKey, { token: cookies.read("browser"), email });
  cookies.write("browser", createBrowserToken(deps.signingKey, email));
  const isNewAccount = identity.checked === null;
  if (known === null && !isNewAccount) createNotices(deps, { me: signedIn, client }).newBrowser();
  return toSignedInView(deps, signedIn);
}

export async function toSignedInView(
  { database, settings, ownedWorkspacesMax = ownedWorkspacesMaxDefault }: DashboardDeps,
  { user }: Pick<SignedInUser, "user">,
): Promise<SignedIn> {
  const { id, email, name } = user;
  const workspaces = await database.listMemberships(id);
  const lastUsed = workspaces.find((workspace) => workspace.id === user.workspaceId);
  const ownedCount = workspaces.filter(({ role }) => role === "owner").length;
  return {
    state: "signed_in",
    user: { id, email, name },
    workspaces,
    workspaceId: (lastUsed ?? workspaces[0])?.id ?? null,
    mayCreateWorkspace: ownedCount > 0 && ownedCount < ownedWorkspacesMax,
    apiUrl: `${settings.publicUrl ?? ""}/api/v1`,
    version: settings.version,
  };
}

/** Ends every other session: one may belong to someone who knows the old password. */
async function changePassword(
  deps: DashboardDeps,
  change: {
    me: SignedInUser;
    currentPassword: string;
    newPassword: string;
    address: string;
    signal: AbortSignal;
  },
): Promise<void> {
  const { user, session } = change.me;
  const password = change.currentPassword;
  const checked = await checkPassword(deps, { ...change, field: "currentPassword", password });
  const newPassword = { field: "newPassword", value: change.newPassword };
  const passwordHash = await hashPassword(parseField(passwordSchema(user), newPassword));
  await changeOwnPassword(deps, {
    userId: user.id,
    sessionId: session.id,
    checkedHash: checked.passwordHash,
    passwordHash,
  });
}
