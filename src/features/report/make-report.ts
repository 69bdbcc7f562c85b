// `starpost report`: reads apps, or a file, into a database in the cache folder, and returns what the report shows. The
// database server ends with the command; a second run continues from its data.

import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import {
  createSampleStores,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../../../simulator/sample-stores.ts";
import { openSimulator } from "../../../simulator/simulator.ts";
import { StoreState } from "../../../simulator/store-state.ts";
import { type Container, type ContainerOptions, openContainer } from "../../app/container.ts";
import { fileReports, type ReportFile } from "../../app/file-report.ts";
import { operate } from "../../app/operate.ts";
import { toCrawlDeps } from "../../app/workers/crawl-worker.ts";
import { type Config, pointStores, storeBaseSettings, takeSettings } from "../../config/config.ts";
import { crawlListing } from "../../crawling/crawl-feed.ts";
import type { CrawlSummary } from "../../crawling/crawl-summary.ts";
import { ForeignSchemaError } from "../../database/migrate.ts";
import { AppError } from "../../domain/error.ts";
import type { App } from "../../domain/feed/listing.ts";
import { appReferenceOf } from "../../domain/feed/listing.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { systemClock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { Log } from "../../lib/log.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { addApp, removeApp } from "../../operations/app.ts";
import { createWorkspace } from "../../operations/workspace.ts";
import { deleteRemovedListings } from "../../use-cases/apps/removed-listings.ts";
import type { Report } from "./contract.ts";
import { findApps } from "./find-apps.ts";
import { readReport } from "./read-report.ts";

type ReportOptions = {
  config: Config;
  log: Log;
  cacheFolder: string;
  /** Links, ids or names. */
  words: readonly string[];
  /** In place of words. */
  file: ReportFile | null;
  /** Simulated stores with a sample app in place of words. */
  isDemo: boolean;
  countries: string[] | null;
  languages: string[] | null;
  days: number;
  /** Forgets what is known of these apps. */
  isFresh: boolean;
  comparison: boolean;
  /** Aborted when the user wants the report now. */
  signal: AbortSignal;
  note(line: string): void;
  onProgress: ShowProgress;
};

/** @throws AppError `invalid_input`, `not_found` without reviews, or `unavailable` where no store answers */
export async function makeReport(options: ReportOptions): Promise<Report> {
  const { log, isDemo } = options;
  const dataDir = path.join(options.cacheFolder, isDemo ? "report-demo" : "report");
  await openCacheFolder(dataDir);
  const demo = isDemo ? await openDemoStores(options.config) : null;
  try {
    const config = reportConfig({ ...options.config, ...demo?.settings }, dataDir);
    const onProgress = (text: string): void => options.onProgress(`${text} …`);
    onProgress(`opening the database in ${dataDir}`);
    const container = await openCache({ config, log, onProgress });
    try {
      const words = demo?.words ?? options.words;
      // The sample grows from the moment of its start: the one of the last run has other reviews.
      return await readInto(container, { ...options, words, isFresh: options.isFresh || isDemo });
    } finally {
      await container.close();
    }
  } finally {
    await demo?.close();
  }
}

/** Reads again in place of a cache of another version. */
async function openCache(options: ContainerOptions): Promise<Container> {
  try {
    return await openContainer(options);
  } catch (error) {
    if (!(error instanceof ForeignSchemaError)) throw error;
    const { dataDir } = options.config;
    await fs.rm(dataDir, { recursive: true });
    await openCacheFolder(dataDir);
    return openContainer(options);
  }
}

/** How the stores are reached, and nothing else of an installation. */
function reportConfig(config: Config, dataDir: string): Config {
  const taken = takeSettings(config, [
    "LOG_LEVEL",
    "OUTGOING_PROXY",
    "OUTGOING_PROXY_EXCEPT",
    "COLLECT_REQUESTS_PER_SECOND",
    ...storeBaseSettings,
  ]);
  return { ...taken, dataDir };
}

async function readInto(container: Container, options: ReportOptions): Promise<Report> {
  const { file, days, comparison } = options;
  const { workspaceId, notes } = file
    ? await importApps(container, { ...options, file })
    : await collectApps(container, options);
  const apps = await container.database.listApps({ workspaceId });
  const follow = file
    ? [`npx starpost import reviews ${file.name} --app <app>`]
    : apps.map(toCommand);
  const commands = ["npx starpost serve", ...follow];
  const report = await readReport(container, { workspaceId, days, comparison, notes, commands });
  refuseEmpty(report, days);
  return report;
}

function toCommand({ store, externalAppId }: App): string {
  return `npx starpost app add --store ${store} --external-id ${externalAppId}`;
}

const actor = "report";
const stoppedNote = "The reading was stopped: the report has what was read until then.";
type Collected = { workspaceId: string; notes: string[] };

async function importApps(
  deps: Container,
  { file, note, onProgress }: ReportOptions & { file: ReportFile },
): Promise<Collected> {
  const importReport = await fileReports[0]?.();
  if (!importReport) throw new AppError("invalid_input", "this product imports no files");
  note(`importing ${file.name} …`);
  const workspaceId = await openWorkspace(deps, { file: file.name });
  await forget(deps, await deps.database.listApps({ workspaceId }));
  return { workspaceId, notes: await importReport(deps, { file, workspaceId, onProgress }) };
}

async function collectApps(deps: Container, options: ReportOptions): Promise<Collected> {
  const { countries, languages, signal, onProgress, isFresh } = options;
  const found = await findApps(deps.stores, options);
  const ids = found.map(({ store, externalAppId }) => ({ store, externalAppId }));
  if (isFresh) {
    const named = new Set(ids.map(appReferenceOf));
    const known = await deps.database.listApps({ workspaceId: null });
    await forget(
      deps,
      known.filter((app) => named.has(appReferenceOf(app))),
    );
  }
  const workspaceId = await openWorkspace(deps, { ids, countries, languages });
  const known = new Set((await deps.database.listApps({ workspaceId })).map(appReferenceOf));
  const warnings: string[] = [];
  for (const app of found) {
    if (known.has(appReferenceOf(app))) continue;
    const { store, externalAppId, region } = app;
    // A choice that is of no use to the store would be warned of.
    const { soleRegion, reviewsBy } = storeTraits[store];
    const choice = {
      countries: soleRegion === null ? countries : null,
      languages: reviewsBy === "language" ? languages : null,
    };
    const values = { store, externalAppId, ...choice, foundIn: region };
    const { warning } = await operate(deps, addApp, { actor, workspaceId, values });
    if (warning) warnings.push(`${externalAppId}: ${warning}`);
  }
  const apps = await deps.database.listApps({ workspaceId });
  // Each list would be tried several times with the same result.
  if (warnings.length === apps.length) throw unreadable(warnings.join("; "));
  await readApps(deps, { apps, signal, onProgress });
  const notes = warnings.map((warning) => `${warning}.`);
  return { workspaceId, notes: signal.aborted ? [...notes, stoppedNote] : notes };
}

/** The same apps and choices have the same workspace; the reviews of an app are shared by all. */
async function openWorkspace(deps: Container, key: object): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 16);
  const name = `report ${hash}`;
  const known = (await deps.database.listWorkspaces()).find((one) => one.name === name);
  if (known) return known.id;
  const values = { name, plan: "studio" };
  return (await operate(deps, createWorkspace, { actor, values })).result.id;
}

