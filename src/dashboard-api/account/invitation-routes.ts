// How users get an account: the first by the set-up link, all others by invitation.
import {
  acceptInvitation,
  acceptInvitationAsNewUser,
  requireInvitation,
} from "../../use-cases/accounts/members.ts";
import { completeSetup, findSetup } from "../../use-cases/accounts/setup.ts";
import { firstAccount, linkToken, newAccount } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { withLinkLimit } from "../session/sign-in.ts";
import { show } from "../show.ts";
import { beginSession, toSignedInView } from "./routes.ts";

export const invitationRoutes: readonly DashboardRoute[] = [
  route("POST /setup/look", {
    access: "anyone",
    body: linkToken,
    handle: ({ deps, client, body }) =>
      withLinkLimit(deps, client, () => findSetup(toSetupDeps(deps), body.token)),
  }),
  route("POST /setup", {
    access: "anyone",
    body: firstAccount,
    async handle(context) {
      const { deps, client, body } = context;
      const { userId } = await withLinkLimit(deps, client, () =>
        completeSetup(toSetupDeps(deps), body),
      );
      return beginSession(context, { userId, checked: null });
    },
  }),
  route("POST /join/look", {
    access: "anyone",
    body: linkToken,
    async handle({ deps, client, body }) {
      const invitation = await withLinkLimit(deps, client, () =>
        requireInvitation(deps, body.token),
      );
      return show(invitation, ["workspaceName", "role", "invitedBy", "email", "endsAt"]);
    },
  }),
  route("POST /join/sign-up", {
    access: "anyone",
    needsPasswords: true,
    body: newAccount,
    async handle(context) {
      const { deps, client, body } = context;
      const { userId, invitation } = await withLinkLimit(deps, client, () =>
        acceptInvitationAsNewUser(deps, body),
      );
      context.notices.accepted(invitation, body);
      return beginSession(context, { userId, checked: null });
    },
  }),
  route("POST /join/accept", {
    access: "user",
    body: linkToken,
    async handle({ deps, client, me, notices, body }) {
      const invitation = await withLinkLimit(deps, client, () =>
        acceptInvitation(deps, { user: me.user, token: body.token }),
      );
      notices.accepted(invitation, me.user);
      const user = await deps.database.findUser(me.user.id);
      return toSignedInView(deps, { user: user ?? me.user });
    },
  }),
];

function toSetupDeps({ clock, database, settings }: DashboardDeps) {
  return { clock, database, defaultPlan: settings.defaultPlan };
}
