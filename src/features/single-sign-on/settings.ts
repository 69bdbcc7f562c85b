// The settings of single sign-on. Loads nothing, so that a command can check them at no cost.
import type { Config } from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";

/** The path that is registered at the provider, below PUBLIC_URL. */
export const callbackPath = "/auth/oidc/callback";

export type OpenIdSettings = {
  issuer: string;
  clientId: string;
  /** null for a public client, which PKCE alone protects. */
  clientSecret: string | null;
  /** How the client proves its secret; `auto` asks the provider's metadata. */
  clientAuth: "auto" | "client_secret_basic" | "client_secret_post";
  scopes: string;
  /** Where the provider sends the browser back to; registered there. */
  redirectUrl: string;
};

/**
 * null without OIDC_ISSUER.
 *
 * @throws AppError `invalid_setting` when it lacks another setting
 */
export function readProviderSettings(config: Config): OpenIdSettings | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, publicUrl } = config;
  const { oidcClientSecret: clientSecret, oidcClientAuth: clientAuth, oidcScopes: scopes } = config;
  if (issuer === null) {
    if ((clientId ?? clientSecret) === null) return null;
    refuse("OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go with OIDC_ISSUER");
  }
  if (clientId === null || publicUrl === null)
    refuse("OIDC_ISSUER needs OIDC_CLIENT_ID and PUBLIC_URL");
  if (!issuer.startsWith("https:") && !isLocal(issuer))
    refuse("OIDC_ISSUER must begin with https:// unless it is local");
  const redirectUrl = `${publicUrl}${callbackPath}`;
  return { issuer, clientId, clientSecret, clientAuth, scopes, redirectUrl };
}

function refuse(message: string): never {
  throw new AppError("invalid_setting", message);
}

/** The settings allow plain HTTP on this machine only. */
export function isLocal(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
