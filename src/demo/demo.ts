// `starpost demo`: the whole service on simulated stores, a sample workspace, and a receiver that
// verifies each delivery and prints it. A second run continues where the first one ended.
import path from "node:path";
import { createSampleStores } from "../../simulator/sample-stores.ts";
import { openSimulator } from "../../simulator/simulator.ts";
import { type Container, openContainer } from "../app/container.ts";
import { type Service, startService } from "../app/service.ts";
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/error.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { createSetupLink } from "../use-cases/members/setup.ts";
import { type DemoState, readDemoState, writeDemoState } from "./demo-state.ts";
import { startLiveEvents } from "./live-events.ts";
import { openReceiver } from "./receiver.ts";
import { createSampleWorkspace } from "./sample-workspace.ts";

type Print = (line: string) => void;

export type Demo = { url: string; close(): Promise<void> };

/** @throws AppError `conflict` when the demo runs already, or as the service does at its start */
export async function startDemo(start: { config: Config; log: Log; print: Print }): Promise<Demo> {
  const { log, print } = start;
  const resources = new ResourceStack();
  try {
    const dataDir = path.join(start.config.dataDir, "demo");
    const known = await readDemoState(dataDir);
    if (known) await refuseSecondDemo(known);
    const startedAt = known ? new Date(known.startedAt) : systemClock.now();
    const sample = createSampleStores({ clock: systemClock, startedAt });
    const stores = await openSimulator({ clock: systemClock, storeState: sample.storeState });
    resources.add(() => stores.close());
    const config = demoConfig(start.config, { dataDir, storesUrl: stores.url });

    let secret = "";
    const receiver = await openReceiver({ secret: () => secret, print });
    resources.add(() => receiver.close());
    const receiverUrl = receiver.url;
    const prepareFirst = (): Promise<DemoState> =>
      prepare({ config, log, print }, { ...sample, startedAt, receiverUrl });
    const state = known ?? (await prepareFirst());

    const service = await startService({ config, log, onProgress: (step) => print(`${step} …`) });
    resources.add(() => service.close());
    await writeDemoState(dataDir, { ...state, url: service.url });
    secret = await pointChannel(service.deps, { ...state, receiverUrl });
    const live = startLiveEvents({
      clock: systemClock,
      storeState: sample.storeState,
      makeFeedDueNow: (feed) => makeFeedDueNow(service.deps, { ...state, ...feed }),
      print,
    });
    resources.add(() => live.close());
    const signInUrl = await findSignInUrl(service);
    for (const line of welcome({ url: service.url, apiKey: state.apiKey, signInUrl })) print(line);
    return { url: service.url, close: () => resources.closeAll() };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

// Two demos on one database would both point the one channel at their own receiver.
async function refuseSecondDemo({ url, apiKey }: DemoState): Promise<void> {
  if (url === null) return;
  const headers = { authorization: `Bearer ${apiKey}` };
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
const demoUser = { email: "demo@example.com", password: "paper-harbor-demo" };

/** Always a database of its own: the demo never touches real data. */
function demoConfig(config: Config, demo: { dataDir: string; storesUrl: string }): Config {
  const isLocal = /^(127\.|localhost$|::1$)/.test(config.host);
  return {
    ...config,
    adminEmail: isLocal ? demoUser.email : null,
    adminPassword: isLocal ? demoUser.password : null,
    dataDir: demo.dataDir,
    databaseUrl: null,
    encryptionKey: null,
    roles: ["api", "collect", "deliver", "dashboard"],
    webhookAllowHttp: true,
    webhookAllowedCidrs: ["127.0.0.0/8"],
    collectRequestsPerSecond: 1_000,
    itunesBaseUrl: demo.storesUrl,
    appleAppsBaseUrl: demo.storesUrl,
    googlePlayBaseUrl: demo.storesUrl,
  };
}

async function prepare(
  options: { config: Config; log: Log; print: Print },
  sample: Omit<Parameters<typeof createSampleWorkspace>[1], "print">,
): Promise<DemoState> {
  const { config, print } = options;
  const deps = await openContainer({ ...options, onProgress: (step) => print(`${step} …`) });
  try {
    const state = await createSampleWorkspace(deps, { ...sample, print });
    await writeDemoState(config.dataDir, state);
    return state;
  } finally {
    await deps.close();
  }
}

/**
 * Sets the channel's URL: the receiver has another port in every run. Returns the channel's secret.
 *
 * @throws AppError `conflict` when the channel was deleted
 */
async function pointChannel(
  deps: Container,
  target: { channelId: string; workspaceId: string; receiverUrl: string },
): Promise<string> {
  const { channelId: id, workspaceId } = target;
  const channel = await deps.database.findChannel({ id, workspaceId });
  const sealed = await deps.database.findChannelSecret(id);
  if (!channel || !sealed) {
    throw new AppError(
      "conflict",
      `the demo's channel is gone; delete ${deps.config.dataDir} to start again`,
    );
  }
  await deps.database.updateChannel({ ...channel, url: target.receiverUrl });
  return deps.secretBox.open(sealed.encryptedSecret, id);
}

async function makeFeedDueNow(
  deps: Container,
  feed: { workspaceId: string; store: string; region: string },
): Promise<void> {
  const apps = await deps.database.listApps({ workspaceId: feed.workspaceId });
  const app = apps.find(({ store }) => store === feed.store);
  if (!app) return;
  const { listingId } = app;
  const now = deps.clock.now();
  await deps.database.makeFeedDueNow({ listingId, kind: "reviews", region: feed.region, now });
  await deps.database.notify("feeds");
}

async function findSignInUrl({ url, deps }: Service): Promise<string> {
  const { clock, config, database } = deps;
  const setup = await createSetupLink({ clock, database, defaultPlan: config.defaultPlan });
  if (setup) return `${url}/setup#${setup.token}`;
  const { email, password } = demoUser;
  return config.adminEmail === email ? `${url}  (${email}, ${password})` : url;
}

function welcome(demo: { url: string; apiKey: string; signInUrl: string }): string[] {
  const { url, apiKey, signInUrl } = demo;
  return [
    "",
    "Starpost is running with simulated stores. New and edited reviews arrive every few seconds;",
    "each line below is a webhook delivery whose signature was verified. Ctrl-C ends the demo.",
    "",
    `  Click     ${signInUrl}`,
    `  API       ${url}/docs`,
    `  API key   ${apiKey}`,
    "",
    `  curl -H "Authorization: Bearer ${apiKey}" "${url}/api/v1/reviews?rating=1&limit=3"`,
    `  curl -H "Authorization: Bearer ${apiKey}" "${url}/api/v1/apps"`,
    "",
  ];
}
