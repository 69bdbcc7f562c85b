// A real provider of OpenID Connect on loopback (oidc-provider), with invented accounts and a sign-in page of one button.
// Its answers can be altered, and are signed again then: faults that a real provider has only by accident.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import Provider, { type Adapter, type AdapterPayload, type Configuration } from "oidc-provider";
import { lazy } from "../../src/lib/lazy.ts";
import type { DashboardClient, DashboardFixture } from "./dashboard.ts";

export type ProviderAccount = {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  groups?: unknown;
};

export type OpenIdServer = Awaited<ReturnType<typeof openOpenIdServer>>;

export const clientId = "starpost";
export const clientSecret = "an-invented-secret-of-a-test-client";

/** @param redirectUrl of the service, which has to be known before: see `redirectTo` */
export async function openOpenIdServer(
  options: {
    /** The way in which the client is registered to prove its secret; other ways are refused. */
    clientAuth?: "client_secret_basic" | "client_secret_post";
    /** Below which the issuer is, like /application/o/starpost/. */
    path?: string;
  } = {},
) {
  const accounts = new Map<string, ProviderAccount>();
  let current = "";
  let alter: ((claims: JWTPayload) => JWTPayload) | null = null;
  let handle: ReturnType<Provider["callback"]> | null = null;
  let key = await newKey("first");
  const server = createServer((request, response) => handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { clientAuth = "client_secret_basic", path = "" } = options;
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  let redirectUri = "";

  function serve(): void {
    const stored = new Map<string, AdapterPayload>();
    const configuration: Configuration = {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: clientAuth,
        },
      ],
      adapter: createMemoryAdapter(stored),
      jwks: { keys: [key.jwk] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
      scopes: ["openid", "email", "profile"],
      pkce: { required: () => true },
      cookies: { keys: ["an invented key of a test"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: { Session: 600, Grant: 600, Interaction: 600, IdToken: 600, AccessToken: 600 },
      findAccount(_context, id) {
        const account = accounts.get(id);
        return account && { accountId: id, claims: async () => ({ ...account }) };
      },
      async loadExistingGrant(context) {
        const { client, session, provider: own } = context.oidc;
        const grant = new own.Grant({
          clientId: client?.clientId ?? "",
          accountId: session?.accountId ?? "",
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    };
    const provider = new Provider(issuer, configuration);
    provider.use(async (context, next) => {
      // Its own check takes a registered client's secret either way.
      const isBasic = context.get("authorization").startsWith("Basic ");
      if (context.path === "/token" && isBasic !== (clientAuth === "client_secret_basic")) {
        context.status = 401;
        context.set("www-authenticate", "Basic");
        context.body = { error: "invalid_client" };
        return;
      }
      if (context.path.startsWith("/interaction/")) {
        if (context.method === "GET") {
          context.type = "html";
          context.body = `<!doctype html><html lang="en"><title>Provider</title><form method="post"><button>Sign in as ${accounts.get(current)?.name}</button></form></html>`;
          return;
        }
        context.respond = false;
        await provider.interactionFinished(context.req, context.res, {
          login: { accountId: current },
        });
        return;
      }
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path === "/token" && body?.id_token && alter) {
        const claims = alter(decodeJwt(body.id_token));
        const token = new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: key.jwk.kid });
        context.body = { ...body, id_token: await token.sign(key.privateKey) };
      }
    });
    handle = provider.callback();
  }

  return {
    issuer,
    /** The callback of the service that people sign in to. */
    redirectTo(url: string) {
      redirectUri = url;
      serve();
    },
    /** The account that signs in next. */
    use(account: ProviderAccount) {
      accounts.set(account.sub, account);
      current = account.sub;
    },
    remove: (sub: string) => accounts.delete(sub),
    /** Changes the claims of ID tokens before they are signed; null leaves them. */
    alterTokens(next: ((claims: JWTPayload) => JWTPayload) | null) {
      alter = next;
    },
    /** Signs with a new key from now on; the old one is no longer published. */
    async rotateKeys() {
      key = await newKey(`key ${Date.now()}`);
      serve();
    },
    /** Signs altered tokens with a key that is not published, under the name of the one that is. */
    async signWithForeignKey() {
      key = { ...key, privateKey: (await newKey("foreign")).privateKey };
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Follows the browser from the sign-in page to the provider and back: the URL that it is sent to at last. */
export async function goToProvider(
  way: { world: DashboardFixture; idp: OpenIdServer; account: ProviderAccount },
  options: { client: DashboardClient; invitation?: string | undefined; returnTo: string },
): Promise<string> {
  const { world, idp, account } = way;
  const { client, invitation = null, returnTo } = options;
  idp.redirectTo(`${world.service.url}/auth/oidc/callback`);
  idp.use(account);
  const body = { returnTo, invitation, isFresh: false };
  const started = await client.post("/session/provider", body);
  if (started.status !== 200) throw new Error(`the sign-in did not start: ${started.text}`);
  const jar = new Map<string, string>();
  let url: string = started.json.url;
  for (let hops = 0; hops < 8; hops += 1) {
    const method = url.includes("/interaction/") ? "POST" : "GET";
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { method, redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      jar.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`the provider stopped: ${await response.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(world.service.url)) return url;
  }
  throw new Error("the provider never came back");
}

/** Where the service sends the browser from there. */
export async function goToCallback(
  world: DashboardFixture,
  { client, callback }: { client: DashboardClient; callback: string },
): Promise<string> {
  // The client's paths begin with the API's.
  const path = `/../..${callback.slice(world.service.url.length)}`;
  const response = await client.request(path, { redirect: "manual" });
  return response.headers.get("location") ?? `status ${response.status}: ${response.text}`;
}

/** Its own would warn that it is for development. */
function createMemoryAdapter(stored: Map<string, AdapterPayload>): (model: string) => Adapter {
  return (model) => {
    const read = async (id: string) => stored.get(`${model} ${id}`);
    const findBy = (is: (one: AdapterPayload) => boolean) => async () =>
      [...stored.values()].find(is);
    return {
      find: read,
      upsert: async (id, payload) => void stored.set(`${model} ${id}`, { ...payload }),
      findByUid: (uid) => findBy((one) => one.uid === uid)(),
      findByUserCode: (code) => findBy((one) => one.userCode === code)(),
      destroy: async (id) => void stored.delete(`${model} ${id}`),
      revokeByGrantId: async (grantId) => {
        for (const [id, one] of stored) if (one.grantId === grantId) stored.delete(id);
      },
      consume: async (id) => {
        const one = await read(id);
        if (one) stored.set(`${model} ${id}`, { ...one, consumed: Math.floor(Date.now() / 1000) });
      },
    };
  };
}

// Used in turn, because making one takes a third of a second.
const keyPairs = Array.from({ length: 3 }, () =>
  lazy(() => generateKeyPair("RS256", { extractable: true })),
);

async function newKey(kid: string): Promise<{ jwk: JWK & { kid: string }; privateKey: CryptoKey }> {
  const [keyPair] = keyPairs.splice(0, 1);
  if (!keyPair) throw new Error("no key pair is left");
  keyPairs.push(keyPair);
  const { privateKey } = await keyPair();
  const jwk = { ...(await exportJWK(privateKey)), kid, use: "sig", alg: "RS256" };
  return { jwk, privateKey };
}
