// Providers that people sign in through.
import fs from "node:fs/promises";
import path from "node:path";
import { freePort, waitFor, withService } from "./service.mjs";
import {
  assert,
  machine,
  maven,
  openFolder,
  python,
  root,
  run,
  vitest,
  whileRunning,
} from "./tools.mjs";

export const parts = [
  {
    name: "oidc-provider, which enforces how the client authenticates",
    async run() {
      const missing = await vitest([
        "src/features/single-sign-on/settings.test.ts",
        "src/features/single-sign-on/sign-in.test.ts",
      ]);
      const manifest = path.join(root, "node_modules/oidc-provider/package.json");
      return { version: JSON.parse(await fs.readFile(manifest, "utf8")).version, missing };
    },
  },
  {
    name: "Authlib, which reads the client's secret from the header alone",
    async run() {
      const tools = await python("authlib", ["authlib"]);
      const { ClientSecretBasic } = await import("openid-client");
      const headers = new Headers();
      const client = { client_id: "starpost" };
      ClientSecretBasic("s3cret")({}, client, new URLSearchParams(), headers);
      const code = `
import sys
from authlib.oauth2.rfc6749.authenticate_client import authenticate_client_secret_basic
class Request:
    headers = {"Authorization": sys.argv[1]}
class Client:
    def check_client_secret(self, secret): return secret == "s3cret"
found = authenticate_client_secret_basic(lambda name: Client() if name == "starpost" else None, Request())
assert found is not None, sys.argv[1]
`;
      await tools.run("python", ["-c", code, headers.get("authorization")]);
      return tools.version("authlib");
    },
  },
  {
    name: "Keycloak: sign-in with PKCE, roles by group, an unverified address, new keys",
    async run() {
      const version = "26.7.3";
      const zip = await maven(`org.keycloak:keycloak-quarkus-dist:${version}:zip`);
      await machine("java", ["-version"], "Debian: default-jre-headless");
      const folder = await openFolder("keycloak");
      await run("unzip", ["-q", zip, "-d", folder]);
      const home = path.join(folder, `keycloak-${version}`);
      const [port, servicePort] = [await freePort(), String(await freePort())];
      await fs.mkdir(path.join(home, "data/import"), { recursive: true });
      const realm = JSON.stringify(
        describeRealm(`http://127.0.0.1:${servicePort}/auth/oidc/callback`),
      );
      await fs.writeFile(path.join(home, "data/import/team.json"), realm);
      const env = { KC_BOOTSTRAP_ADMIN_USERNAME: "admin", KC_BOOTSTRAP_ADMIN_PASSWORD: secret };
      const args = ["start-dev", "--import-realm", "--http-host=127.0.0.1", `--http-port=${port}`];
      const program = path.join(home, "bin/kc.sh");
      const url = `http://127.0.0.1:${port}`;
      await whileRunning({ program, args, port, env, withinMs: 600_000 }, async () => {
        await waitFor(async () => (await fetch(`${url}/realms/team`)).ok);
        const settings = {
          ...{ PORT: servicePort, OIDC_ISSUER: `${url}/realms/team`, OIDC_CLIENT_ID: "starpost" },
          ...{ OIDC_CLIENT_SECRET: secret, OIDC_ROLES: "admins=owner,support=member" },
          ...{ OIDC_ROLE_CLAIM: "groups", OIDC_SIGN_UP: "viewer" },
        };
        await withService(settings, (service) => checkKeycloak(service, url));
      });
      return version;
    },
  },
];

const secret = "an invented secret";

const people = [
  { username: "olga", emailVerified: true, groups: ["admins"] },
  { username: "vera", emailVerified: true, groups: ["support"] },
  { username: "sam", emailVerified: false, groups: ["support"] },
  { username: "ida", emailVerified: true, groups: [] },
];

