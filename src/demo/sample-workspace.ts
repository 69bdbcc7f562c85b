// What the demo shows: a workspace with one product on both stores, its reviews collected and its
// daily snapshots of two years in place. Made once, in front of the user's eyes.
import {
  ratingDays,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../../simulator/sample-world.ts";
import type { AppKey, World } from "../../simulator/world.ts";
import { collectListing } from "../collect/collector.ts";
import { addDays, dayOf } from "../lib/timestamp.ts";
import { addApp } from "../manage/add-app.ts";
import { issueKey } from "../manage/keys.ts";
import { createChannel } from "../manage/save-channel.ts";
import { createWorkspace } from "../manage/workspaces.ts";
import { channelDefaults } from "../reviews/channel.ts";
import type { App } from "../reviews/listing.ts";
import { collectRoom, type Rooms } from "../rooms.ts";
import type { DemoState } from "./demo-state.ts";

type Print = (line: string) => void;

export async function makeSampleWorkspace(
  rooms: Rooms,
  sample: { world: World; from: Date; startedAt: Date; receiverUrl: string; print: Print },
): Promise<DemoState> {
  const acting = { ...rooms, actor: "demo" };
  const { id: workspaceId } = await createWorkspace(acting, {
    name: "Paper Harbor",
    plan: "studio",
  });
  for (const key of [sampleAppStoreApp, sampleGooglePlayApp]) {
    const { app } = await addApp(rooms, {
      workspaceId,
      store: key.store,
      externalAppId: key.externalAppId,
      name: null,
      countries: null,
      languages: null,
      isCollected: true,
    });
    await collectApp(rooms, { app, print: sample.print });
    await recordHistory(rooms, { ...sample, app, key });
  }
  const { key: apiKey } = await issueKey(acting, { workspaceId, name: "Demo" });
  const { channel } = await createChannel(acting, {
    ...channelDefaults,
    workspaceId,
    name: "Everything",
    url: sample.receiverUrl,
  });
  const startedAt = sample.startedAt.toISOString();
  return { startedAt, workspaceId, channelId: channel.id, apiKey, url: null };
}

async function collectApp(rooms: Rooms, collected: { app: App; print: Print }): Promise<void> {
  const { app, print } = collected;
  const listing = await rooms.keep.findListing(app.listingId);
  if (!listing) throw new Error("an app that was just added has no listing");
  print(`collecting ${app.name} from ${app.store} …`);
  const { reports } = await collectListing(collectRoom(rooms), { listing });
  const reviewCount = reports.reduce((sum, report) => sum + report.new, 0);
  const feeds = reports.filter(({ kind }) => kind === "reviews").length;
  print(`  ${reviewCount} reviews from ${feeds} feeds`);
}

/** Snapshots up to yesterday; today's was just read from the store. */
async function recordHistory(
  rooms: Rooms,
  history: { world: World; from: Date; app: App; key: AppKey },
): Promise<void> {
  const { world, key, app } = history;
  const listing = await rooms.keep.findListing(app.listingId);
  if (!listing) throw new Error("an app that was just added has no listing");
  const span = { from: dayOf(history.from), to: addDays(dayOf(rooms.clock.now()), -1) };
  const snapshots = world
    .ratingCountries(key)
    .filter((country) => app.countries.includes(country))
    .flatMap((country) =>
      ratingDays(world, key, { ...span, country }).map((day) => ({ ...day, region: country })),
    );
  await rooms.recordSnapshots({ listing, snapshots });
}
