// Clients of workspaces' own accounts: each listing has a client of its own, with its own cache of files.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { generateStoreKeys } from "../../../simulator/store-keys.ts";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../../../test/support/store-harness.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { readConfig } from "../../config/config.ts";
import { throttleHttp } from "../../crawling/throttle.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { accounts } from "./clients.ts";

const app = { store: "googleplay", externalAppId: "app.lanternfish" } as const;
const everywhere = { externalAppId: app.externalAppId, region: "all" };
const keys = generateStoreKeys();

let context: TestContext;
let harness: StoreHarness;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  harness = await openStoreHarness({ accounts: keys.accounts });
  harness.storeState.addApp(app);
});
afterEach(() => harness.close());

test("an app that is removed and added again gets the files that were read before", async () => {
  const now = harness.clock.now().getTime();
  for (let days = 0; days < 60; days += 1) {
    const at = new Date(now - days * dayMs - 1);
    harness.storeState.addReview(app, { region: "en", rating: 4, text: "Words.", at });
  }
  const { privateKeyPem, ...service } = keys.service;
  const secret = { store: "googleplay", ...service, privateKeyId: null, privateKey: privateKeyPem };
  const { url } = harness.simulator;
  const env = { ANDROID_PUBLISHER_BASE_URL: url, GOOGLE_OAUTH_BASE_URL: url };
  const pace = {
    clock: harness.clock,
    delay: async () => {},
    random: () => 0,
    requestsPerSecond: 100,
    hosts: context.database,
  };
  const open = accounts.createClients({
    config: readConfig({ env: { ...env, GOOGLE_STORAGE_BASE_URL: url } }),
    clock: harness.clock,
    database: {
      findCredentialSecret: async () => ({
        workspaceId: "workspace",
        encryptedSecret: Buffer.from(JSON.stringify(secret)),
      }),
    },
    secretBox: { open: (sealed) => sealed.toString("utf8") },
    http: throttleHttp(pace, harness.http),
    stores: harness.stores,
  });
  const countFor = async (listingId: string): Promise<number> =>
    new Set(idsOf(await crawlReviews(await open("credential", listingId), everywhere))).size;
  expect(await countFor("one")).toBe(60);
  // Only what the list shows, and the month that is still written.
  expect(await countFor("one")).toBeLessThan(60);
  expect(await countFor("another")).toBe(60);
});
