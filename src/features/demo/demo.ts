// `starpost demo`: the whole service on simulated stores, a sample workspace, and a receiver that
// verifies each delivery and prints it. A second run continues where the first one ended.

import type { FaultFlags } from "../../../simulator/fault-flags.ts";
import { createSampleStores, sampleAppStoreApp } from "../../../simulator/sample-stores.ts";
import { openSimulator } from "../../../simulator/simulator.ts";
import { StoreState } from "../../../simulator/store-state.ts";
import { type Container, openContainer } from "../../app/container.ts";
import { type Service, startService } from "../../app/service.ts";
import { openReceiver } from "../../cli/receiver.ts";
import {
  type Config,
  isLocalHost,
  npmScript,
  pointStores,
  takeSettings,
} from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { systemClock } from "../../lib/clock.ts";
import { type Log, silentLog } from "../../lib/log.ts";
import { ResourceStack } from "../../lib/resource-stack.ts";
import { createSetupLink } from "../../use-cases/accounts/setup.ts";
import { type DemoState, readDemoState, writeDemoState } from "./demo-state.ts";
import { pointChannels } from "./endpoints.ts";
import { startLiveEvents } from "./live-events.ts";
import { createSampleWorkspace } from "./sample-workspace.ts";

type Print = (line: string) => void;

export type Demo = { url: string; close(): Promise<void> };

export type DemoOptions = {
  config: Config;
  log: Log;
  print: Print;
  /** Gets every event, too; null: only the demo's own receiver. */
  webhookUrl: string | null;
  /** Aborted when the user stops the demo, also while it is still being prepared. */
  signal: AbortSignal;
  /** Days of history; two years unless given. */
  pastDays?: number;
};

