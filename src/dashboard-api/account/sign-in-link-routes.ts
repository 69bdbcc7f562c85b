// The ways to sign in, and links that sign in: on an operator's word, or after an answer of a provider.
import { requireSignInLink, useSignInLink } from "../../use-cases/accounts/sign-in-link.ts";
import { signInLink } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { checkFactor, withLinkLimit } from "../session/sign-in.ts";
import { beginSession } from "./routes.ts";

export const signInLinkRoutes: readonly DashboardRoute[] = [
  route("GET /session/ways", {
    access: "anyone",
    handle: async ({ deps }) => ({
      hasPasswords: deps.settings.hasPasswordSignIn,
      hasProvider: deps.signInProvider !== null,
    }),
  }),
  route("POST /session/sign-in-link", {
    access: "anyone",
    body: signInLink,
    async handle(context) {
      const { deps, body, client } = context;
      const { user, isFromProvider } = await withLinkLimit(deps, client, () =>
        requireSignInLink(deps, body.token),
      );
      const { address } = client;
      const factor = { user, code: body.code, address, browser: null };
      const secondFactorAt = await checkFactor(deps, factor);
      if (secondFactorAt === "code_required") return { state: secondFactorAt };
      await useSignInLink(deps, body.token);
      const stored = await deps.database.findUserByEmail(user.email);
      const checked = { passwordHash: stored?.passwordHash ?? "", secondFactorAt };
      return beginSession(context, { userId: user.id, checked, isFromProvider });
    },
  }),
];
