import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createKey,
  createWorkspace,
  revokeKey,
  setWorkspacePlan,
} from "../../test/support/acts.ts";
import { aWorkspace } from "../../test/support/factories.ts";
import { listAuditEntries } from "../../test/support/list-audit-entries.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { hashToken } from "../use-cases/accounts/link-token.ts";
import { generateKey, prefixOf } from "./key.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("a key has 46 characters, whatever the random bytes are", () => {
  expect(generateKey((count) => Buffer.alloc(count))).toBe(`sp_${"0".repeat(43)}`);
  const highest = generateKey((count) => Buffer.alloc(count, 0xff));
  expect(highest).toMatch(/^sp_[0-9A-Za-z]{43}$/);
  expect(highest.charAt(3)).not.toBe("0");
});

test("a key is shown once; its stored hash finds its holder and does not reveal it", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const issued = await createKey({ ...context, actor: "cli" }, { workspaceId, name: " Desk " });
  expect(issued).toMatchObject({ name: "Desk", prefix: prefixOf(issued.key) });
  const find = (key: string) =>
    context.database.findApiKeyOwner({ hash: hashToken(key), now: context.clock.now() });
  expect(await find(issued.key)).toMatchObject({ keyId: issued.id, workspaceId });
  expect(await find("another")).toBe(null);
  expect(JSON.stringify(await context.database.listApiKeys({ workspaceId }))).not.toContain(
    issued.key,
  );
});

test("a key reads unless another scope was chosen, and the audit log has the scope", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const deps = { ...context, actor: "cli" };
  for (const scope of [undefined, "manage", "mcp"] as const) {
    const { id, key } = await createKey(deps, {
      workspaceId,
      name: "Desk",
      ...(scope && { scope }),
    });
    const query = { hash: hashToken(key), now: context.clock.now() };
    expect((await context.database.findApiKeyOwner(query))?.scope).toBe(scope ?? "read");
    const [entry] = await listAuditEntries(context.database, id);
    expect(entry?.detail).toEqual({ name: "Desk", scope: scope ?? "read" });
  }
  const wrong = createKey(deps, { workspaceId, name: "Desk", scope: "admin" });
  await expect(wrong).rejects.toMatchObject({ fields: [{ field: "scope" }] });
});

test("a revoked key stays in the list and is revoked once", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const deps = { ...context, actor: "cli" };
  const { id, key } = await createKey(deps, { workspaceId, name: "Desk" });
  await revokeKey(deps, { id, workspaceId: null });
  const { revokedAt } = await revokeKey(deps, { id, workspaceId: null });
  expect(revokedAt).toEqual(context.clock.now());
  const revoked = { hash: hashToken(key), now: context.clock.now() };
  expect(await context.database.findApiKeyOwner(revoked)).toBe(null);
  expect((await listAuditEntries(context.database, id)).map(({ action }) => action)).toEqual([
    "key.created",
    "key.revoked",
  ]);
});

test("keys and workspaces that can't be right are refused by the name of their option", async () => {
  const deps = { ...context, actor: "cli" };
  const id = "00000000-0000-7000-8000-000000000000";
  await expect(createKey(deps, { workspaceId: id, name: "" })).rejects.toMatchObject({
    fields: [{ field: "name" }],
  });
  await expect(createKey(deps, { workspaceId: id, name: "A" })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(revokeKey(deps, { id, workspaceId: null })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(createWorkspace(context, { name: "A", plan: "gold" })).rejects.toMatchObject({
    fields: [{ field: "plan" }],
  });
});

test("a plan can be changed", async () => {
  const { id } = await createWorkspace(context, { name: "Quay", plan: "starter" });
  const changed = await setWorkspacePlan(context, { id, plan: "studio" });
  expect(changed).toMatchObject({ id, name: "Quay", plan: "studio" });
  await expect(setWorkspacePlan(context, { id, plan: "gold" })).rejects.toThrow("plan");
});

test("a key ends when its days are over, and a workspace has a hundred in use at most", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const deps = { ...context, actor: "cli" };
  const { key, endsAt } = await createKey(deps, { workspaceId, name: "Trial", days: 2 });
  const owner = () =>
    context.database.findApiKeyOwner({ hash: hashToken(key), now: context.clock.now() });
  expect(await owner()).not.toBe(null);
  context.clock.advance(2 * 86_400_000);
  expect(endsAt).toEqual(context.clock.now());
  expect(await owner()).toBe(null);
  for (let count = 0; count < 100; count += 1) {
    await createKey(deps, { workspaceId, name: `Key ${count}` });
  }
  const further = createKey(deps, { workspaceId, name: "Further" });
  await expect(further).rejects.toMatchObject({ code: "conflict" });
  for (const days of [0, 4_000, 1.5]) {
    const wrong = createKey(deps, { workspaceId, name: "Wrong", days });
    await expect(wrong).rejects.toMatchObject({ fields: [{ field: "days" }] });
  }
});
