// Passwords of accounts on the command line.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCliHarness } from "../../../test/support/cli-harness.ts";
import { aWorkspace } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { isPassword } from "../../use-cases/accounts/password-hash.ts";

let context: TestContext;
const { runJson } = openCliHarness(() => context);
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("a password is read from standard input, and never twice", async () => {
  const { id } = await aWorkspace(context.database);
  const create = ["user", "create", "--email", "ida@example.com", "--workspace", id];
  const password = "seventeen quiet otters ";
  const twice = await runJson([...create, "--password-stdin", "--password", "x"], { input: "y" });
  expect(twice.exitCode).not.toBe(0);
  const long = await runJson([...create, "--password-stdin"], { input: "x".repeat(5_000) });
  expect(long.exitCode).not.toBe(0);
  const created = await runJson([...create, "--password-stdin"], { input: `${password}\r\n` });
  expect(created.exitCode).toBe(0);
  const user = await context.database.findUserByEmail("ida@example.com");
  expect(await isPassword(password, user?.passwordHash ?? "")).toBe(true);
});
