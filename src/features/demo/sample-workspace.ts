// The demo's workspace: two products and a browser add-on, their collected reviews with translations, and two years of daily
// snapshots. Created once, with its progress printed; when it was stopped meanwhile, what is there is used.

import { languageOf, phraseBookOf } from "../../../simulator/phrase-books.ts";
import { ratingDays, sampleApps, sampleSecondApp } from "../../../simulator/sample-stores.ts";
import type { AppKey } from "../../../simulator/store-facts.ts";
import type { StoreState } from "../../../simulator/store-state.ts";
import type { Container } from "../../app/container.ts";
import { operate } from "../../app/operate.ts";
import { toCrawlDeps } from "../../app/workers/crawl-worker.ts";
import { crawlListing } from "../../crawling/crawl-feed.ts";
import type { App } from "../../domain/feed/listing.ts";
import { reviewIdOf } from "../../domain/review/review.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import { addApp } from "../../operations/app.ts";
import { createChannel } from "../../operations/channel.ts";
import { createKey } from "../../operations/key.ts";
import { createWorkspace } from "../../operations/workspace.ts";
import type { SampleWorkspace } from "./demo-state.ts";

type Print = (line: string) => void;

type Sample = {
  storeState: StoreState;
  from: Date;
  receiverUrl: string;
  print: Print;
  signal?: AbortSignal;
};

/** @throws the signal's reason when it is aborted: nothing is left half done that a next call can't continue */
export async function createSampleWorkspace(
  deps: Container,
  sample: Sample,
): Promise<SampleWorkspace> {
  const name = "Paper Harbor";
  const workspaces = await deps.database.listWorkspaces();
  const known = workspaces.find((one) => one.name === name);
  const actor = "demo";
  const values = { name, plan: "studio" };
  const { id: workspaceId } =
    known ?? (await operate(deps, createWorkspace, { actor, values })).result;
  for (const key of [...Object.values(sampleApps), sampleSecondApp]) {
    // The second product and the add-on are in the demo's stores only.
    if (!sample.storeState.appNow(key)) continue;
    const app = await findOrAddApp(deps, { workspaceId, key });
    await collectApp(deps, { ...sample, app });
    await recordHistory(deps, { ...sample, app, key });
    await saveTranslations(deps, { ...sample, app, key });
    sample.signal?.throwIfAborted();
  }
  const key = { actor, workspaceId, values: { name: "Demo" } };
  const { secret: apiKey = "" } = await operate(deps, createKey, key);
  const url = sample.receiverUrl;
  const create = async (values: object) =>
    (await operate(deps, createChannel, { actor, workspaceId, values })).result.id;
  const channelId = await create({ name: "Everything", url });
  const failingChannelId = await create({
    name: "Bad reviews to the old CRM",
    url: `${url}/closed`,
    stars: [1, 2],
  });
  return { workspaceId, channelId, failingChannelId, apiKey };
}

async function findOrAddApp(
  deps: Container,
  { workspaceId, key }: { workspaceId: string; key: AppKey },
): Promise<App> {
  const { store, externalAppId } = key;
  const apps = await deps.database.listApps({ workspaceId });
  const known = apps.find((app) => app.store === store && app.externalAppId === externalAppId);
  if (known) return known;
  const choice = { name: null, countries: null, languages: null, isCollected: true };
  const values = { ...choice, store, externalAppId };
  return (await operate(deps, addApp, { actor: "demo", workspaceId, values })).result;
}

async function collectApp(deps: Container, sample: Sample & { app: App }): Promise<void> {
  const { app, print, signal } = sample;
  const listing = await deps.database.findListing(app.listingId);
  if (!listing) throw new Error("an app that was just added has no listing");
  print(`collecting ${app.name} from ${app.store} …`);
  const crawl = { listing, ...(signal ? { signal } : {}) };
  const { summaries } = await crawlListing(toCrawlDeps(deps), crawl);
  signal?.throwIfAborted();
  const reviewCount = summaries.reduce((sum, report) => sum + report.new, 0);
  const feeds = summaries.filter(({ kind }) => kind === "reviews").length;
  print(`  ${reviewCount} reviews from ${feeds} feeds`);
}

/** Snapshots up to yesterday; today's was just read from the store. */
async function recordHistory(
  deps: Container,
  history: Sample & { app: App; key: AppKey },
): Promise<void> {
  const { storeState, key, app, signal } = history;
  const listing = await deps.database.findListing(app.listingId);
  if (!listing) throw new Error("an app that was just added has no listing");
  const span = { from: dayOf(history.from), to: addDays(dayOf(deps.clock.now()), -1) };
  for (const country of storeState.ratingCountries(key)) {
    if (!app.countries.includes(country)) continue;
    signal?.throwIfAborted();
    const days = ratingDays(storeState, key, { ...span, country });
    const snapshots = days.map((day) => ({ ...day, region: country }));
    await deps.ingestRatings({ listing, snapshots });
  }
}

async function saveTranslations(
  deps: Container,
  sample: { storeState: StoreState; app: App; key: AppKey },
): Promise<void> {
  const { storeState, app, key } = sample;
  const translated = storeState.reviewsNow(key, "all").flatMap((review) => {
    const { text: source, version, region, storeReviewId } = review;
    const text = translate(source, { region, version });
    if (text === null) return [];
    const reviewId = reviewIdOf({ ...key, storeReviewId });
    return { reviewId, source, translation: { text, from: languageOf(region) } };
  });
  await deps.database.setTranslations({ listingId: app.listingId, translated });
}

/** null for English, and for what is not in the phrase books. */
function translate(text: string, of: { region: string; version: string }): string | null {
  const [book, english] = [phraseBookOf(of.region), phraseBookOf("en")];
  if (book === english) return null;
  for (const kind of ["drained", "fixed"] as const) {
    const index = book[kind].findIndex(([, words]) => fill(words, of.version) === text);
    const words = english[kind][index]?.[1];
    if (words !== undefined) return fill(words, of.version);
  }
  return null;
}

function fill(words: string, version: string): string {
  return words.replaceAll("{version}", version);
}
