// The bucket of a store account: the forms in which people copy it, and one that does not exist.
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { generateStoreKeys } from "../../../simulator/store-keys.ts";
import { aWorkspace } from "../../../test/support/factories.ts";
import { carry, type Deps } from "../../../test/support/operations.ts";
import { openStoreHarness, type StoreHarness } from "../../../test/support/store-harness.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { createSecretBox } from "../../lib/secret-box.ts";
import { findBucketFault } from "./google/play-store.ts";
import { addCredential } from "./operations.ts";

const keys = generateStoreKeys();
const keyFile = JSON.stringify({
  client_email: keys.service.clientEmail,
  private_key_id: "0123",
  private_key: keys.service.privateKeyPem,
});
const secretBox = createSecretBox([randomBytes(32)]);

let context: TestContext;
let harness: StoreHarness;
beforeAll(async () => {
  context = await openTestContext();
});
beforeEach(async () => {
  harness = await openStoreHarness({ accounts: keys.accounts });
});
afterEach(() => harness.close());
afterAll(() => context.close());

async function add(bucket: string | null) {
  const { id: workspaceId } = await aWorkspace(context.database);
  const { url } = harness.simulator;
  const unused = (): never => {
    throw new Error("not asked");
  };
  const found: string[] = [];
  const store = {
    validateAppId: unused,
    fetchApp: unused,
    async findAccountFault(account: object) {
      const name = Object(account).bucket;
      found.push(name);
      const credential = { ...keys.service, bucket: name };
      const bases = { oauthBaseUrl: url, storageBaseUrl: url };
      return findBucketFault({ http: harness.http, clock: harness.clock, ...bases, credential });
    },
  };
  const loadStores = async () => ({ appstore: store, googleplay: store });
  const deps = { ...context, secretBox, loadStores } as unknown as Deps;
  const entry = { store: "googleplay", name: "Play", keyFile, bucket, workspaceId };
  await carry(deps, addCredential, entry);
  return found;
}

test.each([
  ["pubsite_prod_rev_01"],
  [" pubsite_prod_rev_01\n"],
  ["gs://pubsite_prod_rev_01"],
  ["gs://pubsite_prod_rev_01/"],
  ["gs://pubsite_prod_rev_01/reviews/reviews_com.example_202611.csv"],
])("%j is that bucket", async (bucket) => {
  expect(await add(bucket)).toEqual(["pubsite_prod_rev_01"]);
});

test.each(["gs://", "https://storage.googleapis.com/pubsite_prod_rev_01", "pubsite prod", "../x"])(
  "%j is refused",
  async (bucket) => {
    await expect(add(bucket)).rejects.toMatchObject({ fields: [{ field: "bucket" }] });
  },
);

describe("a bucket that does not exist", () => {
  test.each([
    ["pubsite_prod_rev_77", "pubsite_prod_77"],
    ["pubsite_prod_77", "pubsite_prod_rev_77"],
  ])("%s is refused with the other spelling, %s", async (bucket, other) => {
    const when = { kind: "storage-list" } as const;
    harness.simulator.faultFlags.enable({ fault: "refused", status: 404, when });
    await expect(add(bucket)).rejects.toMatchObject({
      fields: [{ field: "bucket", message: expect.stringContaining(`${other} instead`) }],
    });
  });

  test.each([403, 500])(
    "an answer of %i proves nothing, and the account is added",
    async (status) => {
      const when = { kind: "storage-list" } as const;
      harness.simulator.faultFlags.enable({ fault: "refused", status, when });
      expect(await add("pubsite_prod_rev_01")).toEqual(["pubsite_prod_rev_01"]);
    },
  );
});
