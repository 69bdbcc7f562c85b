// The demo's workspace: one product on both stores, its collected reviews and two years of daily
// snapshots. Created once, with its progress printed.
import {
  ratingDays,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../../simulator/sample-stores.ts";
import type { AppKey, StoreState } from "../../simulator/store-state.ts";
import type { Container } from "../app/container.ts";
import { toCrawlDeps } from "../app/workers/crawl-worker.ts";
import { crawlListing } from "../crawling/crawl-feed.ts";
import { channelDefaults } from "../domain/channel.ts";
import type { App } from "../domain/listing.ts";
import { addDays, dayOf } from "../lib/timestamp.ts";
import { addApp } from "../use-cases/apps/add-app.ts";
import { createChannel } from "../use-cases/channels/save-channel.ts";
import { createKey } from "../use-cases/keys/keys.ts";
import { createWorkspace } from "../use-cases/members/workspaces.ts";
import type { DemoState } from "./demo-state.ts";

type Print = (line: string) => void;

export async function createSampleWorkspace(
  deps: Container,
  sample: {
    storeState: StoreState;
    from: Date;
    startedAt: Date;
    receiverUrl: string;
    print: Print;
  },
): Promise<DemoState> {
  const actorDeps = { ...deps, actor: "demo" };
  const { id: workspaceId } = await createWorkspace(actorDeps, {
    name: "Paper Harbor",
    plan: "studio",
  });
  for (const key of [sampleAppStoreApp, sampleGooglePlayApp]) {
    const { app } = await addApp(deps, {
      workspaceId,
      store: key.store,
      externalAppId: key.externalAppId,
      name: null,
      countries: null,
      languages: null,
      isCollected: true,
    });
    await collectApp(deps, { app, print: sample.print });
    await recordHistory(deps, { ...sample, app, key });
  }
  const { key: apiKey } = await createKey(actorDeps, { workspaceId, name: "Demo" });
  const { channel } = await createChannel(actorDeps, {
    ...channelDefaults,
    workspaceId,
    name: "Everything",
    url: sample.receiverUrl,
  });
  const startedAt = sample.startedAt.toISOString();
  return { startedAt, workspaceId, channelId: channel.id, apiKey, url: null };
}

async function collectApp(deps: Container, collected: { app: App; print: Print }): Promise<void> {
  const { app, print } = collected;
  const listing = await deps.database.findListing(app.listingId);
  if (!listing) throw new Error("an app that was just added has no listing");
  print(`collecting ${app.name} from ${app.store} …`);
  const { reports } = await crawlListing(toCrawlDeps(deps), { listing });
  const reviewCount = reports.reduce((sum, report) => sum + report.new, 0);
  const feeds = reports.filter(({ kind }) => kind === "reviews").length;
  print(`  ${reviewCount} reviews from ${feeds} feeds`);
}

/** Snapshots up to yesterday; today's was just read from the store. */
async function recordHistory(
  deps: Container,
  history: { storeState: StoreState; from: Date; app: App; key: AppKey },
): Promise<void> {
  const { storeState, key, app } = history;
  const listing = await deps.database.findListing(app.listingId);
  if (!listing) throw new Error("an app that was just added has no listing");
  const span = { from: dayOf(history.from), to: addDays(dayOf(deps.clock.now()), -1) };
  const snapshots = storeState
    .ratingCountries(key)
    .filter((country) => app.countries.includes(country))
    .flatMap((country) =>
      ratingDays(storeState, key, { ...span, country }).map((day) => ({ ...day, region: country })),
    );
  await deps.ingestRatings({ listing, snapshots });
}
