// The provider of OpenID Connect that the settings name, with the rules for its people.
import type { Config } from "../../config/config.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { AppError } from "../../domain/error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Http } from "../../lib/http.ts";
import { createOpenIdProvider, isLocal, type OpenIdSettings } from "./open-id.ts";
import { callbackPath } from "./sign-in.ts";

/** null without OIDC_ISSUER. */
export function openSignInProvider(
  { clock, config }: { clock: Clock; config: Config },
  http: Http,
): DashboardDeps["signInProvider"] {
  const settings = readProviderSettings(config);
  if (settings === null) return null;
  const rules = {
    signUp: config.oidcSignUp,
    workspaceId: config.oidcWorkspace,
    trustsEmails: config.oidcTrustEmails,
    allowedDomains: config.oidcAllowedDomains,
    roleClaim: config.oidcRoleClaim,
    roles: config.oidcRoles,
  };
  return { provider: createOpenIdProvider({ clock, http }, settings), rules };
}

/** @throws AppError `invalid_setting` when it lacks another setting, or the settings leave no way to sign in */
export function readProviderSettings(config: Config): OpenIdSettings | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, publicUrl } = config;
  if (issuer === null) {
    if (config.passwordSignIn) return null;
    throw new AppError("invalid_setting", "PASSWORD_SIGN_IN=false needs OIDC_ISSUER");
  }
  if (clientId === null || publicUrl === null) {
    throw new AppError("invalid_setting", "OIDC_ISSUER needs OIDC_CLIENT_ID and PUBLIC_URL");
  }
  if (!issuer.startsWith("https:") && !isLocal(issuer)) {
    throw new AppError(
      "invalid_setting",
      "OIDC_ISSUER must begin with https:// unless it is local",
    );
  }
  const { oidcClientSecret: clientSecret, oidcClientAuth: clientAuth, oidcScopes: scopes } = config;
  const redirectUrl = `${publicUrl}${callbackPath}`;
  return { issuer, clientId, clientSecret, clientAuth, scopes, redirectUrl };
}
