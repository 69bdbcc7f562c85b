// How people come in: the first by the set-up link, all others by invitation.
import { z } from "zod";
import { formatTimestamp } from "../lib/timestamp.ts";
import { joinAs, joinAsNewPerson, lookAtInvitation } from "../manage/members.ts";
import { claimSetup, lookAtSetup } from "../manage/setup.ts";
import { type ConsoleRoute, route } from "./console-route.ts";
import { email, passwordText, shortText, token } from "./fields.ts";
import type { ConsoleRooms } from "./rooms.ts";
import { beginSession, showSignedIn } from "./session-routes.ts";
import { countLinkTry } from "./sign-in.ts";

const person = { name: shortText, email, password: passwordText };

export const joinRoutes: readonly ConsoleRoute[] = [
  route("POST /setup/look", {
    admits: "anyone",
    body: z.strictObject({ token }),
    answer: ({ rooms, caller, body }) =>
      withTries({ rooms, address: caller.address }, () =>
        lookAtSetup(setupRooms(rooms), body.token),
      ),
  }),
  route("POST /setup", {
    admits: "anyone",
    body: z.strictObject({ ...person, token, workspaceName: shortText.nullable() }),
    async answer(asked) {
      const { rooms, caller, body } = asked;
      const { userId } = await withTries({ rooms, address: caller.address }, () =>
        claimSetup(setupRooms(rooms), body),
      );
      return beginSession(asked, userId);
    },
  }),
  route("POST /join/look", {
    admits: "anyone",
    body: z.strictObject({ token }),
    async answer({ rooms, caller, body }) {
      const found = await withTries({ rooms, address: caller.address }, () =>
        lookAtInvitation(rooms, body.token),
      );
      const { workspaceName, role, invitedBy, email, endsAt } = found;
      return { workspaceName, role, invitedBy, email, endsAt: formatTimestamp(endsAt) };
    },
  }),
  route("POST /join/sign-up", {
    admits: "anyone",
    body: z.strictObject({ ...person, token }),
    async answer(asked) {
      const { rooms, caller, body } = asked;
      const { userId } = await withTries({ rooms, address: caller.address }, () =>
        joinAsNewPerson(rooms, body),
      );
      return beginSession(asked, userId);
    },
  }),
  route("POST /join/accept", {
    admits: "person",
    body: z.strictObject({ token }),
    async answer({ rooms, caller, me, body }) {
      await withTries({ rooms, address: caller.address }, () =>
        joinAs(rooms, { user: me.user, token: body.token }),
      );
      const user = await rooms.keep.findUser(me.user.id);
      return showSignedIn(rooms, { user: user ?? me.user });
    },
  }),
];

function setupRooms({ clock, keep, settings }: ConsoleRooms) {
  return { clock, keep, defaultPlan: settings.defaultPlan };
}

/** What fails is counted against the address; what is right is not. */
async function withTries<T>(
  by: { rooms: ConsoleRooms; address: string },
  work: () => Promise<T>,
): Promise<T> {
  const tries = await countLinkTry(by.rooms, by.address);
  const done = await work();
  await tries.forgive();
  return done;
}
