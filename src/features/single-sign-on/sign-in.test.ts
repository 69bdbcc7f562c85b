// Sign-in through a real provider of OpenID Connect: who gets in, with which role, for how long, and what is refused.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { base32Bytes } from "../../../test/support/base32.ts";
import {
  createDashboardClient,
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
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
import { type Log, silentLog } from "../../lib/log.ts";
import { stepOf, totpCode } from "../../lib/totp.ts";
import { createSignInLink } from "../../use-cases/accounts/sign-in-link.ts";
import { insertUser } from "../../use-cases/accounts/users.ts";

const hourMs = 3_600_000;
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
afterEach(() => idp.alterTokens(null));

/** Why the last sign-ins were refused, from the log. */
const reasons: string[] = [];
const log: Log = {
  ...silentLog,
  warn: (facts: unknown) => reasons.push(String((facts as { reason?: string }).reason)),
};

async function openWorld(env: Record<string, string> = {}): Promise<DashboardFixture> {
  const provider = { OIDC_ISSUER: idp.issuer, OIDC_CLIENT_ID: clientId };
  const settings = { ...provider, OIDC_CLIENT_SECRET: clientSecret, ...env };
  const fixture = await onFreePort((address) =>
    openDashboardFixture({ clock, log, env: { ...address, ...settings } }),
  );
  opened.push(fixture);
  // The service has users already, as it does after its set-up.
  await fixture.signIn({ email: "olga@example.com" });
  return fixture;
}

function anAccount(more: Partial<ProviderAccount> = {}): ProviderAccount {
  count += 1;
  const sub = `subject-${count}`;
  return {
    sub,
    email: `p${count}@corp.example`,
    email_verified: true,
    name: `P ${count}`,
    ...more,
  };
}

type Way = { client?: DashboardClient; invitation?: string; returnTo?: string };

/** Follows the browser to the provider and back to the callback, and returns where the service sends it. */
async function signIn(
  world: DashboardFixture,
  account: ProviderAccount,
  { client = world.newClient(), invitation, returnTo = "/overview" }: Way = {},
): Promise<{ client: DashboardClient; location: string; callback: string }> {
  const callback = await goToProvider({ world, idp, account }, { client, invitation, returnTo });
  return { client, callback, location: await goToCallback(world, { client, callback }) };
}

describe("a person without an account", () => {
  test("gets one with the role of OIDC_SIGN_UP, with the verified address and the name", async () => {
    const world = await openWorld({ OIDC_SIGN_UP: "viewer" });
    const account = anAccount();
    const { client, location } = await signIn(world, account, { returnTo: "/reviews?rating=1" });
    expect(location).toBe("/reviews?rating=1");
    const session = (await client.get("/session")).json;
    expect(session.user).toMatchObject({ email: account.email, name: account.name });
    expect(session.workspaces).toMatchObject([{ id: world.service.workspaceId, role: "viewer" }]);
    const user = await world.service.deps.database.findUserByEmail(account.email ?? "");
    expect(user?.emailConfirmedAt).not.toBeNull();
    // The second time it is the same account, by issuer and subject, whatever the address.
    const again = await signIn(world, { ...account, email: "other@corp.example" });
    expect((await again.client.get("/session")).json.user.id).toBe(session.user.id);
    // No password fits an account without one.
    for (const guess of ["", "none", password]) {
      const attempt = { email: account.email, password: guess };
      expect((await world.newClient().post("/session/sign-in", attempt)).status).toBe(401);
    }
  });

  test("needs an invitation by default, and an invitation for an address takes no other", async () => {
    const world = await openWorld();
    expect((await signIn(world, anAccount())).location).toBe("/sign-in-problem#invitation");
    const owner = await world.signIn({ email: "o@example.com" });
    const path = `/workspaces/${world.service.workspaceId}/invitations`;
    const account = anAccount();
    const made = await owner.post(path, { email: account.email, role: "member" });
    const invitation = made.json.link.split("#")[1];
    const wrong = await signIn(world, anAccount(), { invitation });
    expect(wrong.location).toBe("/sign-in-problem#link");
    const { client, location } = await signIn(world, account, { invitation });
    expect(location).toBe("/overview");
    expect((await client.get("/session")).json.workspaces).toMatchObject([{ role: "member" }]);
    expect((await signIn(world, anAccount(), { invitation })).location).toBe(
      "/sign-in-problem#link",
    );
  });

  test.each([
    ["without a verified address", { email_verified: false }, "email"],
    ["whose address is not verified, in a text", { email_verified: "false" }, "email"],
    ["without an address", { email: "" }, "email"],
    ["with a line end behind the address", { email: "eve@corp.example\n" }, "email"],
    ["of another domain", { email: "eve@elsewhere.example" }, "domain"],
    ["of a domain below an allowed one", { email: "eve@x.corp.example" }, "domain"],
  ])("%s is refused", async (_name, more, reason) => {
    const env = {
      OIDC_SIGN_UP: "member",
      OIDC_ALLOWED_DOMAINS: reason === "domain" ? "corp.example" : "",
    };
    const world = await openWorld(env);
    const account = anAccount(more);
    const { client, location } = await signIn(world, account);
    expect(location).toBe(`/sign-in-problem#${reason}`);
    expect((await client.get("/session")).json.state).toBe("signed_out");
    expect((await signIn(world, anAccount())).location).toBe("/overview");
  });
});

describe("a person with an account", () => {
  test("is linked by the verified address, once", async () => {
    const world = await openWorld();
    const account = anAccount();
    const { database } = world.service.deps;
    const known = await world.signIn({ email: account.email ?? "" });
    const { user } = (await known.get("/session")).json;
    await database.confirmEmail({ id: user.id, now: clock.now() });
    expect((await signIn(world, { ...account, email_verified: false })).location).toBe(
      "/sign-in-problem#email",
    );
    // Some providers send the answer as a text.
    const { client } = await signIn(world, { ...account, email_verified: "true" });
    expect((await client.get("/session")).json.user.id).toBe(user.id);
    // Sessions and password go on: the address was the user's before.
    expect((await known.get("/session")).json.state).toBe("signed_in");
    // Another subject with the same address is the same person at the provider's word.
    const other = await signIn(world, anAccount({ email: account.email ?? "" }));
    expect((await other.client.get("/session")).json.user.id).toBe(user.id);
  });

  test("whose address was never confirmed loses the password that an impostor may have set", async () => {
    const world = await openWorld();
    const account = anAccount();
    const squatter = await world.signIn({ email: account.email ?? "" });
    const { client, location } = await signIn(world, account);
    expect(location).toBe("/overview");
    expect((await squatter.get("/session")).json.state).toBe("signed_out");
    const attempt = { email: account.email, password };
    expect((await world.newClient().post("/session/sign-in", attempt)).status).toBe(401);
    expect((await client.get("/session/second-factor")).json.hasPassword).toBe(false);
  });

  test("and a second factor is asked for the code as well", async () => {
    const world = await openWorld({ OIDC_SIGN_UP: "member" });
    const account = anAccount();
    const { client } = await signIn(world, account);
    const { secret } = (await client.post("/session/second-factor")).json;
    const nextCode = () => {
      clock.advance(30_000);
      return totpCode(base32Bytes(secret), stepOf(clock.now()));
    };
    await client.post("/session/second-factor/confirm", { code: nextCode() });
    const second = await signIn(world, account);
    expect(second.location).toMatch(/^\/sign-in-link#[\w-]+\.code$/);
    expect((await second.client.get("/session")).json.state).toBe("signed_out");
    const token = second.location.slice("/sign-in-link#".length, -".code".length);
    const enter = (code?: string) =>
      second.client.post("/session/sign-in-link", code === undefined ? { token } : { token, code });
    expect((await enter()).json).toEqual({ state: "code_required" });
    expect((await enter("000000")).status).toBe(401);
    expect((await enter(nextCode())).json.state).toBe("signed_in");
    expect((await enter(nextCode())).status).toBe(404);
  });
});

describe("roles of the provider", () => {
  const env = {
    OIDC_SIGN_UP: "viewer",
    OIDC_ROLES: "admins=owner, staff=member,guests=viewer",
    OIDC_ROLE_CLAIM: "groups",
  };

  test("are set at every sign-in, and an account without one is refused", async () => {
    const world = await openWorld(env);
    const account = anAccount({ groups: ["guests", "staff"] });
    const roleOf = async (groups: string[]) => {
      const { client, location } = await signIn(world, { ...account, groups });
      if (location !== "/overview") return location;
      return (await client.get("/session")).json.workspaces[0].role;
    };
    expect(await roleOf(["guests", "staff"])).toBe("member");
    expect(await roleOf(["guests"])).toBe("viewer");
    expect(await roleOf(["admins"])).toBe("owner");
    expect(await roleOf(["strangers"])).toBe("/sign-in-problem#role");
    expect(await roleOf(["Admins"])).toBe("/sign-in-problem#role");
  });

  test("count after an invitation as well", async () => {
    const world = await openWorld(env);
    const owner = await world.signIn({ email: "owner@example.com" });
    const account = anAccount({ groups: ["guests"] });
    const body = { email: account.email, role: "member" };
    const path = `/workspaces/${world.service.workspaceId}/invitations`;
    const invitation = (await owner.post(path, body)).json.link.split("#")[1];
    const { client } = await signIn(world, account, { invitation });
    expect((await client.get("/session")).json.workspaces).toMatchObject([{ role: "viewer" }]);
  });

  test("leave the last owner in place", async () => {
    const world = await openWorld(env);
    const workspaceId = await world.addWorkspace("Alone");
    const strict = await openWorld({ ...env, OIDC_WORKSPACE: workspaceId });
    // That workspace is in another database: people are refused instead of being put elsewhere.
    expect((await signIn(strict, anAccount({ groups: ["staff"] }))).location).toBe(
      "/sign-in-problem#workspace",
    );
    const account = anAccount({ groups: ["admins"] });
    await signIn(world, account);
    const { database } = world.service.deps;
    const olga = await database.findUserByEmail("olga@example.com");
    const id = world.service.workspaceId;
    await database.deleteMember({ workspaceId: id, userId: olga?.id ?? "" });
    const { client } = await signIn(world, { ...account, groups: ["staff"] });
    expect((await client.get("/session")).json.workspaces).toMatchObject([{ role: "owner" }]);
  });
});

describe("an answer", () => {
  let world: DashboardFixture;
  beforeAll(async () => {
    world = await openWorld({ OIDC_SIGN_UP: "member" });
  });

  const refused = async (alter: Parameters<OpenIdServer["alterTokens"]>[0]) => {
    idp.alterTokens(alter);
    const { client, location } = await signIn(world, anAccount());
    expect((await client.get("/session")).json.state).toBe("signed_out");
    return location;
  };

  test("that is altered in nothing is taken, also when it was signed again", async () => {
    idp.alterTokens((claims) => claims);
    expect((await signIn(world, anAccount())).location).toBe("/overview");
  });

  test.each([
    ["with another nonce", { nonce: "another" }, /"nonce"/],
    ["of another issuer", { iss: "http://127.0.0.1:9/" }, /"iss"/],
    ["for another client", { aud: "another" }, /"aud"/],
    [
      "for several clients, of which another one asked",
      { aud: [clientId, "b"], azp: "b" },
      /"azp"/,
    ],
    ["that has ended", { exp: Math.floor(Date.now() / 1000) - 3_600 }, /"exp"/],
    ["of tomorrow", { iat: Math.floor(Date.now() / 1000) + 86_400 }, /later time/],
    ["about another subject than the account's", { sub: "subject-of-somebody" }, /"sub"/],
  ])("%s is refused", async (_name, change, reason) => {
    expect(await refused((claims) => ({ ...claims, ...change }))).toBe("/sign-in-problem#provider");
    expect(reasons.at(-1)).toMatch(reason);
  });

  test("signed with a key that the provider doesn't publish is refused", async () => {
    await idp.rotateKeys();
    await idp.signWithForeignKey();
    expect(await refused((claims) => claims)).toBe("/sign-in-problem#provider");
    expect(reasons.at(-1)).toMatch(/signature/);
    await idp.rotateKeys();
  });

  test("signed with a new key is taken at once, and one with the old key is not", async () => {
    expect((await signIn(world, anAccount())).location).toBe("/overview");
    await idp.rotateKeys();
    expect((await signIn(world, anAccount())).location).toBe("/overview");
  });

  test("with another state, a code that was used, or in another browser is refused", async () => {
    const client = world.newClient();
    const way = { client, returnTo: "/overview" };
    const callback = await goToProvider({ world, idp, account: anAccount() }, way);
    const forged = new URL(callback);
    forged.searchParams.set("state", "another");
    const stranger = world.newClient();
    expect(await goToCallback(world, { client: stranger, callback })).toBe(
      "/sign-in-problem#expired",
    );
    expect(await goToCallback(world, { client, callback: forged.href })).toBe(
      "/sign-in-problem#provider",
    );
    // The attempt was used up by that.
    expect(await goToCallback(world, { client, callback })).toBe("/sign-in-problem#expired");
    const next = await signIn(world, anAccount());
    expect(next.location).toBe("/overview");
    expect(await goToCallback(world, next)).toBe("/sign-in-problem#expired");
  });

  test("that comes after ten minutes is refused", async () => {
    const client = world.newClient();
    const callback = await goToProvider(
      { world, idp, account: anAccount() },
      { client, returnTo: "/overview" },
    );
    clock.advance(10 * 60_000);
    expect(await goToCallback(world, { client, callback })).toBe("/sign-in-problem#expired");
  });

  test.each(["//evil.example/", "https://evil.example/", "/\\evil.example", "overview", "/a b"])(
    "never leads to %s",
    async (returnTo) => {
      const body = { returnTo, invitation: null, isFresh: false };
      expect((await world.newClient().post("/session/provider", body)).status).toBe(400);
    },
  );
});

test("a person who was removed at the provider is out when the session ends, and can't come back", async () => {
  const world = await openWorld({ OIDC_SIGN_UP: "member", OIDC_SESSION_HOURS: "2" });
  const account = anAccount();
  const { client } = await signIn(world, account);
  const [session] = (await client.get("/session/sessions")).json.sessions;
  expect(Date.parse(session.endsAt) - Date.parse(session.startedAt)).toBe(2 * hourMs);
  clock.advance(hourMs);
  expect((await client.get("/session")).json.state).toBe("signed_in");
  clock.advance(hourMs);
  expect((await client.get("/session")).json.state).toBe("signed_out");
  const callback = await goToProvider({ world, idp, account }, { client, returnTo: "/overview" });
  // Between the provider's page and its answer.
  idp.remove(account.sub);
  expect(await goToCallback(world, { client, callback })).toBe("/sign-in-problem#provider");
});

describe("with PASSWORD_SIGN_IN=false", () => {
  test("no route takes or sets a password, and an operator's link signs an owner in", async () => {
    const env = { OIDC_ISSUER: idp.issuer, OIDC_CLIENT_ID: clientId, PASSWORD_SIGN_IN: "false" };
    const world = await onFreePort((address) =>
      openDashboardFixture({ clock, env: { ...address, ...env } }),
    );
    opened.push(world);
    const { database } = world.service.deps;
    const email = "owner@example.com";
    await database.transaction((tx) =>
      insertUser({ clock }, tx, { email, name: "O", passwordHash: "", isConfirmed: true }),
    );
    const client = createDashboardClient(world.service.url);
    expect((await client.get("/session/ways")).json).toEqual({
      hasPasswords: false,
      hasProvider: true,
    });
    const refused: [string, object][] = [
      ["sign-in", { email, password }],
      ["forgotten-password", { email }],
      ["reset-password", { token: "t", password }],
      ["known-browser", { token: "t" }],
    ];
    for (const [name, body] of refused) {
      const response = await client.post(`/session/${name}`, body);
      expect([name, response.json.code]).toEqual([name, "forbidden"]);
    }
    const joining = { token: "t", email, name: "O", password };
    expect((await client.post("/join/sign-up", joining)).json.code).toBe("forbidden");

    const by = { clock, database, actor: "cli" };
    const made = await createSignInLink(by, { email, baseUrl: world.service.url });
    expect(made.link.startsWith(`${world.service.url}/sign-in-link#`)).toBe(true);
    const token = made.link.split("#")[1];
    const follow = () => world.newClient().post("/session/sign-in-link", { token });
    const both = await Promise.all([follow(), follow()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const late = await createSignInLink(by, { email, baseUrl: world.service.url });
    clock.advance(15 * 60_000);
    const ended = { token: late.link.split("#")[1] };
    expect((await world.newClient().post("/session/sign-in-link", ended)).status).toBe(404);
  });
});
