// Accounts as operators handle them, stored and refused passwords, and the set-up.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { aWorkspace } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { emailSchema, passwordSchema } from "../../domain/people/user-input.ts";
import { hashPassword, isPassword } from "./password-hash.ts";
import { completeSetup, completeSetupFromSettings, createSetupLink } from "./setup.ts";
import { createUser, deleteUser, setPassword } from "./users.ts";

let context: TestContext;
let workspaceId: string;
const password = "Seventeen-quiet-otters";

beforeAll(async () => {
  context = await openTestContext();
  workspaceId = (await aWorkspace(context.database)).id;
});
afterAll(() => context.close());

const deps = () => ({ clock: context.clock, database: context.database, actor: "test" });
const input = (email: string, more: object = {}) => ({
  email,
  name: null,
  password: null,
  workspaceId,
  role: null,
  ...more,
});

/** The user who claimed an installation, according to its audit log. */
async function listClaims({ database }: TestContext) {
  const entries = await database.listRecentAuditEntries({ workspaceId: null, limit: 100 });
  return entries
    .filter(({ action }) => action === "setup.claimed")
    .map(({ actor, subject, detail }) => ({ actor, subject, detail }));
}

describe("the set-up", () => {
  test("of two at the same moment creates one user", async () => {
    const context = await openTestContext();
    onTestFinished(() => context.close());
    const { clock, database } = context;
    const { id: workspaceId } = await aWorkspace(database);
    const setup = { clock, database, defaultPlan: "studio" as const };
    const token = (await createSetupLink(setup))?.token ?? null;
    const claim = (email: string) =>
      completeSetup(setup, { token, email, name: "A", password, workspaceName: null });
    const claimed = await Promise.allSettled([claim("a@example.com"), claim("b@example.com")]);
    expect(claimed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await createSetupLink(setup)).toBeNull();
    const [user, ...more] = await database.listUsers();
    expect(more).toEqual([]);
    const claims = await listClaims(context);
    expect(claims).toEqual([
      { actor: user?.id, subject: user?.id, detail: { by: "link", workspaceIds: [workspaceId] } },
    ]);
  });

  test("from the settings is in the audit log once, however often the service starts", async () => {
    const other = await openTestContext();
    try {
      const { clock, database } = other;
      const setup = { clock, database, defaultPlan: "studio" as const };
      const account = { email: "ada@example.com", password };
      await completeSetupFromSettings(setup, account);
      await completeSetupFromSettings(setup, account);
      expect(await listClaims(other)).toMatchObject([{ detail: { by: "settings" } }]);
    } finally {
      await other.close();
    }
  });

  test("links end after a week", async () => {
    const other = await openTestContext();
    try {
      const setup = {
        clock: other.clock,
        database: other.database,
        defaultPlan: "studio" as const,
      };
      const token = (await createSetupLink(setup))?.token ?? null;
      other.clock.advance(7 * 86_400_000);
      const late = { token, email: "a@example.com", name: "A", password, workspaceName: null };
      await expect(completeSetup(setup, late)).rejects.toMatchObject({ code: "not_found" });
    } finally {
      await other.close();
    }
  });
});