async function forget(deps: Container, apps: readonly App[]): Promise<void> {
  for (const { id, workspaceId } of apps)
    await operate(deps, removeApp, { actor, workspaceId, id });
  await deleteRemovedListings(deps.database, { onBatch: () => {} });
}

/** @throws AppError that says why there is nothing to report */
function refuseEmpty({ overview, feeds, notes, title }: Report, days: number): void {
  const { reviews, firstReviewDay } = overview.overview;
  if (reviews.total > 0) return;
  if (firstReviewDay !== null) {
    const message = `${title} has no reviews of the last ${days} days, but older ones: choose more with --days`;
    throw new AppError("not_found", message);
  }
  if (notes.includes(stoppedNote))
    throw new AppError(
      "unavailable",
      "stopped before the first review was read: nothing was written",
    );
  const read = feeds.filter(({ kind }) => kind === "reviews");
  const failed = read.find(({ outcome }) => outcome === "unknown");
  if (failed) throw unreadable(failed.gap ?? "the store gave no reason");
  const regions = read.map(({ region }) => region).join(", ");
  throw new AppError("not_found", `${title} has no reviews in ${regions}`);
}

function unreadable(reason: string): AppError {
  const hint = "Try again later, or see a sample with starpost report --demo";
  return new AppError("unavailable", `no reviews could be read: ${reason}. ${hint}`);
}

