import { afterAll, beforeAll, expect, test } from "vitest";
import { asAnother } from "../../test/support/as-another.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { act, operationDeps } from "../../test/support/operations.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import type { DatabaseTransaction } from "../database/database.ts";
import { parseInput } from "../domain/validation-errors.ts";
import { createTopic } from "../features/own-topics/operations.ts";
import * as topicStatements from "../features/own-topics/sql.ts";
import { addApp } from "./app.ts";
import { changeChannel, createChannel } from "./channel.ts";
import { rotateSecret, testChannel } from "./channel-actions.ts";
import { carryOut, type Frame, openFrame } from "./frame.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

const actor = { kind: "operator", name: "test" } as const;

test.each([
  ["a rehearsal that takes long ends, with its locks", true],
  ["a change that takes long goes on", false],
])("%s", async (_, isRehearsal) => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const create = () =>
    openFrame(operationDeps(context), { actor, workspaceId, isRehearsal }, async (frame) => {
      for (const name of ["one", "two", "three"]) {
        await frame.run(createTopic, { input: { name, phrases: ["some words"] } }, undefined);
        context.clock.advance(4_000);
      }
    });
  if (isRehearsal) await expect(create()).rejects.toMatchObject({ code: "rate_limited" });
  else await create();
  const topics = await context.database.with(topicStatements).listOwnTopics({ workspaceId });
  expect(topics).toHaveLength(isRehearsal ? 0 : 3);
});

test("a refusal names the changes after the version that was read, and nothing else", async () => {
  const { database, clock } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const input = { workspaceId, name: "Desk", url: "https://hooks.example.com/starpost" };
  const { id } = await act(context, createChannel, input);
  const find = () => database.findChannel({ id, workspaceId });
  const change = async (values: object, version?: number) => {
    const input = parseInput(changeChannel.schema, values);
    const expected = version === undefined ? null : conflictOf(version);
    const by = { ...actor, name: "Bob" };
    await carryOut(deps, changeChannel, { actor: by, workspaceId, id, input, expected });
    clock.advance(1_000);
  };
  const deps = operationDeps(context);
  const conflictOf = (version: number) => ({ versions: [version], code: "conflict" as const });
  await change({ stars: [2] });
  const read = await find();
  await change({ stars: [1] });
  await change({ isPaused: true });
  await act(context, rotateSecret, { id });
  for (let count = 0; count < 5; count += 1) await act(context, testChannel, { id });
  const error = await change({ name: "Late" }, read?.version).catch((refusal) => refusal);
  expect(String(error).replaceAll(/.*by /g, "")).toBe(
    "cli: channel.secret_rotated; Bob: channel.updated (isPaused); Bob: channel.updated (stars): read it again",
  );
  expect((await find())?.name).toBe(read?.name);
});

test("inside of its transaction a work that asks beside it is an error, also for a second turn", async () => {
  const { id } = await aWorkspace(context.database);
  for (const database of [context.database, context.database.forWorkspace(id)]) {
    const beside = [
      () => database.with(topicStatements).listOwnTopics({ workspaceId: id }),
      () => database.transaction(async () => undefined),
      () =>
        database
          .forWorkspace(id)
          .openReader()
          .with(topicStatements)
          .listOwnTopics({ workspaceId: id }),
    ];
    for (const statement of beside.slice(0, database === context.database ? 2 : 3)) {
      const nested = database.transaction(async () => statement());
      await expect(nested).rejects.toThrow("inside of a transaction");
      expect(await database.with(topicStatements).listOwnTopics({ workspaceId: id })).toEqual([]);
    }
  }
});

test("a rehearsal lets others use the listings that they follow, too", async () => {
  const { database, clock } = context;
  const followed = await anApp(database, { workspaceId: (await aWorkspace(database)).id });
  const { listingId, externalAppId } = followed;
  const feed = { listingId, kind: "reviews" as const, regions: ["us"] };
  await database.setFeeds({ ...feed, now: clock.now() });
  const { id: workspaceId } = await aWorkspace(database);
  const options = { actor, workspaceId, isRehearsal: true };
  await openFrame(operationDeps(context), options, async ({ run }) => {
    const input = parseInput(addApp.schema, { store: "appstore", externalAppId });
    const prepared = { details: null, warnings: [], regions: { countries: ["us"], languages: [] } };
    await run(addApp, { input }, prepared);
    // It would wait for the end of the rehearsal, which waits for it.
    const claim = async (tx: DatabaseTransaction) => {
      await tx.lockListing(listingId);
      const lease = { now: clock.now(), leasedUntil: clock.now(), token: workspaceId };
      expect(await tx.claimFeedsOfListing({ listingId, ...lease })).toHaveLength(1);
    };
    await asAnother(() => database.transaction(claim));
  });
});

test("a rehearsal waits for no lock of its workspace, and only one runs at a time", async () => {
  const { database, clock } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const { id: other } = await aWorkspace(database);
  const input = parseInput(addApp.schema, { store: "appstore", externalAppId: "4711" });
  const prepared = { details: null, warnings: [], regions: { countries: ["us"], languages: [] } };
  const options = { actor, workspaceId, isRehearsal: true };
  await database.transaction(async (tx) => {
    await tx.lockWorkspace(workspaceId);
    const rehearse = async ({ run }: Frame) => {
      await run(addApp, { input }, prepared);
      const second = asAnother(() =>
        openFrame(operationDeps(context), options, async () => "second"),
      );
      await expect(second).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
      // The same new app, in another workspace: it would wait for the end of the rehearsal, which waits for it.
      const app = { actor, workspaceId: other };
      const added = await asAnother(() =>
        openFrame(operationDeps(context), app, (frame) => frame.run(addApp, { input }, prepared)),
      );
      expect(added.result.result).toMatchObject({ externalAppId: "4711", addedAt: clock.now() });
    };
    await asAnother(() => openFrame(operationDeps(context), options, rehearse));
  });
  expect(await database.listApps({ workspaceId })).toEqual([]);
});
