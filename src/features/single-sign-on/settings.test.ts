// Settings for providers that differ: addresses that they don't vouch for, roles inside of other claims, and how they want the
// client to prove its secret.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DashboardFixture, openDashboardFixture } from "../../../test/support/dashboard.ts";
import { onFreePort } from "../../../test/support/free-port.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import {
  clientId,
  clientSecret,
  goToCallback,
  goToProvider,
  type OpenIdServer,
  openOpenIdServer,
  type ProviderAccount,
} from "../../../test/support/open-id-server.ts";

/** The provider has the machine's time, and so the tokens. */
const clock = new MovableClock(new Date());
const opened: DashboardFixture[] = [];
let idp: OpenIdServer;
let count = 0;

beforeAll(async () => {
  idp = await openOpenIdServer();
});
afterAll(async () => {
  for (const fixture of opened) await fixture.close();
  await idp.close();
});

async function openWorld(env: Record<string, string> = {}): Promise<DashboardFixture> {
  const client = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const settings = { ...client, OIDC_ISSUER: idp.issuer, OIDC_SIGN_UP: "viewer", ...env };
  const fixture = await onFreePort((address) =>
    openDashboardFixture({ clock, env: { ...address, ...settings } }),
  );
  opened.push(fixture);
  await fixture.signIn({ email: "olga@example.com" });
  return fixture;
}

function anAccount(more: Partial<ProviderAccount> = {}): ProviderAccount {
  count += 1;
  const email = `q${count}@corp.example`;
  return { sub: `subject-${count}`, email, email_verified: true, name: `Q ${count}`, ...more };
}

async function signIn(world: DashboardFixture, account: ProviderAccount) {
  const client = world.newClient();
  const callback = await goToProvider({ world, idp, account }, { client, returnTo: "/overview" });
  return { client, location: await goToCallback(world, { client, callback }) };
}

describe("an operator who trusts the provider's addresses", () => {
  test.each([
    ["is not sent", { email_verified: undefined }],
    ["is false", { email_verified: false }],
  ])("lets people in where email_verified %s", async (_, more) => {
    const world = await openWorld({ OIDC_TRUST_EMAILS: "true" });
    const account = anAccount();
    const claims = { ...account, ...more } as ProviderAccount;
    if (more.email_verified === undefined) delete claims.email_verified;
    const { client, location } = await signIn(world, claims);
    expect(location).toBe("/overview");
    expect((await client.get("/session")).json.user).toMatchObject({ email: account.email });
  });
});

test.each([
  ["a path through objects", "groups.starpost.roles", { starpost: { roles: ["admins"] } }],
  ["a name with dots", "groups.my.client.roles", { "my.client": { roles: ["admins"] } }],
  ["the keys of an object", "groups", { admins: { "123": "corp.example" }, other: {} }],
  ["a text", "groups.role", { role: "admins" }],
])("roles are read from %s", async (_, claim, groups) => {
  const env = { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: "admins=owner" };
  const world = await openWorld(env);
  const { client, location } = await signIn(world, anAccount({ groups }));
  expect(location).toBe("/overview");
  expect((await client.get("/session")).json.workspaces).toMatchObject([{ role: "owner" }]);
  expect((await signIn(world, anAccount({ groups: ["admin"] }))).location).toMatch(/#role$/);
});

test.each([
  ["client_secret_basic", "auto"],
  ["client_secret_basic", "client_secret_basic"],
  ["client_secret_post", "client_secret_post"],
] as const)(
  "a provider that takes the client by %s alone is used with %s",
  async (clientAuth, setting) => {
    const own = await openOpenIdServer({ clientAuth });
    const world = await openWorld({
      OIDC_ISSUER: own.issuer,
      OIDC_SIGN_UP: "viewer",
      OIDC_CLIENT_AUTH: setting,
    });
    const way = { world, idp: own, account: anAccount() };
    const client = world.newClient();
    const callback = await goToProvider(way, { client, returnTo: "/overview" });
    expect(await goToCallback(world, { client, callback })).toBe("/overview");
    await own.close();
  },
);

test("a provider that can't be reached is a 503 with a sentence, and nothing else stops", async () => {
  const world = await openWorld({ OIDC_ISSUER: "http://127.0.0.1:9" });
  const body = { returnTo: "/", invitation: null, isFresh: false };
  const response = await world.newClient().post("/session/provider", body);
  expect([response.status, response.json.detail]).toEqual([
    503,
    "The sign-in provider can't be reached: try again later.",
  ]);
  expect((await world.newClient().get("/session")).status).toBe(200);
});