/** What docs/single-sign-on.md says of Keycloak. */
function describeRealm(redirectUri) {
  const client = {
    ...{ clientId: "starpost", secret, publicClient: false, standardFlowEnabled: true },
    ...{ redirectUris: [redirectUri], attributes: { "pkce.code.challenge.method": "S256" } },
    protocolMappers: [
      {
        ...{ name: "groups", protocol: "openid-connect" },
        protocolMapper: "oidc-group-membership-mapper",
        config: { "claim.name": "groups", "full.path": "false", "userinfo.token.claim": "true" },
      },
    ],
  };
  const users = people.map((one) => ({
    ...{ ...one, enabled: true, firstName: one.username, lastName: "Example" },
    email: `${one.username}@corp.example`,
    credentials: [{ type: "password", value: secret }],
  }));
  const groups = [{ name: "admins" }, { name: "support" }];
  return { realm: "team", enabled: true, groups, clients: [client], users };
}

async function checkKeycloak(service, keycloakUrl) {
  const first = ["user", "create", "--email", "first@example.com"];
  await service.command(...first, "--workspace", service.workspace.id);
  const expectEnd = async (username, end) => {
    const { location, role } = await signIn(service, username);
    assert(`${location} ${role}` === end, `${username} ends at ${location} as ${role}`);
  };
  await expectEnd("olga", "/overview owner");
  await expectEnd("vera", "/overview member");
  await expectEnd("sam", "/sign-in-problem#email null");
  await expectEnd("ida", "/sign-in-problem#role null");
  await addKey(keycloakUrl);
  await expectEnd("vera", "/overview member");
}

/** Signs with a new key from now on. */
async function addKey(keycloakUrl) {
  const form = {
    grant_type: "password",
    client_id: "admin-cli",
    username: "admin",
    password: secret,
  };
  const token = await fetch(`${keycloakUrl}/realms/master/protocol/openid-connect/token`, {
    ...{ method: "POST", body: new URLSearchParams(form) },
  });
  const { access_token: bearer } = await token.json();
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const realm = await (await fetch(`${keycloakUrl}/admin/realms/team`, { headers })).json();
  const key = {
    ...{ name: "new", providerId: "rsa-generated", parentId: realm.id },
    ...{ providerType: "org.keycloak.keys.KeyProvider", config: { priority: ["1000"] } },
  };
  const body = JSON.stringify(key);
  const made = await fetch(`${keycloakUrl}/admin/realms/team/components`, {
    method: "POST",
    headers,
    body,
  });
  assert(made.status === 201, `a key of the realm: ${made.status}`);
}

/** Follows a browser to the provider's page, fills it in, and follows it back. */
async function signIn({ url, workspace }, username) {
  const [own, theirs] = [openJar(), openJar()];
  const begun = await own.fetch(`${url}/console/api/session/provider`, {
    ...{ method: "POST", headers: { origin: url, "content-type": "application/json" } },
    body: JSON.stringify({ returnTo: "/overview", invitation: null, isFresh: false }),
  });
  const page = await (await theirs.fetch((await begun.json()).url)).text();
  const action = /action="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  assert(action, `the page has no form: ${page.slice(0, 500)}`);
  const body = new URLSearchParams({ username, password: secret });
  const back = (await theirs.fetch(action, { method: "POST", body })).headers.get("location");
  assert(back?.startsWith(url), `the provider leads to ${back}`);
  const ended = await own.fetch(back);
  const session = await own.fetch(`${url}/console/api/session`);
  const { workspaces = [] } = session.ok ? await session.json() : {};
  const role = workspaces.find(({ id }) => id === workspace.id)?.role ?? null;
  return { location: ended.headers.get("location"), role };
}

/** Keeps cookies, and follows no redirect. */
function openJar() {
  const cookies = new Map();
  return {
    async fetch(url, { headers, ...more } = {}) {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const response = await fetch(url, {
        redirect: "manual",
        headers: { ...headers, cookie },
        ...more,
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
        cookies.set(name, value);
      }
      return response;
    },
  };
}
