// The provider that the settings name, with the rules for its people.
import type { OpenSignInProvider } from "../../app/sign-in-provider.ts";
import { createOpenIdProvider, type OpenIdProvider } from "./open-id.ts";
import { readProviderSettings } from "./settings.ts";
import type { ProviderRules } from "./sign-in.ts";

class SignInProvider {
  readonly openId: OpenIdProvider;
  readonly rules: ProviderRules;

  constructor(openId: OpenIdProvider, rules: ProviderRules) {
    this.openId = openId;
    this.rules = rules;
  }
}

/** null without OIDC_ISSUER. */
export const openProvider: OpenSignInProvider = ({ clock, config, http }) => {
  const settings = readProviderSettings(config);
  if (settings === null) return null;
  return new SignInProvider(createOpenIdProvider({ clock, http }, settings), {
    signUp: config.oidcSignUp,
    workspaceId: config.oidcWorkspace,
    trustsEmails: config.oidcTrustEmails,
    allowedDomains: config.oidcAllowedDomains,
    roleClaim: config.oidcRoleClaim,
    roles: config.oidcRoles,
  });
};

/** The provider of a service, as `openProvider` made it. */
export function providerOf(deps: { signInProvider: object | null }): SignInProvider | null {
  return deps.signInProvider instanceof SignInProvider ? deps.signInProvider : null;
}
