import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { operationDeps } from "../../test/support/operations.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { parseInput } from "../domain/validation-errors.ts";
import { addApp } from "./app.ts";
import { openFrame } from "./frame.ts";
import { createTopic } from "./topic.ts";

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
  const topics = await context.database.listOwnTopics({ workspaceId });
  expect(topics).toHaveLength(isRehearsal ? 0 : 3);
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
    await database.transaction(async (tx) => {
      await tx.lockListing(listingId);
      const lease = { now: clock.now(), leasedUntil: clock.now(), token: workspaceId };
      expect(await tx.claimFeedsOfListing({ listingId, ...lease })).toHaveLength(1);
    });
  });
});
