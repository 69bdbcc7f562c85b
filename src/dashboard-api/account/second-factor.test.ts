// The second factor over the real service, with a clock that moves: setting it up, signing in, giving it up, and
// entering the password once more before what is dangerous.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { base32Bytes } from "../../../test/support/base32.ts";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { silentLog } from "../../lib/log.ts";
import { stepOf, totpCode } from "../../lib/totp.ts";
import { resetSecondFactor } from "../../use-cases/accounts/second-factor.ts";

const minutes = (count: number) => count * 60_000;
const clock = new MovableClock(new Date("2026-06-01T09:00:00Z"));
let fixture: DashboardFixture;
let email: string;
let here: DashboardClient;
let count = 0;

beforeAll(async () => {
  fixture = await openDashboardFixture({ clock });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  count += 1;
  email = `ida${count}@example.com`;
  here = await fixture.signIn({ email });
});

/** The code that the user's app shows. Each code is used once, so time goes on to the next. */
function nextCode(secret: string): string {
  clock.advance(30_000);
  return totpCode(base32Bytes(secret), stepOf(clock.now()));
}

async function setUp(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await here.post("/session/second-factor")).json;
  const confirmed = await here.post("/session/second-factor/confirm", { code: nextCode(secret) });
  return { secret, recoveryCodes: confirmed.json.recoveryCodes };
}

function signIn(code?: string, client = fixture.newClient()) {
  const body = code === undefined ? { email, password } : { email, password, code };
  return client.post("/session/sign-in", body);
}

describe("setting it up", () => {
  test("takes a first code, ends other sessions and gives ten recovery codes", async () => {
    const there = fixture.newClient();
    await signIn(undefined, there);
    const started = await here.post("/session/second-factor");
    const { secret, uri } = started.json;
    expect(uri).toBe(
      `otpauth://totp/Starpost:${encodeURIComponent(email)}?secret=${secret}&issuer=Starpost`,
    );
    expect((await here.get("/session/second-factor")).json.isOn).toBe(false);
    const wrong = await here.post("/session/second-factor/confirm", { code: "000000" });
    expect([wrong.status, wrong.json.fields[0].field]).toEqual([400, "code"]);
    // Not yet confirmed: the password is enough.
    expect((await signIn()).json.state).toBe("signed_in");
    const code = nextCode(secret);
    const confirmed = await here.post("/session/second-factor/confirm", { code });
    expect(new Set(confirmed.json.recoveryCodes).size).toBe(10);
    expect(confirmed.json.recoveryCodes[0]).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    expect((await there.get("/session/sessions")).status).toBe(401);
    expect((await here.get("/session/second-factor")).json).toMatchObject({
      isOn: true,
      recoveryCodeCount: 10,
    });
    expect((await here.post("/session/second-factor")).status).toBe(409);
  });

  test("is seen by owners, and neither secret nor recovery codes are stored in the clear", async () => {
    const { secret, recoveryCodes } = await setUp();
    const members = (await here.get(`/workspaces/${fixture.service.workspaceId}/members`)).json;
    const mine = members.members.find((one: { email: string }) => one.email === email);
    expect(mine.hasSecondFactor).toBe(true);
    const { database } = fixture.service.deps;
    const factor = await database.findSecondFactor(mine.userId);
    const stored = factor?.encryptedSecret ?? Buffer.alloc(0);
    expect(stored.includes(base32Bytes(secret))).toBe(false);
    expect(stored.includes(base32Bytes(secret).toString("base64"))).toBe(false);
    const [code = ""] = recoveryCodes;
    expect(await database.takeRecoveryCode({ userId: mine.userId, hash: Buffer.from(code) })).toBe(
      false,
    );
  });
});

