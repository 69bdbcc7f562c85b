// /auth/oidc/callback: where the provider sends the browser back to. Ends in a session, in a link that asks for the code of
// the second factor, or on a page that says why not.
import type { Context, Hono } from "hono";
import { beginSession } from "../../dashboard-api/account/routes.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { createNotices } from "../../dashboard-api/notices.ts";
import { createPublicApp } from "../../dashboard-api/public-app.ts";
import type { PublicPart } from "../../dashboard-api/public-parts.ts";
import { takeFrom } from "../../dashboard-api/request-limits.ts";
import { type Cookies, createCookies } from "../../dashboard-api/session/cookies.ts";
import { browserOf, createSessions } from "../../dashboard-api/session/sessions.ts";
import { AppError } from "../../domain/error.ts";
import { createClientIp, ipPrefix } from "../../http/client-ip.ts";
import { hasSecondFactor } from "../../use-cases/accounts/second-factor.ts";
import { insertSignInLink } from "../../use-cases/accounts/sign-in-link.ts";
import { openAttempt } from "./attempt.ts";
import type { SignInProblem } from "./contract.ts";
import { providerOf } from "./provider.ts";
import { callbackPath } from "./settings.ts";
import { signInWithProvider } from "./sign-in.ts";

/** The limit for one network; people sign in now and then. */
const perMinute = 30;

export const providerCallback: PublicPart = { path: "/auth", create: createProviderCallback };

function createProviderCallback(deps: DashboardDeps): Hono {
  const { openRateLimit, settings } = deps;
  const requests = openRateLimit({ name: "sign-in callback", perMinute });
  const clientIp = createClientIp(settings.trustedProxies);
  const openCookies = createCookies(settings.publicUrl);
  const app = createPublicApp(deps);
  app.get(callbackPath.slice("/auth".length), async (context) => {
    const address = clientIp(context);
    await takeFrom(requests, ipPrefix(address));
    const cookies = openCookies(context);
    const sealed = cookies.read("attempt");
    cookies.write("attempt", null);
    const path = await finish(deps, { context, cookies, sealed, address });
    context.header("cache-control", "no-store");
    // A path of our own: a Location relative to this host.
    return context.redirect(path);
  });
  return app;
}

async function finish(
  deps: DashboardDeps,
  request: { context: Context; cookies: Cookies; sealed: string | null; address: string },
): Promise<string> {
  const { context, cookies, address } = request;
  const { log } = deps;
  const provider = providerOf(deps);
  const kept = openAttempt(deps, request.sealed);
  if (!provider || !kept) return problem("expired");
  const { search } = new URL(context.req.url);
  const account = await provider.openId.finish(search, kept.attempt);
  if ("failure" in account) {
    log.warn({ address, reason: account.failure }, "a sign-in through the provider failed");
    return problem("provider");
  }
  try {
    const { rules } = provider;
    const input = { account, rules, invitationToken: kept.invitation };
    const result = await signInWithProvider(deps, input);
    if ("refusal" in result) {
      const { subject } = account;
      log.warn({ address, subject, reason: result.refusal }, "a sign-in was refused by the rules");
      return problem(result.refusal);
    }
    const { user, isNew, invitation } = result;
    const { id: userId } = user;
    const client = { address, browser: browserOf(context) };
    if (invitation) createNotices(deps, { me: null, client }).accepted(invitation, user);
    if (await hasSecondFactor(deps, userId)) {
      const { token } = await insertSignInLink(deps, { userId, isFromProvider: true });
      // The page asks for the code at once.
      return `/sign-in-link#${token}.code`;
    }
    const sessions = createSessions(deps);
    const me = await sessions.find(cookies.read("session"), client);
    const { passwordHash = "" } = (await deps.database.findUserByEmail(user.email)) ?? {};
    const checked = isNew ? null : { passwordHash, secondFactorAt: null };
    const signIn = { deps: { ...deps, sessions }, client, me, cookies };
    await beginSession(signIn, { userId, checked, isFromProvider: true });
    log.info({ address, userId }, "user signed in through the provider");
    return kept.returnTo;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ address, reason: error.message }, "a sign-in through the provider was refused");
    return problem("link");
  }
}

function problem(reason: SignInProblem): string {
  return `/sign-in-problem#${reason}`;
}
