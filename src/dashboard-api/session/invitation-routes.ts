// How people come in: the first by the set-up link, all others by invitation.
import { z } from "zod";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { joinAs, joinAsNewPerson, lookAtInvitation } from "../../use-cases/members/members.ts";
import { claimSetup, lookAtSetup } from "../../use-cases/members/setup.ts";
import { type ConsoleRoute, route } from "../dashboard-route.ts";
import type { ConsoleRooms } from "../deps.ts";
import { email, passwordText, shortText, token } from "../fields.ts";
import { beginSession, showSignedIn } from "./routes.ts";
import { countLinkTry } from "./sign-in.ts";

const person = { name: shortText, email, password: passwordText };

export const joinRoutes: readonly ConsoleRoute[] = [
  route("POST /setup/look", {
    admits: "anyone",
    body: z.strictObject({ token }),
    answer: ({ deps, caller, body }) =>
      withTries({ deps, address: caller.address }, () => lookAtSetup(setupRooms(deps), body.token)),
  }),
  route("POST /setup", {
    admits: "anyone",
    body: z.strictObject({ ...person, token, workspaceName: shortText.nullable() }),
    async answer(asked) {
      const { deps, caller, body } = asked;
      const { userId } = await withTries({ deps, address: caller.address }, () =>
        claimSetup(setupRooms(deps), body),
      );
      return beginSession(asked, userId);
    },
  }),
  route("POST /join/look", {
    admits: "anyone",
    body: z.strictObject({ token }),
    async answer({ deps, caller, body }) {
      const found = await withTries({ deps, address: caller.address }, () =>
        lookAtInvitation(deps, body.token),
      );
      const { workspaceName, role, invitedBy, email, endsAt } = found;
      return { workspaceName, role, invitedBy, email, endsAt: formatTimestamp(endsAt) };
    },
  }),
  route("POST /join/sign-up", {
    admits: "anyone",
    body: z.strictObject({ ...person, token }),
    async answer(asked) {
      const { deps, caller, body } = asked;
      const { userId } = await withTries({ deps, address: caller.address }, () =>
        joinAsNewPerson(deps, body),
      );
      return beginSession(asked, userId);
    },
  }),
  route("POST /join/accept", {
    admits: "person",
    body: z.strictObject({ token }),
    async answer({ deps, caller, me, body }) {
      await withTries({ deps, address: caller.address }, () =>
        joinAs(deps, { user: me.user, token: body.token }),
      );
      const user = await deps.database.findUser(me.user.id);
      return showSignedIn(deps, { user: user ?? me.user });
    },
  }),
];

function setupRooms({ clock, database, settings }: ConsoleRooms) {
  return { clock, database, defaultPlan: settings.defaultPlan };
}

/** What fails is counted against the address; what is right is not. */
async function withTries<T>(
  by: { deps: ConsoleRooms; address: string },
  work: () => Promise<T>,
): Promise<T> {
  const tries = await countLinkTry(by.deps, by.address);
  const done = await work();
  await tries.forgive();
  return done;
}
