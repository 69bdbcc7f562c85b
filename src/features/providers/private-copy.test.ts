// The first import gives an app a private copy of its listing: what waits for a translation waits on.
import { afterEach, beforeEach, expect, test } from "vitest";
import { doubleKey, english, openDeepLDouble } from "../../../test/support/provider-doubles.ts";
import {
  aSourceReview,
  openProviderFixture,
  type ProviderFixture,
} from "../../../test/support/provider-fixture.ts";
import { openHttpClient } from "../../lib/http-client.ts";
import { ResourceStack } from "../../lib/resource-stack.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { ensurePrivateListing } from "../../use-cases/apps/private-listing.ts";
import { createDeepL } from "./translators/deepl.ts";

let resources: ResourceStack;
let scene: ProviderFixture;

beforeEach(async () => {
  resources = new ResourceStack();
  scene = await openProviderFixture();
  resources.add(() => scene.close());
});
afterEach(() => resources.closeAll());

test("a draft gets its translation after its app moved to a private copy", async () => {
  const double = await openDeepLDouble();
  resources.add(() => double.close());
  const client = openHttpClient({ userAgent: "Starpost/test" });
  resources.add(() => client.close());
  const translator = createDeepL({ http: client.http, baseUrl: double.url, apiKey: doubleKey });
  const app = await scene.addApp();
  await scene.addChannelFor(app);
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  const listing = await ensurePrivateListing(scene, app.id);
  expect(listing.workspaceId).toBe(app.workspaceId);
  scene.clock.advance(secondMs);
  await scene.translate(translator);
  const bodies = await scene.claimBodies();
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toMatchObject({
    review: { translatedText: english("Las mareas son exactas."), translatedFrom: "es" },
  });
});
