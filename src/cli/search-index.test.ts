import { afterAll, beforeAll, expect, test } from "vitest";
import { openCliHarness } from "../../test/support/cli-harness.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";

let world: TestContext;
const { run, runJson } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
});
afterAll(() => world.close());

test("the search index is made, shown and dropped by commands", async () => {
  const none = { exitCode: 0, value: { state: "none", bytes: 0 } };
  expect(await runJson(["search-index", "status"])).toEqual(none);
  const made = await run(["search-index", "create"]);
  expect({ exitCode: made.exitCode, stdout: made.stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^state {2}ready\nbytes {2}\d+\n$/),
  });
  const bytes = Number(/\d+/.exec(made.stdout)?.[0]);
  expect(await runJson(["search-index", "status"])).toEqual({
    exitCode: 0,
    value: { state: "ready", bytes },
  });
  expect((await run(["status"])).stdout).toMatch(/search index.*used by searches/);
  expect(await runJson(["search-index", "drop"])).toEqual(none);
});
