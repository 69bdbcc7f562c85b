// Sign-in through a provider of OpenID Connect: discovery, the code flow with PKCE, and the checks of the ID token, all by
// openid-client. Failures of the provider are values. Its documents are read again for each answer, so a key that was rotated
// is known at once.
import type * as client from "openid-client";
import { createCachedValue } from "../../lib/cached-value.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Http } from "../../lib/http.ts";
import { minuteMs, secondMs } from "../../lib/timestamp.ts";
import { isLocal, type OpenIdSettings } from "./settings.ts";

/** Kept by the browser, sealed, between the request and its answer. */
export type OpenIdAttempt = { state: string; nonce: string; codeVerifier: string };

export type OpenIdAccount = { issuer: string; subject: string; claims: Record<string, unknown> };

export type OpenIdProvider = {
  /**
   * The provider's page to send the browser to.
   *
   * @param options.isFresh asks the provider to have the user sign in again although it knows them
   * @throws when discovery fails
   */
  begin(options: { isFresh: boolean }): Promise<{ url: string; attempt: OpenIdAttempt }>;
  /** @param query of the URL that the provider sent the browser back to */
  finish(query: string, attempt: OpenIdAttempt): Promise<OpenIdAccount | { failure: string }>;
};

/** The default of OpenID Connect, also where the metadata name no method. */
const basic = "client_secret_basic";
const cachedMs = 5 * minuteMs;
const answerBytesMax = 256 * 1024;
const timeoutMs = 10 * secondMs;
const skewMsMax = 5 * minuteMs;

export function createOpenIdProvider(
  { clock, http }: { clock: Clock; http: Http },
  settings: OpenIdSettings,
): OpenIdProvider {
  const { redirectUrl, scopes } = settings;
  // Anyone can begin a sign-in: that costs the provider no request each time.
  const findKnown = createCachedValue({ clock, cachedMs }, () => discoverProvider(http, settings));
  return {
    async begin({ isFresh }) {
      const library = await import("openid-client");
      const attempt = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        codeVerifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(await findKnown(), {
        redirect_uri: redirectUrl,
        scope: scopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: "S256",
        ...(isFresh && { prompt: "login" }),
      });
      return { url: url.href, attempt };
    },
    async finish(query, attempt) {
      const library = await import("openid-client");
      try {
        const config = await discoverProvider(http, settings);
        const tokens = await library.authorizationCodeGrant(config, new URL(query, redirectUrl), {
          pkceCodeVerifier: attempt.codeVerifier,
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          idTokenExpected: true,
        });
        const token = tokens.claims();
        if (!token) return { failure: "the provider sent no ID token" };
        if (token.iat * secondMs > clock.now().getTime() + skewMsMax) {
          return { failure: "the ID token is of a later time: compare the clocks" };
        }
        // Most providers put name, address and groups there, and only the subject into the token.
        const more = config.serverMetadata().userinfo_endpoint
          ? await library.fetchUserInfo(config, tokens.access_token, token.sub)
          : {};
        return { issuer: token.iss, subject: token.sub, claims: { ...more, ...token } };
      } catch (error) {
        return { failure: describeFailure(error) };
      }
    },
  };
}

/**
 * The provider by its own documents. A configuration keeps the keys that it has read, and so serves one sign-in.
 *
 * @throws when the provider can't be reached, or is not the issuer that it was called by
 */
export async function discoverProvider(
  http: Http,
  { issuer, clientId, clientSecret, clientAuth }: OpenIdSettings,
): Promise<client.Configuration> {
  const library = await import("openid-client");
  const secret = clientSecret ?? undefined;
  const authenticate: client.ClientAuth = (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = [basic] } = server;
    const chosen = clientAuth !== "auto" ? clientAuth : methods.includes(basic) ? basic : "post";
    if (clientSecret === null) return library.None()(server, ...rest);
    const of = chosen === basic ? library.ClientSecretBasic : library.ClientSecretPost;
    return of(clientSecret)(server, ...rest);
  };
  const found = library.discovery(new URL(issuer), clientId, secret, authenticate, {
    execute: [
      // Without it the signature is left to TLS, and a rotated or foreign key would not be noticed.
      library.enableNonRepudiationChecks,
      ...(isLocal(issuer) ? [library.allowInsecureRequests] : []),
    ],
    [library.customFetch]: toFetch(http),
    timeout: timeoutMs / secondMs,
  });
  return found.catch(rethrowExplained);
}

/** Without the cause: the message has the messages of all causes, and a sign-in describes it again. */
function rethrowExplained(error: unknown): never {
  throw new Error(describeFailure(error));
}

/**
 * Asks for tokens with a code that the provider never issued: it refuses the code if it knows the client, else the client.
 * null if it knows the client.
 *
 * @throws when the provider can't be asked
 */
export async function findClientFault(
  config: client.Configuration,
  { redirectUrl }: OpenIdSettings,
): Promise<string | null> {
  const library = await import("openid-client");
  const code_verifier = library.randomPKCECodeVerifier();
  const request = { code: library.randomState(), redirect_uri: redirectUrl, code_verifier };
  try {
    await library.genericGrantRequest(config, "authorization_code", request);
    return null;
  } catch (error) {
    if (error instanceof library.WWWAuthenticateChallengeError) return clientRefused;
    if (!(error instanceof library.ResponseBodyError)) return rethrowExplained(error);
    return error.error.includes("client") ? clientRefused : null;
  }
}

const clientRefused =
  "the provider doesn't accept the client: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and OIDC_CLIENT_AUTH if it is set up for one way alone";

/** The library asks for `fetch`; this one has the limits of every other request. */
function toFetch(http: Http): client.CustomFetch {
  return async (url, options) => {
    const result = await http({
      method: options.method === "POST" ? "POST" : "GET",
      url,
      headers: options.headers,
      ...(options.body === undefined || options.body === null
        ? {}
        : { body: String(options.body) }),
      bodyBytesMax: answerBytesMax,
    });
    if (result.kind === "failed") throw new Error(result.detail);
    const { status, headers, body } = result;
    const plain = Object.entries(headers).filter(([name]) => name !== "content-encoding");
    return new Response(new Uint8Array(body), { status, headers: Object.fromEntries(plain) });
  };
}

/** The library's message around an error of the network. */
const libraryFailure = "something went wrong";

/** With the causes: the library's own messages are general. They hold no token. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === "WWWAuthenticateChallengeError")
    return clientRefused;
  const parts: string[] = [];
  for (let one = error; one instanceof Error && parts.length < 4; one = one.cause) {
    if (one.message !== libraryFailure) parts.push(messageOf(one));
  }
  return parts.join(": ") || String(error);
}