describe("an operator", () => {
  test("creates users; the first of a workspace is its owner, and a generated password works", async () => {
    const { id } = await aWorkspace(context.database, { name: "Fresh" });
    const first = await createUser(deps(), input("one@example.com", { workspaceId: id }));
    expect(first).toMatchObject({ role: "owner", email: "one@example.com" });
    const second = await createUser(
      deps(),
      input("Two@Example.com", { workspaceId: id, password }),
    );
    expect(second).toEqual({
      id: second.id,
      email: "two@example.com",
      workspaceId: id,
      role: "member",
    });
    const user = await context.database.findUserByEmail("one@example.com");
    expect(await isPassword(first.password ?? "", user?.passwordHash ?? null)).toBe(true);
  });

  test("puts a user with an account into a further workspace, without touching the password", async () => {
    const { id } = await aWorkspace(context.database, { name: "Further" });
    const created = await createUser(deps(), input("both@example.com", { password }));
    const again = await createUser(deps(), input("both@example.com", { workspaceId: id }));
    expect(again).toEqual({ id: created.id, email: created.email, workspaceId: id, role: "owner" });
    const third = input("both@example.com", { workspaceId: id, password });
    await expect(createUser(deps(), third)).rejects.toMatchObject({ code: "conflict" });
    const twice = input("both@example.com", { workspaceId: id });
    await expect(createUser(deps(), twice)).rejects.toMatchObject({ code: "conflict" });
  });

  test("refuses an address that an invited user took, until a link to it was used", async () => {
    const { id } = await aWorkspace(context.database, { name: "Taken" });
    const email = "ceo@example.com";
    const { database } = context;
    const taken = { id: randomUUID(), email, name: "Stranger", passwordHash: "x" };
    await database.transaction((tx) => tx.insertUser({ ...taken, createdAt: context.clock.now() }));
    const values = input(email, { workspaceId: id });
    await expect(createUser(deps(), values)).rejects.toThrow("its address is not confirmed");
    expect(await database.listMembers(id)).toEqual([]);
    await database.transaction((tx) => tx.confirmEmail({ id: taken.id, now: context.clock.now() }));
    expect(await createUser(deps(), values)).toMatchObject({ id: taken.id, role: "owner" });
  });

  test.each([
    [{ email: "nobody" }, "email"],
    [{ password: "short" }, "password"],
    [{ role: "king" }, "role"],
    [{ workspaceId: "none" }, "workspace"],
  ])("is refused %o", async (wrong, field) => {
    const creating = createUser(deps(), input("x@example.com", wrong));
    await expect(creating).rejects.toMatchObject({ fields: [{ field }] });
  });

  test("gives a new password, and takes an account away", async () => {
    await createUser(deps(), input("gone@example.com", { password }));
    const reset = await setPassword(deps(), { email: "gone@example.com", password: null });
    const user = await context.database.findUserByEmail("gone@example.com");
    expect(await isPassword(reset.password ?? "", user?.passwordHash ?? null)).toBe(true);
    await deleteUser(deps(), { email: "Gone@example.com" });
    expect(await context.database.findUserByEmail("gone@example.com")).toBeNull();
    const again = deleteUser(deps(), { email: "gone@example.com" });
    await expect(again).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("passwords", () => {
  test("are stored with a salt of their own, and no other password matches", async () => {
    const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
    expect(one).not.toBe(other);
    expect(await isPassword(password, one)).toBe(true);
    expect(await isPassword(`${password} `, one)).toBe(false);
    expect(await isPassword(password, null)).toBe(false);
  });

  test.each([
    ["correct horse battery", true],
    ["Übermorgen früh um fünf", true],
    ["7h#Kq2!vLx9z", true],
    ["password1234", false],
    ["qwertyuiop12", false],
    ["aaaaaaaaaaaa", false],
    ["abcabcabcabc", false],
    ["123456789012", false],
    ["abcdefghijklm", false],
    ["mira@example.com", false],
    ["mira12345678", false],
    ["elevenchars", false],
    ["trustno1trustno1", false],
    ["iloveyou1234567", false],
    ["1q2w3e4r5t6y", false],
    ["zaq12wsxcde3", false],
    ["qazwsxedcrfv", false],
    ["michaeljackson", false],
    ["thisisapassword", false],
    ["P@ssw0rd1234", false],
    ["letmeinplease1", false],
    ["december2025!", false],
    ["starpost2026!", false],
    ["correcthorsebatterystaple", false],
    ["qwertzuiop12", false],
    ["poiuytrewq12", false],
    ["Willkommen2026", false],
    ["01.01.1990abc", false],
    ["x".repeat(129), false],
  ])("%s is taken: %s", (text, isTaken) => {
    const schema = passwordSchema({ email: "mira@example.com", name: "Mira" });
    expect(schema.safeParse(text).success).toBe(isTaken);
  });

  test.each([
    [" A@B.example ", "a@b.example"],
    ["no", null],
    ["a b@c", null],
    ["a\u0000@b.example", null],
    [`${"a".repeat(251)}@b.c`, null],
  ])("an address %s is read as %s", (text, email) => {
    expect(emailSchema.safeParse(text).data ?? null).toBe(email);
  });
});
