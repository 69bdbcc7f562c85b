// The user's second factor: set up, confirmed with a first code, given up; and entering the password once more.
import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from "../../use-cases/accounts/second-factor.ts";
import { proveSession } from "../../use-cases/accounts/sessions.ts";
import { confirmation, proof } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { checkCode, checkPassword, hasPassword } from "../session/identity.ts";
import { withProofLimit } from "../session/sign-in.ts";

export const secondFactorRoutes: readonly DashboardRoute[] = [
  route("POST /session/reauthenticate", {
    access: "user",
    body: proof,
    async handle({ deps, client, signal, me, body: { password, code } }) {
      const { address } = client;
      await checkPassword(deps, { me, field: "password", password, address, signal });
      await checkCode(deps, { me, code });
      await proveSession(deps, { id: me.session.id, userId: me.user.id });
    },
  }),
  route("GET /session/second-factor", {
    access: "user",
    async handle({ deps, me }) {
      const confirmedAt = (await deps.database.findSecondFactor(me.user.id))?.confirmedAt ?? null;
      return {
        hasPassword: await hasPassword(deps.database, me.user),
        isOn: confirmedAt !== null,
        since: confirmedAt,
        recoveryCodeCount: await deps.database.countRecoveryCodes(me.user.id),
      };
    },
  }),
  route("POST /session/second-factor", {
    access: "user",
    isSensitive: true,
    handle: ({ deps, me }) => startSecondFactor(deps, me.user),
  }),
  route("POST /session/second-factor/confirm", {
    access: "user",
    isSensitive: true,
    body: confirmation,
    async handle({ deps, me, notices, body: { code } }) {
      const enrolled = { userId: me.user.id, sessionId: me.session.id, code };
      const confirmed = await withProofLimit(deps, me.user.id, () =>
        confirmSecondFactor(deps, enrolled),
      );
      notices.user(me.user.email, "set up a second factor for your account");
      return confirmed;
    },
  }),
  route("POST /session/second-factor/recovery-codes", {
    access: "user",
    isSensitive: true,
    async handle({ deps, me, notices }) {
      const renewed = await renewRecoveryCodes(deps, me.user.id);
      notices.user(me.user.email, "made new recovery codes for your account");
      return renewed;
    },
  }),
  route("DELETE /session/second-factor", {
    access: "user",
    isSensitive: true,
    async handle({ deps, me, notices }) {
      await removeSecondFactor(deps, me.user.id);
      notices.user(me.user.email, "removed the second factor of your account");
    },
  }),
];
