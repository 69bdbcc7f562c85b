// Sign-in through a provider of OpenID Connect: the way there, and links that sign in after it or on an operator's word.
import { AppError } from "../../domain/error.ts";
import { sealAttempt } from "../../features/single-sign-on/attempt.ts";
import { requireSignInLink, useSignInLink } from "../../use-cases/accounts/sign-in-link.ts";
import { providerStart, signInLink } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { checkFactor, withLinkLimit } from "../session/sign-in.ts";
import { beginSession } from "./routes.ts";

export const providerRoutes: readonly DashboardRoute[] = [
  route("GET /session/ways", {
    access: "anyone",
    handle: async ({ deps }) => ({
      hasPasswords: deps.settings.hasPasswordSignIn,
      hasProvider: deps.signInProvider !== null,
    }),
  }),
  route("POST /session/provider", {
    access: "anyone",
    body: providerStart,
    async handle({ deps, body, cookies }) {
      const { signInProvider, clock, secretBox, log } = deps;
      if (!signInProvider) throw new AppError("not_found", "single sign-on is not set up");
      const { isFresh, ...kept } = body;
      try {
        const { url, attempt } = await signInProvider.provider.begin({ isFresh });
        cookies.write("attempt", sealAttempt({ clock, secretBox }, { ...kept, attempt }));
        return { url };
      } catch (error) {
        log.error({ reason: String(error) }, "the sign-in provider can't be reached");
        throw new AppError("unavailable", "the sign-in provider can't be reached: try again later");
      }
    },
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