/** @throws AppError `conflict` when the demo runs already, or as the service does at its start */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const resources = new ResourceStack();
  try {
    const url = await openDemo(options, resources);
    return { url, close: () => resources.closeAll() };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

async function openDemo(options: DemoOptions, resources: ResourceStack): Promise<string> {
  const { log, print, signal } = options;
  const dataDir = `${options.config.dataDir}-demo`;
  const known = await readDemoState(dataDir);
  if (known) await refuseSecondDemo(known);
  const startedAt = known ? new Date(known.startedAt) : systemClock.now();
  const storeState = new StoreState(systemClock);
  const stores = await openSimulator({ clock: systemClock, storeState });
  resources.add(() => stores.close());
  const iconBaseUrl = stores.url;
  const story = { clock: systemClock, startedAt, storeState, iconBaseUrl, isStory: true };
  const { pastDays } = options;
  const sample = createSampleStores({ ...story, ...(pastDays ? { pastDays } : {}) });
  const config = demoConfig(options.config, { dataDir, storesUrl: stores.url });

  let secret = "";
  let reminder: string | null = null;
  const printEvent = createEventPrinter(print, () => reminder);
  const receiver = await openReceiver({
    ...{ port: 0, secret: () => secret, print: printEvent },
    // The endpoint of the channel that fails.
    refuse: (path) => (path.endsWith("/closed") ? 503 : null),
  });
  resources.add(() => receiver.close());
  const state = known ?? { startedAt: startedAt.toISOString(), sample: null, url: null };
  if (!known) await writeDemoState(dataDir, state);
  const onProgress = (step: string): void => print(`${step} …`);
  const prepared = await prepare({ config, log, print, onProgress, signal }, state, {
    ...sample,
    receiverUrl: receiver.url,
  });

  signal.throwIfAborted();
  // Warnings would scroll the welcome away: one storefront and one channel fail on purpose.
  const errorsOnly: Log = { ...silentLog, error: (facts, message) => log.error(facts, message) };
  // With the machine's clock: the demo's old deliveries expire at once, not once the time has been confirmed.
  const service = await startService({ config, clock: systemClock, log: errorsOnly, onProgress });
  resources.add(() => service.close());
  signal.throwIfAborted();
  const { workspaceId, apiKey } = prepared;
  await writeDemoState(dataDir, { ...state, sample: prepared, url: service.url });
  await refreshIcons(service.deps, { workspaceId, storeState });
  const { url: receiverUrl } = receiver;
  const { webhookUrl } = options;
  const endpoints = await pointChannels(service.deps, { ...prepared, receiverUrl, webhookUrl });
  secret = endpoints.secret;
  await makeStoresFail(service.deps, { workspaceId, faultFlags: stores.faultFlags });
  const live = startLiveEvents({
    clock: systemClock,
    storeState,
    makeFeedDueNow: (feed) => makeFeedDueNow(service.deps, { workspaceId, ...feed }),
    print,
  });
  resources.add(() => live.close());
  const { url } = service;
  const signInUrl = await findSignInUrl(service, url);
  const { webhook } = endpoints;
  for (const line of formatWelcome({ url, apiKey, signInUrl, webhook, dataDir }, npmScript()))
    print(line);
  reminder = `  (the dashboard: ${signInUrl}; Ctrl-C ends the demo)`;
  return url;
}

// Two demos on one database would both point the one channel at their own receiver.
async function refuseSecondDemo({ url, sample }: DemoState): Promise<void> {
  if (url === null || sample === null) return;
  const headers = { authorization: `Bearer ${sample.apiKey}` };
  const answer = await fetch(`${url}/api/v1/apps`, {
    headers,
    signal: AbortSignal.timeout(1_000),
  }).catch(() => null);
  // Only the demo's own database has this key: another service at this URL refuses it.
  if (answer === null || answer.status === 401 || answer.status === 404) return;
  throw new AppError(
    "conflict",
    `the demo is running already at ${url}; stop it, or give this one another DATA_DIR`,
  );
}

/** For a demo on this machine; elsewhere a set-up link is shown. */
const demoUser = { email: "demo@example.com", password: "gull-tidepool-lantern-472" };

/** Always a database of its own, and settings of its own: the demo never touches real data, and never names the real service. */
function demoConfig(config: Config, demo: { dataDir: string; storesUrl: string }): Config {
  const isLocal = isLocalHost(config.host);
  return {
    ...takeSettings(config, ["HOST", "PORT", "LOG_LEVEL", "DATABASE_POOL_MAX"]),
    adminEmail: isLocal ? demoUser.email : null,
    adminPassword: isLocal ? demoUser.password : null,
    dataDir: demo.dataDir,
    webhookAllowHttp: true,
    webhookAllowedCidrs: ["127.0.0.0/8"],
    collectRequestsPerSecond: 1_000,
    // The demo's store has no such app.
    collectCanary: false,
    ...pointStores(config, demo.storesUrl),
  };
}

/** The first time; a run that was stopped meanwhile is continued. */
async function prepare(
  options: Omit<DemoOptions, "webhookUrl"> & { onProgress: Print },
  state: DemoState,
  sample: Omit<Parameters<typeof createSampleWorkspace>[1], "print" | "signal">,
): Promise<NonNullable<DemoState["sample"]>> {
  if (state.sample) return state.sample;
  const { config, print, signal } = options;
  const deps = await openContainer(options);
  try {
    signal.throwIfAborted();
    const prepared = await createSampleWorkspace(deps, { ...sample, print, signal });
    await writeDemoState(config.dataDir, { ...state, sample: prepared });
    return prepared;
  } finally {
    await deps.close();
  }
}

async function findSignInUrl({ deps }: Service, url: string): Promise<string> {
  const { clock, config, database } = deps;
  const setup = await createSetupLink({ clock, database, defaultPlan: config.defaultPlan });
  if (setup) return `${url}/setup#${setup.token}`;
  const { email, password } = demoUser;
  return config.adminEmail === email ? `${url}  (${email}, ${password})` : url;
}

const failingStorefront = "jp";

async function makeStoresFail(
  deps: Container,
  demo: { workspaceId: string; faultFlags: FaultFlags },
): Promise<void> {
  const { workspaceId, faultFlags } = demo;
  const { store, externalAppId } = sampleAppStoreApp;
  faultFlags.enable({ fault: "html_instead", when: { externalAppId, region: failingStorefront } });
  await makeFeedDueNow(deps, { workspaceId, store, region: failingStorefront });
}

/** Makes the feed of the store's first app due. */
async function makeFeedDueNow(
  deps: Container,
  feed: { workspaceId: string; store: StoreId; region: string },
): Promise<void> {
  const apps = await deps.database.listApps({ workspaceId: feed.workspaceId });
  const app = apps.find(({ store }) => store === feed.store);
  if (!app) return;
  const { listingId } = app;
  const now = deps.clock.now();
  await deps.database.makeFeedDueNow({ listingId, kind: "reviews", region: feed.region, now });
  await deps.database.notify("feeds");
}

/** The simulated stores have another port in every run, which the icons' addresses contain. */
async function refreshIcons(
  deps: Container,
  demo: { workspaceId: string; storeState: StoreState },
): Promise<void> {
  const { workspaceId, storeState } = demo;
  for (const app of await deps.database.listApps({ workspaceId })) {
    const inStore = storeState.appNow(app);
    if (!inStore) continue;
    const { name, iconUrl } = inStore;
    await deps.database.saveListingDetails({ id: app.listingId, name, iconUrl });
  }
}

type RunningDemo = {
  url: string;
  apiKey: string;
  signInUrl: string;
  /** For commands in another terminal. */
  dataDir: string;
  /** The channel of `--webhook`; null without. */
  webhook: { url: string; secret: string } | null;
};

/** @param script the npm script that started the demo, or undefined */
export function formatWelcome(demo: RunningDemo, script: string | undefined): string[] {
  const { url, apiKey, signInUrl, webhook, dataDir } = demo;
  const commands = commandsOf(script);
  return [
    "",
    "Starpost is running with simulated stores. A few reviews arrive in the first minutes; each line below",
    "is a webhook delivery whose signature was verified. Ctrl-C ends the demo.",
    "",
    `  Click     ${signInUrl}`,
    `  API       ${url}/docs`,
    `  API key   ${apiKey}`,
    "",
    `  curl -H "Authorization: Bearer ${apiKey}" "${url}/api/v1/reviews?rating=1&limit=3"`,
    `  curl -H "Authorization: Bearer ${apiKey}" "${url}/api/v1/apps"`,
    `  DATA_DIR=${dataDir} ${commands.status}`,
    ...(webhook
      ? ["", `  Your endpoint ${webhook.url} gets every event, signed with ${webhook.secret}`]
      : []),
    "",
    "What next",
    "  1. Overview: what happened to the battery nine days ago, and since the fix?",
    "  2. Sources: one storefront and one channel fail. Why?",
    ...(webhook
      ? []
      : [`  3. Your own receiver: ${commands.demo} --webhook http://127.0.0.1:3000/hook`]),
    `  ${webhook ? "3" : "4"}. Your own apps: stop the demo, then ${commands.start}`,
    "",
  ];
}

/** As the demo was started: by the script of a checkout, by npx, or by an installed command. */
function commandsOf(script: string | undefined): { demo: string; start: string; status: string } {
  if (script === "demo" || script === "dev")
    return { demo: "npm run demo --", start: "npm start", status: "npm run -s starpost -- status" };
  const starpost = script === "npx" ? "npx starpost" : "starpost";
  return {
    demo: `${starpost} demo`,
    start: `${starpost} serve`,
    status: `${starpost} status`,
  };
}

const reminderEvery = 12;

/** Prints events, and after every dozen of them where the demo is. */
function createEventPrinter(
  print: (line: string) => void,
  reminder: () => string | null,
): (line: string) => void {
  let count = 0;
  return (line) => {
    print(line);
    count += 1;
    const words = count % reminderEvery === 0 ? reminder() : null;
    if (words !== null) print(words);
  };
}
