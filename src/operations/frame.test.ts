import { afterAll, beforeAll, expect, test } from "vitest";
import { aWorkspace } from "../../test/support/factories.ts";
import { operationDeps } from "../../test/support/operations.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { openFrame } from "./frame.ts";
import { createTopic } from "./topic.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test.each([
  ["a rehearsal that takes long ends, with its locks", true],
  ["a change that takes long goes on", false],
])("%s", async (_, isRehearsal) => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const actor = { kind: "operator", name: "test" } as const;
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
