// How long a session lasts, and that expired ones are deleted even without a sign-in.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { silentLog } from "../../lib/log.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { createSessions, startSessionMaintenance } from "./sessions.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

const client = { address: "192.0.2.1", browser: "Test" };

async function aUser(): Promise<string> {
  const now = context.clock.now();
  const id = uuidV7(now);
  const user = { id, email: `${id}@example.com`, name: "Ida", passwordHash: "", createdAt: now };
  await context.database.insertUser(user);
  return id;
}

test("a session that came through the provider ends when the settings say", async () => {
  const settings = { providerSessionMs: 2 * hourMs };
  const sessions = createSessions({ ...context, settings });
  const identity = { userId: await aUser(), checked: null };
  const short = await sessions.begin({ ...identity, isFromProvider: true }, client);
  const long = await sessions.begin(identity, client);
  context.clock.advance(2 * hourMs - minuteMs);
  expect(await sessions.find(short.token, client)).not.toBeNull();
  context.clock.advance(2 * minuteMs);
  expect(await sessions.find(short.token, client)).toBeNull();
  expect(await sessions.find(long.token, client)).not.toBeNull();
});

test("a session ends after 12 hours without use, and after 30 days in all", async () => {
  const sessions = createSessions({ ...context, settings: { providerSessionMs: 2 * hourMs } });
  const idle = await sessions.begin({ userId: await aUser(), checked: null }, client);
  const used = await sessions.begin({ userId: await aUser(), checked: null }, client);
  context.clock.advance(12 * hourMs - minuteMs);
  expect(await sessions.find(used.token, client)).not.toBeNull();
  context.clock.advance(2 * minuteMs);
  expect(await sessions.find(idle.token, client)).toBeNull();
  for (let hours = 12; hours < 29 * 24; hours += 11) {
    context.clock.advance(11 * hourMs);
    expect(await sessions.find(used.token, client)).not.toBeNull();
  }
  for (let hours = 0; hours < 33; hours += 11) {
    context.clock.advance(11 * hourMs);
    await sessions.find(used.token, client);
  }
  expect(await sessions.find(used.token, client)).toBeNull();
});

test("counted attempts are deleted when they expire, even without a sign-in", async () => {
  const { clock, database } = context;
  const endsAt = new Date(clock.now().getTime() + minuteMs);
  const attempt = { keys: ["account x"], now: clock.now(), endsAt };
  await database.countLoginAttempts(attempt);
  clock.advance(2 * minuteMs);
  const maintenance = startSessionMaintenance({ clock, log: silentLog, database });
  // Counting again at the old time shows whether the row is still there.
  await waitFor(async () => (await database.countLoginAttempts(attempt))[0]?.attemptCount === 1, {
    withinMs: 5_000,
    what: "the deletion of counted attempts",
  });
  await maintenance.close();
});