/** PostgreSQL's files take 60 MB, and its log grows in files of 16 MB. */
const freeBytesMin = 300_000_000;
const megabyte = 1_000_000;

/**
 * @param folder made unless it is there
 * @throws AppError `unavailable` when it can't be written, or its disk is too full
 */
async function openCacheFolder(folder: string): Promise<void> {
  try {
    // As the embedded server makes it: its user must be able to enter what root makes.
    const mode = process.getuid?.() === 0 ? 0o755 : 0o700;
    await fs.mkdir(folder, { recursive: true, mode });
    await fs.access(folder, fs.constants.W_OK);
  } catch (error) {
    const reason = `the cache folder ${folder} can't be written: ${messageOf(error)}`;
    throw new AppError("unavailable", `${reason}; set XDG_CACHE_HOME to another folder`);
  }
  const { bavail, bsize } = await fs.statfs(folder);
  if (bavail * bsize >= freeBytesMin) return;
  const free = Math.floor((bavail * bsize) / megabyte);
  throw new AppError(
    "unavailable",
    `the disk of the cache folder ${folder} has ${free} MB left, and a report needs ${freeBytesMin / megabyte} MB`,
  );
}

const pastDays = 180;

async function openDemoStores(config: Config) {
  const storeState = new StoreState(systemClock);
  createSampleStores({ clock: systemClock, storeState, pastDays, isStory: true });
  const { url, close } = await openSimulator({ clock: systemClock, storeState });
  return {
    words: [sampleAppStoreApp.externalAppId, sampleGooglePlayApp.externalAppId],
    settings: { ...pointStores(config, url), collectRequestsPerSecond: 1_000 },
    close,
  };
}

/** @param share from 0 to 1, where it is known */
type ShowProgress = (text: string, share?: number) => void;

/** Ends early when the signal is aborted: what is saved stays, and the next call goes on from there. */
async function readApps(
  deps: Container,
  read: { apps: readonly App[]; signal: AbortSignal; onProgress: ShowProgress },
): Promise<void> {
  const { apps, signal, onProgress } = read;
  const feeds = await deps.database.listFeedsOfListings(apps.map(({ listingId }) => listingId));
  const listCount = feeds.filter(({ kind }) => kind === "reviews").length;
  const measure = createMeter(deps, listCount);
  const names = apps.map(({ name, store }) => `${name} (${store})`).join(", ");
  onProgress(`reading ratings and ${listCount} lists of reviews: ${names}`, 0);
  const readStore = async (ofStore: readonly App[]): Promise<void> => {
    for (const app of ofStore) {
      const listing = await deps.database.findListing(app.listingId);
      if (!listing || signal.aborted) continue;
      const onPage = (report: Readonly<CrawlSummary>) => onProgress(...measure(app, report));
      await crawlListing(toCrawlDeps(deps), { listing, signal, onPage });
    }
  };
  // Each store has a pace of its own.
  await Promise.all([...groupBy(apps, ({ store }) => store).values()].map(readStore));
}

/** The time that is left, by the lists that are read so far. */
function createMeter({ clock }: Pick<Container, "clock">, listCount: number) {
  const startedAt = clock.now().getTime();
  const counts = new Map<string, number>();
  return (app: App, { region, reviews }: Readonly<CrawlSummary>): [string, number] => {
    counts.set(`${app.id} ${region}`, reviews);
    const found = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const seconds = (clock.now().getTime() - startedAt) / secondMs;
    const left = Math.ceil((seconds / counts.size) * (listCount - counts.size));
    const text = `${app.store} ${region}: ${reviews} reviews; list ${counts.size} of ${listCount}, ${found} reviews in all, about ${left} s left`;
    return [text, counts.size / Math.max(1, listCount)];
  };
}