describe("signing in", () => {
  test("needs the password and a code that was not used before", async () => {
    const { secret } = await setUp();
    const first = await signIn();
    expect([first.status, first.json]).toEqual([200, { state: "code_required" }]);
    expect(first.headers.get("set-cookie")).toBeNull();
    const code = nextCode(secret);
    expect((await signIn(code)).json.state).toBe("signed_in");
    const again = await signIn(code);
    expect([again.status, again.json.fields]).toEqual([
      401,
      [{ field: "code", message: "doesn't match: enter the one that the app shows now" }],
    ]);
    // A code is nothing without the password, and does not reveal that there is a second factor.
    const body = { email, password: "wrong", code: nextCode(secret) };
    const wrong = await fixture.newClient().post("/session/sign-in", body);
    expect([wrong.status, wrong.json.fields]).toEqual([401, []]);
  });

  test("of two requests with one code at the same moment one gets in", async () => {
    const { secret } = await setUp();
    const code = nextCode(secret);
    const from = (address: string) =>
      fixture.newClient().request("/session/sign-in", {
        method: "POST",
        body: { email, password, code },
        headers: { "x-forwarded-for": address },
      });
    const responses = await Promise.all([from("192.0.2.1"), from("192.0.2.2")]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("works once with a recovery code, however it is typed", async () => {
    const { recoveryCodes } = await setUp();
    const [first = "", second = ""] = recoveryCodes;
    expect((await signIn(first.toLowerCase().replaceAll("-", " "))).json.state).toBe("signed_in");
    expect((await signIn(first)).status).toBe(401);
    expect((await signIn(second)).json.state).toBe("signed_in");
    expect((await here.get("/session/second-factor")).json.recoveryCodeCount).toBe(8);
  });

  test("an attacker with the password has five tries at the code, from any address", async () => {
    const { secret } = await setUp();
    const from = (index: number, code: string) =>
      fixture.newClient().request("/session/sign-in", {
        method: "POST",
        body: { email, password, code },
        headers: { "x-forwarded-for": `198.51.100.${index}` },
      });
    const statuses: number[] = [];
    for (let index = 1; index <= 5; index += 1) {
      statuses.push((await from(index, "000000")).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    expect((await from(6, nextCode(secret))).status).toBe(429);
    // The browser that signed in before is counted on its own.
    expect((await signIn(nextCode(secret), here)).status).toBe(200);
    const user = await fixture.service.deps.database.findUserByEmail(email);
    const refused = await listAuditEntries(fixture.service.deps.database, user?.id ?? "");
    const actions = refused.map(({ action }) => action);
    expect(actions.filter((action) => action === "second_factor.code_refused")).toHaveLength(5);
  });
});

describe("what is dangerous", () => {
  test("asks for password and code again after 15 minutes", async () => {
    const { secret } = await setUp();
    const keys = `/workspaces/${fixture.service.workspaceId}/keys`;
    expect((await here.post(keys, { name: "Early" })).status).toBe(200);
    clock.advance(minutes(16));
    const refused = await here.post(keys, { name: "Late" });
    expect([refused.status, refused.json.code]).toEqual([403, "reauthentication_required"]);
    const prove = (body: object) => here.post("/session/reauthenticate", body);
    const wrong = await prove({ password: "wrong", code: nextCode(secret) });
    expect(wrong.json.fields).toEqual([{ field: "password", message: "is wrong" }]);
    const missing = await prove({ password });
    expect(missing.json.fields).toEqual([{ field: "code", message: "is required" }]);
    expect((await here.post(keys, { name: "Late" })).status).toBe(403);
    expect((await prove({ password, code: nextCode(secret) })).status).toBe(200);
    expect((await here.post(keys, { name: "Late" })).status).toBe(200);
  });

  test("is also giving the second factor up, and new recovery codes", async () => {
    const { secret, recoveryCodes } = await setUp();
    clock.advance(minutes(16));
    expect((await here.delete("/session/second-factor")).status).toBe(403);
    expect((await here.post("/session/second-factor/recovery-codes")).status).toBe(403);
    await here.post("/session/reauthenticate", { password, code: nextCode(secret) });
    const renewed = (await here.post("/session/second-factor/recovery-codes")).json.recoveryCodes;
    expect((await signIn(recoveryCodes[0])).status).toBe(401);
    expect((await signIn(renewed[0])).json.state).toBe("signed_in");
    expect((await here.delete("/session/second-factor")).status).toBe(200);
    expect((await signIn()).json.state).toBe("signed_in");
  });
});

test("an operator can take it away, which ends the user's sessions", async () => {
  await setUp();
  const { database } = fixture.service.deps;
  const deps = { clock, database, log: silentLog, actor: "cli" };
  const user = await resetSecondFactor(deps, { email: email.toUpperCase() });
  expect((await here.get("/session/sessions")).status).toBe(401);
  expect((await signIn()).json.state).toBe("signed_in");
  const entries = await listAuditEntries(database, user.id);
  expect(entries.at(-1)).toMatchObject({ action: "second_factor.removed", actor: "cli" });
  await expect(resetSecondFactor(deps, { email })).rejects.toThrow("no second factor");
});

describe("a workspace that requires it", () => {
  let base: string;
  beforeEach(async () => {
    const workspaceId = await fixture.addWorkspace("Strict");
    base = `/workspaces/${workspaceId}`;
    email = `olga${count}@example.com`;
    here = await fixture.signIn({ email, workspaceId });
  });
  const require = (client = here, isRequired = true) =>
    client.patch(`${base}/settings`, { requiresSecondFactor: isRequired });
  const join = (name: string) =>
    fixture.signIn({
      email: `${name}${count}@example.com`,
      workspaceId: base.slice("/workspaces/".length),
      role: "member",
    });

  test("is set by an owner who has one, with a recent password", async () => {
    const refused = await require();
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      "Set up your own second factor first.",
    ]);
    await setUp();
    expect((await require(await join("ben"))).json.code).toBe("forbidden");
    clock.advance(minutes(16));
    expect((await require()).json.code).toBe("reauthentication_required");
    const proof = await here.post("/session/reauthenticate", { password, code: "" });
    expect(proof.status).toBe(400);
  });

  test("answers members without one only after they have set it up", async () => {
    await setUp();
    const ben = await join("ben");
    expect((await require()).json.workspace.requiresSecondFactor).toBe(true);
    const refused = await ben.get(`${base}/overview`);
    expect([refused.status, refused.json.code]).toEqual([403, "second_factor_required"]);
    expect(refused.json.detail).toBe("Strict requires a second factor: set one up first.");
    expect((await ben.get("/session")).json.workspaces).toMatchObject([
      { name: "Strict", mustSetUpSecondFactor: true },
    ]);
    // An owner who has it goes on as before, and a confirmed code opens the workspace to Ben.
    expect((await here.get(`${base}/overview`)).status).toBe(200);
    const { secret } = (await ben.post("/session/second-factor")).json;
    expect((await ben.get(`${base}/overview`)).status).toBe(403);
    await ben.post("/session/second-factor/confirm", { code: nextCode(secret) });
    expect((await ben.get(`${base}/overview`)).status).toBe(200);
    // Giving it up leads back to setting it up.
    await ben.delete("/session/second-factor");
    expect((await ben.get(`${base}/overview`)).json.code).toBe("second_factor_required");
    expect((await require(here, false)).status).toBe(200);
    expect((await ben.get(`${base}/overview`)).status).toBe(200);
    const { entries } = (await here.get(`${base}/audit`)).json;
    const changes = entries.filter(
      ({ action }: { action: string }) => action === "workspace.updated",
    );
    expect(changes).toMatchObject([
      { detail: { changes: { requiresSecondFactor: [true, false] } } },
      { detail: { changes: { requiresSecondFactor: [false, true] } } },
    ]);
  });
});
