// Signing in over the real service: sessions, throttle, cookies, and what other sites may not do.
import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";

let fixture: DashboardFixture;
beforeAll(async () => {
  fixture = await openDashboardFixture();
  await fixture.signIn({ email: "ida@example.com" });
});
afterAll(() => fixture.close());

const signIn = { email: "Ida@Example.com ", password };

describe("signing in", () => {
  test("gives a session that scripts can't read, and signing out ends it for good", async () => {
    const browser = fixture.newClient();
    expect((await browser.get("/session")).json).toEqual({ state: "signed_out" });
    const response = await browser.post("/session/sign-in", signIn);
    expect(response.json).toMatchObject({
      state: "signed_in",
      user: { email: "ida@example.com", name: "ida" },
      workspaces: [{ id: fixture.service.workspaceId, role: "owner", plan: "studio" }],
      workspaceId: fixture.service.workspaceId,
    });
    const cookies = response.headers.getSetCookie();
    expect(cookies).toContainEqual(
      expect.stringMatching(
        /^starpost=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    );
    const kept = browser.cookie();
    expect((await browser.post("/session/sign-out")).status).toBe(200);
    const stolen = await browser.request("/session/sessions", { headers: { cookie: kept } });
    expect(stolen.status).toBe(401);
  });

  test("a wrong password and an unknown address are answered alike", async () => {
    const browser = fixture.newClient();
    const wrong = await browser.post("/session/sign-in", { ...signIn, password: "wrong" });
    const unknown = await browser.post("/session/sign-in", { ...signIn, email: "no@example.com" });
    expect(wrong.status).toBe(401);
    const { requestId: _, ...problem } = wrong.json;
    expect(unknown.json).toMatchObject(problem);
    expect(wrong.headers.get("set-cookie")).toBeNull();
  });

  test("the sixth wrong try for one account is turned away, even with the right password", async () => {
    await fixture.signIn({ email: "target@example.com" });
    const browser = fixture.newClient();
    const email = "target@example.com";
    const statuses: number[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      statuses.push((await browser.post("/session/sign-in", { email, password: "no" })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const response = await browser.post("/session/sign-in", { email, password });
    expect(response.status).toBe(429);
    expect(response.json.retryAfter).toBeGreaterThan(600);
    expect(response.headers.get("retry-after")).toBe(String(response.json.retryAfter));
    // From elsewhere the account is still open.
    const elsewhere = await fixture.newClient().request("/session/sign-in", {
      method: "POST",
      body: { email, password },
      headers: { "x-forwarded-for": "192.0.2.7" },
    });
    expect(elsewhere.status).toBe(200);
  });

  test("one address can't lock an account for all others, with as many tries as it likes", async () => {
    const email = "locked@example.com";
    await fixture.signIn({ email });
    const from = (address: string, attempted: string) =>
      fixture.newClient().request("/session/sign-in", {
        method: "POST",
        body: { email, password: attempted },
        headers: { "x-forwarded-for": address },
      });
    // All of one network are one address.
    for (let tries = 0; tries < 40; tries += 1) await from(`2001:db8:5::${tries + 1}`, "no");
    expect((await from("2001:db8:5::ffff", password)).status).toBe(429);
    expect((await from("192.0.2.8", password)).status).toBe(200);
  });

  test("from many networks an account can be closed, but not to a new network or a known browser", async () => {
    const email = "known@example.com";
    const known = await fixture.signIn({ email });
    await known.post("/session/sign-out");
    const from = (client: DashboardClient, address: string, attempted: string) =>
      client.request("/session/sign-in", {
        method: "POST",
        body: { email, password: attempted },
        headers: { "x-forwarded-for": address },
      });
    // As many as six networks have, without the work of checking 30 passwords.
    const { clock, database } = fixture.service.deps;
    const keys = [`account ${hash("sha256", email, "base64url")}`];
    const endsAt = new Date(clock.now().getTime() + 15 * 60_000);
    for (let tries = 0; tries < 30; tries += 1) {
      await database.countLoginAttempts({ keys, now: clock.now(), endsAt });
    }
    expect((await from(fixture.newClient(), "203.0.113.1", password)).status).toBe(200);
    expect((await from(fixture.newClient(), "203.0.113.2", "no")).status).toBe(401);
    expect((await from(fixture.newClient(), "203.0.113.2", password)).status).toBe(429);
    // All networks of an IPv6 site have one first try together.
    expect((await from(fixture.newClient(), "2001:db8:7:1::1", "no")).status).toBe(401);
    expect((await from(fixture.newClient(), "2001:db8:7:2::1", password)).status).toBe(429);
    // The proof of another user does not count, and one's own does not permit endless guesses.
    const other = await fixture.signIn({ email: "other@example.com" });
    expect((await from(other, "203.0.113.2", password)).status).toBe(429);
    expect((await from(known, "203.0.113.3", password)).status).toBe(200);
    for (let tries = 0; tries < 5; tries += 1) await from(known, "203.0.113.3", "no");
    expect((await from(known, "203.0.113.3", password)).status).toBe(429);
  });

  test("what no address can be is refused like a wrong password, and is not kept", async () => {
    const browser = fixture.newClient();
    const typed = { email: "my secret\u0000 phrase", password };
    expect((await browser.post("/session/sign-in", typed)).status).toBe(401);
  });

  test("every sign-in has a token of its own, and the session of before ends", async () => {
    const browser = fixture.newClient();
    await browser.post("/session/sign-in", signIn);
    const before = browser.cookie();
    await browser.post("/session/sign-in", signIn);
    expect(browser.cookie()).not.toBe(before);
    const old = await fixture
      .newClient()
      .request("/session/sessions", { headers: { cookie: before } });
    expect(old.status).toBe(401);
  });
});

describe("sessions", () => {
  test("are listed and ended one by one or all at once", async () => {
    const here = await fixture.signIn({ email: "many@example.com" });
    const there = fixture.newClient();
    const third = fixture.newClient();
    for (const browser of [there, third]) {
      await browser.post("/session/sign-in", { email: "many@example.com", password });
    }
    const { sessions } = (await here.get("/session/sessions")).json;
    expect(sessions).toHaveLength(3);
    expect(sessions.filter((one: { isCurrent: boolean }) => one.isCurrent)).toHaveLength(1);
    const theirs = (await there.get("/session/sessions")).json.sessions;
    const current = theirs.find((one: { isCurrent: boolean }) => one.isCurrent);
    expect((await here.delete(`/session/sessions/${current.id}`)).status).toBe(200);
    expect((await there.get("/session/sessions")).status).toBe(401);
    const ended = await here.post("/session/sessions/end-others");
    expect(ended.json).toEqual({ endedCount: 1 });
    expect((await third.get("/session/sessions")).status).toBe(401);
    expect((await here.get("/session/sessions")).json.sessions).toHaveLength(1);
  });

  test("of another user can't be ended", async () => {
    const mine = await fixture.signIn({ email: "mine@example.com" });
    const theirs = await fixture.signIn({ email: "theirs@example.com" });
    const [session] = (await theirs.get("/session/sessions")).json.sessions;
    expect((await mine.delete(`/session/sessions/${session.id}`)).status).toBe(404);
    expect((await theirs.get("/session/sessions")).status).toBe(200);
  });

  test("end with a new password, but for the one that set it", async () => {
    const email = "changes@example.com";
    const here = await fixture.signIn({ email });
    const there = fixture.newClient();
    await there.post("/session/sign-in", { email, password });
    const newPassword = "Another quiet harbour";
    const wrong = { currentPassword: "not it", newPassword };
    expect((await here.post("/session/password", wrong)).json.fields).toEqual([
      { field: "currentPassword", message: "is wrong" },
    ]);
    const easy = { currentPassword: password, newPassword: "password1234" };
    expect((await here.post("/session/password", easy)).json.fields).toEqual([
      { field: "newPassword", message: "is too easy to guess" },
    ]);
    const changed = await here.post("/session/password", {
      currentPassword: password,
      newPassword,
    });
    expect(changed.status).toBe(200);
    expect((await here.get("/session/sessions")).status).toBe(200);
    expect((await there.get("/session/sessions")).status).toBe(401);
    const response = await there.post("/session/sign-in", { email, password: newPassword });
    expect(response.status).toBe(200);
  });
});

test("sign-ins, ended sessions and new passwords are in the audit log", async () => {
  const email = "audited@example.com";
  const here = await fixture.signIn({ email });
  const newPassword = "Another quiet harbour";
  await here.post("/session/password", { currentPassword: password, newPassword });
  const [session] = (await here.get("/session/sessions")).json.sessions;
  await here.post("/session/sign-out");
  const { database } = fixture.service.deps;
  const user = await database.findUserByEmail(email);
  const ofUser = await listAuditEntries(database, user?.id ?? "");
  expect(ofUser.map(({ action, actor }) => [action, actor])).toEqual([
    ["user.created", "test"],
    ["member.added", "test"],
    ["user.password_changed", user?.id],
  ]);
  const ofSession = await listAuditEntries(database, session.id);
  expect(ofSession.map(({ action, actor }) => [action, actor])).toEqual([
    ["session.started", user?.id],
    ["session.ended", user?.id],
  ]);
  expect(ofSession[0]?.detail).toMatchObject({ address: "127.0.0.1" });
});

test("an attacker with a session has few tries at the password, from any address", async () => {
  const browser = await fixture.signIn({ email: "borrowed@example.com" });
  const guess = { currentPassword: "not it", newPassword: "Another quiet harbour" };
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries += 1) {
    const headers = { "x-forwarded-for": `192.0.2.${20 + tries}` };
    const request = { method: "POST", body: guess, headers };
    statuses.push((await browser.request("/session/password", request)).status);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
});

describe("other sites", () => {
  test.each([
    { origin: "https://elsewhere.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("can't change anything with %o", async (headers) => {
    const browser = await fixture.signIn({
      email: `csrf-${Object.values(headers)}@example.com`.replace(/[:/]/g, ""),
    });
    const response = await browser.request("/session/sign-out", { method: "POST", headers });
    expect(response.status).toBe(403);
    expect(response.json.code).toBe("forbidden");
    expect((await browser.get("/session/sessions")).status).toBe(200);
  });

  test("a body must be JSON and say so", async () => {
    const browser = fixture.newClient();
    const response = await browser.request("/session/sign-in", {
      method: "POST",
      body: signIn,
      headers: { "content-type": "text/plain" },
    });
    expect(response.status).toBe(400);
  });

  test("every answer forbids framing, sniffing and what comes from elsewhere", async () => {
    const { headers } = await fixture.newClient().get("/session");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });
});

describe("bad requests", () => {
  test.each([
    ["GET", "/nowhere", 404],
    ["DELETE", "/session", 405],
    ["GET", "/session?x=1", 200],
    ["GET", "/session/sessions", 401],
    ["GET", "/workspaces/not-an-id/keys", 404],
  ])("%s %s is answered %i", async (method, path, status) => {
    expect((await fixture.newClient().request(path, { method })).status).toBe(status);
  });

  test("a body that is too large is refused", async () => {
    const body = { email: "a@example.com", password: "x".repeat(300_000) };
    expect((await fixture.newClient().post("/session/sign-in", body)).status).toBe(413);
  });
});
