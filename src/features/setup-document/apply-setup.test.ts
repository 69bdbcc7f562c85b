// The requests of a set-up to the stores, before its transaction.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aWorkspace } from "../../../test/support/factories.ts";
import { operationDeps } from "../../../test/support/operations.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { ofEachStore } from "../../domain/store/store-id.ts";
import { parseInput } from "../../domain/validation-errors.ts";
import type { StoreAppLookup } from "../../use-cases/apps/store-lookup.ts";
import { applySetup } from "./apply-setup.ts";
import { setupSchema } from "./schema.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

/** Applies a set-up with one app of a store that gives these answers. */
function applyWith(fetchApp: StoreAppLookup["fetchApp"], workspaceId: string) {
  const store: StoreAppLookup = {
    validateAppId: (text) => (text === "" ? { ok: false, reason: "is empty" } : { ok: true }),
    fetchApp,
  };
  const loadStores = async () => ofEachStore(() => store);
  return (externalAppId: string) =>
    applySetup(operationDeps({ ...context, loadStores }), {
      setup: setupSchema().parse({ apps: [{ store: "appstore", externalAppId }] }),
      ...{ workspaceId, prunes: false, setsRoles: false },
      actor: { kind: "operator", name: "cli" },
    });
}

test("no store is asked about an id that can't be right, which may take seconds", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const lookedUp: string[] = [];
  const apply = applyWith(async ({ externalAppId }) => {
    lookedUp.push(externalAppId);
    return { outcome: "ok", value: { name: "Tide", iconUrl: "" } };
  }, workspaceId);
  await expect(apply("")).rejects.toMatchObject({ code: "invalid_input" });
  expect(lookedUp).toEqual([]);
  expect(await apply("4242")).toMatchObject([{ action: "create", name: "appstore/4242" }]);
  expect(lookedUp).toEqual(["4242"]);
});

test("a store that is away is not asked for more storefronts in the transaction", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const askedIn: string[] = [];
  const now = performance.now.bind(performance);
  let lateMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + lateMs);
  const apply = applyWith(async ({ region }) => {
    askedIn.push(region);
    lateMs += 5_000;
    return { outcome: "unknown", reason: "is away" };
  }, workspaceId);
  expect(await apply("4343")).toMatchObject([{ action: "create", name: "appstore/4343" }]);
  expect(askedIn).toEqual(["us"]);
  vi.restoreAllMocks();
});

test("a refusal names the resource of the file that is refused, whether its shape or its place is wrong", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const long = `Angry mail ${"x".repeat(60)}`;
  const calm = { name: "Calm", query: "rating=5" };
  const parse = (views: object[]) => () => parseInput(setupSchema(), { views });
  expect(parse([calm, { name: long, query: "rating=1" }])).toThrow(
    `views: ${long}: name must not be longer than 60 characters`,
  );
  expect(parse([calm, { ...calm, name: "Odd", colour: "red" }])).toThrow(
    "views: Odd: colour is not known here",
  );
  const channel = { name: "Alerts", type: "webhook", url: "https://example.com/a" };
  const setup = setupSchema().parse({ channels: [channel, { ...channel, name: "Odd", url: "" }] });
  const store: StoreAppLookup = {
    validateAppId: () => ({ ok: true }),
    fetchApp: async () => ({ outcome: "unknown", reason: "is away" }),
  };
  const loadStores = async () => ofEachStore(() => store);
  const applying = applySetup(operationDeps({ ...context, loadStores }), {
    setup,
    ...{ workspaceId, prunes: false, setsRoles: false },
    actor: { kind: "operator", name: "cli" },
  });
  await expect(applying).rejects.toThrow(/url: .*\(channel Odd\)/);
});
