// How people come in: the first by the set-up link, all others by invitation.
import { z } from "zod";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { acceptInvitation, acceptInvitationAsNewUser, requireInvitation } from "../../use-cases/members/members.ts";
import { completeSetup, findSetup } from "../../use-cases/members/setup.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { email, passwordText, shortText, token } from "../fields.ts";
import { beginSession, toSignedInView } from "./routes.ts";
import { countLinkAttempt } from "./sign-in.ts";

const person = { name: shortText, email, password: passwordText };

export const invitationRoutes: readonly DashboardRoute[] = [
  route("POST /setup/look", {
    access: "anyone",
    body: z.strictObject({ token }),
    answer: ({ deps, client: caller, body }) =>
      withTries({ deps, address: caller.address }, () => findSetup(setupRooms(deps), body.token)),
  }),
  route("POST /setup", {
    access: "anyone",
    body: z.strictObject({ ...person, token, workspaceName: shortText.nullable() }),
    async answer(asked) {
      const { deps, client: caller, body } = asked;
      const { userId } = await withTries({ deps, address: caller.address }, () =>
        completeSetup(setupRooms(deps), body),
      );
      return beginSession(asked, userId);
    },
  }),
  route("POST /join/look", {
    access: "anyone",
    body: z.strictObject({ token }),
    async answer({ deps, client: caller, body }) {
      const found = await withTries({ deps, address: caller.address }, () =>
        requireInvitation(deps, body.token),
      );
      const { workspaceName, role, invitedBy, email, endsAt } = found;
      return { workspaceName, role, invitedBy, email, endsAt: formatTimestamp(endsAt) };
    },
  }),
  route("POST /join/sign-up", {
    access: "anyone",
    body: z.strictObject({ ...person, token }),
    async answer(asked) {
      const { deps, client: caller, body } = asked;
      const { userId } = await withTries({ deps, address: caller.address }, () =>
        acceptInvitationAsNewUser(deps, body),
      );
      return beginSession(asked, userId);
    },
  }),
  route("POST /join/accept", {
    access: "person",
    body: z.strictObject({ token }),
    async answer({ deps, client: caller, me, body }) {
      await withTries({ deps, address: caller.address }, () =>
        acceptInvitation(deps, { user: me.user, token: body.token }),
      );
      const user = await deps.database.findUser(me.user.id);
      return toSignedInView(deps, { user: user ?? me.user });
    },
  }),
];

function setupRooms({ clock, database, settings }: DashboardDeps) {
  return { clock, database, defaultPlan: settings.defaultPlan };
}

/** What fails is counted against the address; what is right is not. */
async function withTries<T>(
  by: { deps: DashboardDeps; address: string },
  work: () => Promise<T>,
): Promise<T> {
  const tries = await countLinkAttempt(by.deps, by.address);
  const done = await work();
  await tries.reset();
  return done;
}
