// A forgotten password: a link by e-mail, and the new password that it sets.
import {
  createResetMail,
  letBrowserIn,
  resetPassword,
} from "../../use-cases/accounts/password-reset.ts";
import { forgottenPassword, linkToken, newPassword } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { createBrowserToken } from "../session/browser-token.ts";
import { countResetAttempt, withLinkLimit } from "../session/sign-in.ts";

export const passwordRoutes: readonly DashboardRoute[] = [
  route("POST /session/forgotten-password", {
    access: "anyone",
    needsPasswords: true,
    body: forgottenPassword,
    async handle({ deps, client, body }) {
      const { sendMail, settings, log } = deps;
      await countResetAttempt(deps, { email: body.email, address: client.address });
      if (!sendMail || settings.publicUrl === null) return { isMailSet: false };
      const mail = await createResetMail(deps, {
        ...body,
        publicUrl: settings.publicUrl,
        address: client.address,
      });
      // Not waited for: the time of the answer must not say whether there is such an account.
      if (mail) {
        void sendMail(mail)
          .catch((error: unknown) => ({ isSent: false as const, reason: String(error) }))
          .then((result) => {
            if (!result.isSent) log.warn({ reason: result.reason }, "no e-mail for a new password");
          });
      }
      return { isMailSet: true };
    },
  }),
  route("POST /session/reset-password", {
    access: "anyone",
    needsPasswords: true,
    body: newPassword,
    async handle({ deps, client, notices, body }) {
      const reset = await withLinkLimit(deps, client, () => resetPassword(deps, body));
      notices.user(reset.email, "set a new password for your account");
      return reset;
    },
  }),
  route("POST /session/known-browser", {
    access: "anyone",
    needsPasswords: true,
    body: linkToken,
    async handle({ deps, client, body: { token }, cookies }) {
      const { address } = client;
      const account = await withLinkLimit(deps, client, () =>
        letBrowserIn(deps, { token, address }),
      );
      cookies.write("browser", createBrowserToken(deps.signingKey, account.email));
      return account;
    },
  }),
];
