// The limits of a workspace also hold for concurrent additions, each kind on its own.

import { afterAll, beforeAll, expect, test } from "vitest";
import { addApp, createChannel, createKey, revokeKey } from "../../../test/support/acts.ts";
import { aWorkspace } from "../../../test/support/factories.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { channelDefaults } from "../../domain/channel/channel.ts";
import { AppError } from "../../domain/error.ts";
import { ofEachStore } from "../../domain/store/store-id.ts";
import { createUser } from "../accounts/users.ts";
import type { StoreAppLookup } from "../apps/store-lookup.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
const limits = { apps: 2, channels: 2, keys: 2, members: 2 };

function deps() {
  const stores = ofEachStore(() => store);
  const secretBox = {
    seal: (text: string) => Buffer.concat([boxHead, Buffer.from(text)]),
    open: (box: Buffer) => box.subarray(boxHead.length).toString(),
  };
  const checkUrl = async () => ({ ok: true }) as const;
  return { ...context, workspaceLimits: limits, stores, secretBox, checkUrl, actor: "test" };
}

const boxHead = Buffer.alloc(40, 1);
const store: StoreAppLookup = {
  validateAppId: () => ({ ok: true }),
  fetchApp: async () => ({ outcome: "unknown", reason: "not requested" }),
};

const adders = {
  apps: (workspaceId: string, index: number) =>
    addApp(deps(), {
      ...{ workspaceId, store: "appstore", externalAppId: String(index), name: null },
      ...{ countries: null, languages: null, isCollected: false },
    }),
  channels: (workspaceId: string, index: number) =>
    createChannel(deps(), {
      ...{ ...channelDefaults, workspaceId, name: `Channel ${index}` },
      url: "https://example.com/hook",
    }),
  keys: (workspaceId: string, index: number) =>
    createKey(deps(), { workspaceId, name: `Key ${index}` }),
  // An account that exists is only added, without the work of a hash.
  members: async (workspaceId: string, index: number) => {
    const user = { email: `user${index}@${workspaceId}.example.com`, name: "U", passwordHash: "" };
    const id = crypto.randomUUID();
    await context.database.insertUser({ ...user, id, createdAt: context.clock.now() });
    const choice = { name: null, password: null, role: null, acceptsUnconfirmed: true };
    return createUser(deps(), { ...choice, email: user.email, workspaceId });
  },
} as const;

test.each(Object.entries(adders))("of six %s that are added at once two are", async (kind, add) => {
  const { id } = await aWorkspace(context.database);
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((index) => add(id, index)));
  const errors = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(errors).toHaveLength(4);
  for (const error of errors) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`at most 2 ${kind} (WORKSPACE_${kind.toUpperCase()}_MAX)`),
    });
  }
  // Another workspace has limits of its own.
  await add((await aWorkspace(context.database)).id, 7);
});

test("a revoked key makes room, and what was added is in the audit log", async () => {
  const { id } = await aWorkspace(context.database);
  const first = await adders.keys(id, 1);
  await adders.keys(id, 2);
  await revokeKey(deps(), { id: first.id, workspaceId: id });
  await adders.keys(id, 3);
  const { app } = await adders.apps(id, 4);
  const [entry] = await listAuditEntries(context.database, app.id);
  expect(entry).toMatchObject({ action: "app.added", actor: "test", workspaceId: id });
});
