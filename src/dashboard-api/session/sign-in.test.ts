// Signing in over the real service: sessions, throttle, cookies, and what other sites may not do.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";

let world: DashboardFixture;
beforeAll(async () => {
  world = await openDashboardFixture();
  await world.signIn({ email: "ida@example.com" });
});
afterAll(() => world.close());

const signIn = { email: "Ida@Example.com ", password };

describe("signing in", () => {
  test("gives a session that scripts can't read, and signing out ends it for good", async () => {
    const browser = world.newClient();
    expect((await browser.get("/session")).json).toEqual({ state: "signed_out" });
    const said = await browser.post("/session/sign-in", signIn);
    expect(said.json).toMatchObject({
      state: "signed_in",
      user: { email: "ida@example.com", name: "ida" },
      workspaces: [{ id: world.service.workspaceId, role: "owner", plan: "studio" }],
      workspaceId: world.service.workspaceId,
    });
    const cookie = said.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      /^starpost=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const kept = browser.cookie();
    expect((await browser.post("/session/sign-out")).status).toBe(200);
    const stolen = await browser.request("/session/sessions", { headers: { cookie: kept } });
    expect(stolen.status).toBe(401);
  });

  test("a wrong password and an unknown address are answered alike", async () => {
    const browser = world.newClient();
    const wrong = await browser.post("/session/sign-in", { ...signIn, password: "wrong" });
    const unknown = await browser.post("/session/sign-in", { ...signIn, email: "no@example.com" });
    expect(wrong.status).toBe(401);
    const { requestId: _, ...told } = wrong.json;
    expect(unknown.json).toMatchObject(told);
    expect(wrong.headers.get("set-cookie")).toBeNull();
  });

  test("the sixth wrong try for one account is turned away, even with the right password", async () => {
    await world.signIn({ email: "target@example.com" });
    const browser = world.newClient();
    const email = "target@example.com";
    const statuses: number[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      statuses.push((await browser.post("/session/sign-in", { email, password: "no" })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const said = await browser.post("/session/sign-in", { email, password });
    expect(said.status).toBe(429);
    expect(said.json.retryAfter).toBeGreaterThan(600);
    expect(said.headers.get("retry-after")).toBe(String(said.json.retryAfter));
    // From elsewhere the account is still open.
    const elsewhere = await world.newClient().request("/session/sign-in", {
      method: "POST",
      body: { email, password },
      headers: { "x-forwarded-for": "192.0.2.7" },
    });
    expect(elsewhere.status).toBe(200);
  });

  test("one address can't lock an account for everybody else, with as many tries as it likes", async () => {
    const email = "locked@example.com";
    await world.signIn({ email });
    const from = (address: string, given: string) =>
      world.newClient().request("/session/sign-in", {
        method: "POST",
        body: { email, password: given },
        headers: { "x-forwarded-for": address },
      });
    // All of one network are one address.
    for (let tries = 0; tries < 40; tries += 1) await from(`2001:db8:5::${tries + 1}`, "no");
    expect((await from("2001:db8:5::ffff", password)).status).toBe(429);
    expect((await from("192.0.2.8", password)).status).toBe(200);
  });

  test("what no address can be is refused like a wrong password, and is not kept", async () => {
    const browser = world.newClient();
    const typed = { email: "my secret\u0000 phrase", password };
    expect((await browser.post("/session/sign-in", typed)).status).toBe(401);
  });

  test("every sign-in has a token of its own, and the session of before ends", async () => {
    const browser = world.newClient();
    await browser.post("/session/sign-in", signIn);
    const before = browser.cookie();
    await browser.post("/session/sign-in", signIn);
    expect(browser.cookie()).not.toBe(before);
    const old = await world
      .newClient()
      .request("/session/sessions", { headers: { cookie: before } });
    expect(old.status).toBe(401);
  });
});

describe("sessions", () => {
  test("are listed and ended one by one or all at once", async () => {
    const here = await world.signIn({ email: "many@example.com" });
    const there = world.newClient();
    const third = world.newClient();
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

  test("of somebody else can't be ended", async () => {
    const mine = await world.signIn({ email: "mine@example.com" });
    const theirs = await world.signIn({ email: "theirs@example.com" });
    const [session] = (await theirs.get("/session/sessions")).json.sessions;
    expect((await mine.delete(`/session/sessions/${session.id}`)).status).toBe(404);
    expect((await theirs.get("/session/sessions")).status).toBe(200);
  });

  test("end with a new password, but for the one that set it", async () => {
    const email = "changes@example.com";
    const here = await world.signIn({ email });
    const there = world.newClient();
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
    const said = await there.post("/session/sign-in", { email, password: newPassword });
    expect(said.status).toBe(200);
  });
});

test("whoever has somebody's session has few tries at the password, from wherever", async () => {
  const browser = await world.signIn({ email: "borrowed@example.com" });
  const guess = { currentPassword: "not it", newPassword: "Another quiet harbour" };
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries += 1) {
    const headers = { "x-forwarded-for": `192.0.2.${20 + tries}` };
    const asked = { method: "POST", body: guess, headers };
    statuses.push((await browser.request("/session/password", asked)).status);
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
    const browser = await world.signIn({
      email: `csrf-${Object.values(headers)}@example.com`.replace(/[:/]/g, ""),
    });
    const said = await browser.request("/session/sign-out", { method: "POST", headers });
    expect(said.status).toBe(403);
    expect(said.json.code).toBe("forbidden");
    expect((await browser.get("/session/sessions")).status).toBe(200);
  });

  test("a body must be JSON and say so", async () => {
    const browser = world.newClient();
    const said = await browser.request("/session/sign-in", {
      method: "POST",
      body: signIn,
      headers: { "content-type": "text/plain" },
    });
    expect(said.status).toBe(400);
  });

  test("every answer forbids framing, sniffing and what comes from elsewhere", async () => {
    const { headers } = await world.newClient().get("/session");
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
    expect((await world.newClient().request(path, { method })).status).toBe(status);
  });

  test("a body that is too large is refused", async () => {
    const body = { email: "a@example.com", password: "x".repeat(300_000) };
    expect((await world.newClient().post("/session/sign-in", body)).status).toBe(413);
  });
});
