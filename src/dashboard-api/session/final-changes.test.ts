// A changed password, a confirmed second factor and an ended session are final: requests that began before them and
// finish after them gain nothing. Each test makes the change at one exact moment within such a request.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { base32Bytes } from "../../../test/support/base32.ts";
import {
  createDashboardClient,
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { openDashboard } from "../../app/dashboard.ts";
import type { Database } from "../../database/database.ts";
import { ResourceStack } from "../../lib/resource-stack.ts";
import { stepOf, totpCode } from "../../lib/totp.ts";
import { resetSecondFactor } from "../../use-cases/accounts/second-factor.ts";
import { setPassword } from "../../use-cases/accounts/users.ts";

const clock = new MovableClock(new Date("2026-06-01T09:00:00Z"));
const resources = new ResourceStack();
let fixture: DashboardFixture;
/** A second process, in which `during` runs at the chosen moment. */
let pausedUrl: string;
let during: { method: "resetLoginAttempts" | "takeSecondFactorStep"; act: () => Promise<unknown> };
let email: string;
let here: DashboardClient;
let count = 0;

beforeAll(async () => {
  fixture = await openDashboardFixture({ clock });
  const { deps } = fixture.service;
  const run = async (method: typeof during.method): Promise<void> => {
    const { act } = during;
    if (during.method !== method) return;
    during = { method, act: async () => {} };
    await act();
  };
  const real = deps.database.control();
  const control: Database = {
    ...real,
    async resetLoginAttempts(reset) {
      await real.resetLoginAttempts(reset);
      await run("resetLoginAttempts");
    },
    async takeSecondFactorStep(use) {
      const isTaken = await real.takeSecondFactorStep(use);
      await run("takeSecondFactorStep");
      return isTaken;
    },
  };
  const dashboard = await openDashboard(
    { ...deps, database: { ...deps.database, control: () => control } },
    resources,
  );
  const server = createServer(getRequestListener(dashboard.fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  resources.add(async () => void server.close());
  pausedUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await resources.closeAll();
  await fixture.close();
});
beforeEach(async () => {
  count += 1;
  email = `ida${count}@example.com`;
  here = await fixture.signIn({ email });
});

const byOperator = () => ({ ...fixture.service.deps, actor: "cli" });
const newPassword = "Nineteen-calm-herons";

/** The same browser at the other process. */
function atPaused(browser: DashboardClient): DashboardClient {
  const there = createDashboardClient(pausedUrl);
  const request: DashboardClient["request"] = (path, options) =>
    there.request(path, { ...options, headers: { cookie: browser.cookie() } });
  return { ...there, post: (path, body) => request(path, { method: "POST", body }) };
}

function nextCode(secret: string): string {
  clock.advance(30_000);
  return totpCode(base32Bytes(secret), stepOf(clock.now()));
}

async function countSessions(): Promise<number> {
  const { database } = fixture.service.deps;
  const user = await database.findUserByEmail(email);
  const idleSince = new Date(clock.now().getTime() - 3_600_000);
  return (await database.listSessions({ userId: user?.id ?? "", now: clock.now(), idleSince }))
    .length;
}

function signInAt(url: string, code?: string) {
  const body = code === undefined ? { email, password } : { email, password, code };
  return createDashboardClient(url).post("/session/sign-in", body);
}

test("no session begins with a password that was changed after it was checked", async () => {
  during = {
    method: "resetLoginAttempts",
    act: () => setPassword(byOperator(), { email, password: newPassword }),
  };
  const response = await signInAt(pausedUrl);
  expect(response.status).toBe(401);
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(await countSessions()).toBe(0);
});

test("no session begins without a code once a second factor was confirmed", async () => {
  const { secret } = (await here.post("/session/second-factor")).json;
  during = {
    method: "resetLoginAttempts",
    act: () => here.post("/session/second-factor/confirm", { code: nextCode(secret) }),
  };
  expect((await signInAt(pausedUrl)).status).toBe(401);
  expect(await countSessions()).toBe(1);
  expect((await signInAt(pausedUrl)).json.state).toBe("code_required");
});

test("no session begins with a code of a second factor that the operator has removed", async () => {
  const { secret } = (await here.post("/session/second-factor")).json;
  await here.post("/session/second-factor/confirm", { code: nextCode(secret) });
  during = {
    method: "takeSecondFactorStep",
    act: () => resetSecondFactor(byOperator(), { email }),
  };
  expect((await signInAt(pausedUrl, nextCode(secret))).status).toBe(401);
  expect(await countSessions()).toBe(0);
});

test("of two tabs that set up a second factor, a code confirms the secret that it was made from", async () => {
  const first = (await here.post("/session/second-factor")).json.secret;
  let second = "";
  during = {
    method: "takeSecondFactorStep",
    act: async () => {
      second = (await here.post("/session/second-factor")).json.secret;
    },
  };
  const code = nextCode(first);
  const response = await atPaused(here).post("/session/second-factor/confirm", { code });
  expect(response.status).toBe(409);
  expect((await here.get("/session/second-factor")).json.isOn).toBe(false);
  const confirmed = await here.post("/session/second-factor/confirm", { code: nextCode(second) });
  expect(confirmed.status).toBe(200);
  expect((await signInAt(fixture.service.url, nextCode(second))).json.state).toBe("signed_in");
});

test("an ended session neither changes the password nor confirms a second factor", async () => {
  during = {
    method: "resetLoginAttempts",
    act: () => setPassword(byOperator(), { email, password: newPassword }),
  };
  const body = { currentPassword: password, newPassword: "Mallory-chose-this-one" };
  expect((await atPaused(here).post("/session/password", body)).status).toBe(401);
  const owner = fixture.newClient();
  const signedIn = await owner.post("/session/sign-in", { email, password: newPassword });
  expect(signedIn.json.state).toBe("signed_in");
  const other = fixture.newClient();
  await other.post("/session/sign-in", { email, password: newPassword });
  const { secret } = (await other.post("/session/second-factor")).json;
  during = {
    method: "takeSecondFactorStep",
    act: () => owner.post("/session/sessions/end-others"),
  };
  const code = nextCode(secret);
  const confirmed = await atPaused(other).post("/session/second-factor/confirm", { code });
  expect(confirmed.status).toBe(401);
  expect((await owner.get("/session/second-factor")).json.isOn).toBe(false);
});
