// The requests of a set-up to the stores, before its transaction.
import { afterAll, beforeAll, expect, test } from "vitest";
import { aWorkspace } from "../../test/support/factories.ts";
import { operationDeps } from "../../test/support/operations.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import type { StoreAppLookup } from "../use-cases/apps/store-lookup.ts";
import { applySetup } from "./apply-setup.ts";
import { setupSchema } from "./setup-schema.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("no store is asked about an id that can't be right, which may take seconds", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const lookedUp: string[] = [];
  const store: StoreAppLookup = {
    validateAppId: (text) => (text === "" ? { ok: false, reason: "is empty" } : { ok: true }),
    async fetchApp({ externalAppId }) {
      lookedUp.push(externalAppId);
      return { outcome: "ok", value: { name: "Tide", iconUrl: "" } };
    },
  };
  const loadStores = async () => ({ appstore: store, googleplay: store });
  const apply = (externalAppId: string) =>
    applySetup(operationDeps({ ...context, loadStores }), {
      setup: setupSchema.parse({ apps: [{ store: "appstore", externalAppId }] }),
      ...{ workspaceId, prunes: false, setsRoles: false },
      actor: { kind: "operator", name: "cli" },
    });
  await expect(apply("")).rejects.toMatchObject({ code: "invalid_input" });
  expect(lookedUp).toEqual([]);
  expect(await apply("4242")).toMatchObject([{ action: "create", name: "appstore/4242" }]);
  expect(lookedUp).toEqual(["4242"]);
});
