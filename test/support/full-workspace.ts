// A workspace with one of each thing that others could wait for: a followed app, an app of a bucket, channels of both kinds, a
// delivery, a topic, a view, keys, an invitation and links.
import { sampleAppStoreApp } from "../../simulator/sample-stores.ts";
import type { StoreKeys } from "../../simulator/store-keys.ts";
import { alertNames, channelDefaults } from "../../src/domain/channel/channel.ts";
import { addCredential } from "../../src/features/store-accounts/operations.ts";
import { signRecipientLink } from "../../src/use-cases/channels/email-recipients.ts";
import { addApp, createChannel, testChannel } from "./acts.ts";
import type { DashboardClient, DashboardFixture } from "./dashboard.ts";
import { aKey, aReview, saveChannel, saveReviews } from "./factories.ts";
import { act } from "./operations.ts";

/** Ids and tokens by name, as paths name them. */
export type FullWorkspace = { owner: DashboardClient; ids: Record<string, string> };

export async function fillWorkspace(
  world: DashboardFixture,
  storeKeys: StoreKeys,
): Promise<FullWorkspace> {
  const owner = await world.signIn({ email: "owner@example.com" });
  const ids = { workspace: world.service.workspaceId };
  Object.assign(ids, await addApps(world, storeKeys), await addChannels(world));
  const { deps, workspaceId } = world.service;
  const base = `/workspaces/${workspaceId}`;
  const made = async (path: string, body: object) =>
    (await owner.post(`${base}${path}`, body)).json;
  const topic = await made("/topics", { name: "tides", phrases: ["crash at"] });
  const view = (await made("/views", { name: "Bad", query: "rating=1" })).views[0].id;
  const key = await aKey(deps.database, { id: workspaceId }, "manage");
  const recipient = { workspaceId, address: "ann@example.com", endsAtMs: 0 };
  const mailToken = signRecipientLink(deps.cursorKeys[0], { ...recipient, purpose: "stop" });
  const invited = await made("/invitations", { email: null, role: "member" });
  const link = async (body: object) =>
    String((await made("/links", body)).path)
      .split(/[#/]/)
      .at(-1);
  const shared = { kind: "overview", query: "", isFrozen: false, days: 7 };
  Object.assign(ids, {
    topic: topic.topic?.id,
    view,
    key: key.id,
    mailToken,
    invitationToken: String(invited.path ?? invited.url)
      .split("#")
      .at(-1),
    linkToken: await link(shared),
    feedToken: await link({ kind: "feed", viewId: view, days: 30 }),
  });
  return { owner, ids };
}

async function addApps(world: DashboardFixture, { service }: StoreKeys) {
  const { deps, workspaceId } = world.service;
  const by = { ...deps, actor: "test" };
  const { store, externalAppId } = sampleAppStoreApp;
  const added = { workspaceId, name: null, languages: null, isCollected: true };
  const { app } = await addApp(by, { ...added, store, externalAppId, countries: ["us"] });
  const texts = ["La aplicación es muy buena", "Crash at every start", "No funciona con mi móvil"];
  const date = deps.clock.now();
  const reviews = texts.map((text) => aReview({ text, languageHint: "es", date }));
  const [review] = await saveReviews(deps.database, app, reviews);
  const keyFile = JSON.stringify({
    client_email: service.clientEmail,
    private_key_id: "0123",
    private_key: service.privateKeyPem,
  });
  const account = { store: "googleplay", name: "Play", keyFile, bucket: service.bucket };
  const credential = await act(by, addCredential, { ...account, workspaceId });
  const ofBucket = { store: "googleplay" as const, externalAppId: "com.example.own" };
  const withAccount = { ...added, ...ofBucket, countries: null, credentialId: credential.id };
  const own = await addApp(by, withAccount);
  return {
    app: app.id,
    listing: app.listingId,
    review: review?.id,
    credential: credential.id,
    ownListing: own.app.listingId,
  };
}

async function addChannels({ service: { deps, workspaceId } }: DashboardFixture) {
  const by = { ...deps, actor: "test", checkUrl: async () => ({ ok: true }) as const };
  const events = ["review.created" as const, ...alertNames];
  const named = { ...channelDefaults, workspaceId, name: "Held", events };
  const url = "http://127.0.0.1:9/hook";
  const { channel } = await createChannel(by, { ...named, url, translate: true });
  const digests = { digest: "daily", digestDueAt: deps.clock.now(), type: "slack" } as const;
  await saveChannel(deps.database, { ...digests, workspaceId, events: [...alertNames] });
  const { deliveryId } = await testChannel(by, { id: channel.id, workspaceId });
  return { channel: channel.id, delivery: deliveryId };
}
