// The service behind PgBouncer: in transaction mode with a connection past it, and in session mode.
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import { channelDefaults } from "../../src/domain/channel/channel.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { createChannel, createKey, createWorkspace, revokeKey } from "../support/acts.ts";
import { openCliHarness } from "../support/cli-harness.ts";
import { aDelivery, anApp, aReview, aWorkspace, saveReviews } from "../support/factories.ts";
import { hasPgBouncer, openPgBouncer } from "../support/pgbouncer.ts";
import { openReceiver } from "../support/receiver.ts";
import { openTestContext, type TestContext } from "../support/test-context.ts";
import { waitFor } from "../support/wait-for.ts";

const isInstalled = await hasPgBouncer();
if (!isInstalled) process.stderr.write("no PgBouncer (Debian's package pgbouncer): skipped\n");

let context: TestContext;
let resources: ResourceStack;
beforeEach(async () => {
  context = await openTestContext();
  resources = new ResourceStack();
  resources.add(() => context.close());
});
afterEach(() => resources.closeAll());

async function openBouncer(mode: "session" | "transaction"): Promise<string> {
  const bouncer = await openPgBouncer({ mode, server: context.connectionString });
  resources.add(() => bouncer.close());
  return bouncer.urlOf(context.connectionString);
}

describe.skipIf(!isInstalled)("behind PgBouncer", () => {
  for (const mode of ["transaction", "session"] as const) {
    test(`in ${mode} mode the service answers, delivers and revokes keys at once`, async () => {
      const env = {
        DATABASE_URL: await openBouncer(mode),
        DATABASE_LISTEN_URL: context.connectionString,
        DATABASE_STATEMENTS: "unnamed",
        DATABASE_POOL_MAX: "20",
        DATA_DIR: "/nowhere",
        ENCRYPTION_KEY: "00".repeat(32),
        PORT: "0",
        ROLES: "api,deliver",
        WEBHOOK_ALLOW_HTTP: "true",
        WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
      };
      const config = readConfig({ envFile: "none", env });
      const service = await startService({ config, log: silentLog });
      resources.add(() => service.close());
      const deps = { ...service.deps, actor: "test" };
      const { id: workspaceId } = await createWorkspace(deps, { name: "Reef", plan: "studio" });
      const { id: keyId, key } = await createKey(deps, { workspaceId, name: "test" });
      const app = await anApp(service.deps.database, { workspaceId });
      await saveReviews(service.deps.database, app, [aReview(), aReview()]);
      const get = () =>
        fetch(`${service.url}/api/v1/reviews?app=${app.id}`, {
          headers: { authorization: `Bearer ${key}` },
        });
      const answers = await Promise.all(Array.from({ length: 40 }, get));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));

      const receiver = await openReceiver();
      resources.add(() => receiver.close());
      const target = { workspaceId, name: "All", url: receiver.url, apps: [app.id] };
      const { channel } = await createChannel(deps, { ...channelDefaults, ...target });
      await service.deps.database.enqueueDeliveries({
        deliveries: [aDelivery(channel, { now: service.deps.clock.now() })],
        now: service.deps.clock.now(),
      });
      await receiver.waitFor(1);

      await revokeKey(deps, { id: keyId, workspaceId });
      await waitFor(async () => (await get()).status === 401, {
        withinMs: 10_000,
        what: "the end of a revoked key",
      });
    });
  }

  test("a SQL user's address leads past it, to the server that knows the role", async () => {
    const { id } = await aWorkspace(context.database);
    const env = {
      DATABASE_URL: await openBouncer("transaction"),
      DATABASE_LISTEN_URL: context.connectionString,
    };
    const { runJson } = openCliHarness(() => context);
    const create = ["sql-user", "create", "--workspace", id, "--name", "metabase"];
    const { url } = (await runJson(create, { env })).value as Record<string, string>;
    const direct = new pg.Client(url);
    await direct.connect();
    expect((await direct.query("select * from reviews")).rows).toEqual([]);
    await direct.end();
    const { username, password } = new URL(String(url));
    const pooled = Object.assign(new URL(env.DATABASE_URL), { username, password });
    await expect(new pg.Client(pooled.href).connect()).rejects.toThrow();
  });

  test("notifications that don't arrive are reported, and migrating works", async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
    const connection = { connectionString: await openBouncer("transaction") };
    const database = await openDatabase({ log, connection, isPooled: true });
    resources.add(() => database.close());
    expect(await database.migrate()).toEqual([]);
    database.listen("jobs", () => {});
    const reported = () => warnings.find((message) => message.includes("DATABASE_LISTEN_URL"));
    await waitFor(reported, { withinMs: 10_000, what: "the warning" });
  });
});

test("a pooler in transaction mode needs a connection past it", async () => {
  const env = { DATABASE_URL: context.connectionString, DATABASE_STATEMENTS: "unnamed" };
  const config = readConfig({ envFile: "none", env });
  await expect(startService({ config, log: silentLog })).rejects.toMatchObject({
    code: "invalid_setting",
    message: expect.stringContaining("DATABASE_LISTEN_URL"),
  });
});
