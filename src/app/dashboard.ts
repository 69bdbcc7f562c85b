// The dashboard of a service: its API, the built pages, and the set-up of the first user.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findTopicEvidence } from "../analysis/analyze.ts";
import { createDashboardApi, type DashboardApi } from "../dashboard-api/dashboard-api.ts";
import { type Channel, channelDefaults } from "../domain/channel.ts";
import { AppError } from "../domain/error.ts";
import { topicNames } from "../domain/topics.ts";
import { readStaticFiles } from "../http/static-files.ts";
import { openHttpClient } from "../lib/http-client.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { secondMs } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { version } from "../lib/version.ts";
import { toTestDelivery } from "../matching/deliveries.ts";
import { matchRatingDrop } from "../matching/rating-drop.ts";
import { completeSetupFromSettings, createSetupLink } from "../use-cases/members/setup.ts";
import type { Container } from "./container.ts";
import { listProviderConfigs } from "./workers/enrichment-workers.ts";

// Beside the built code. Run from source, the service uses the last build.
const folder = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../dist/dashboard" : "../../dashboard",
    import.meta.url,
  ),
);

export async function openDashboard(
  container: Container,
  resources: ResourceStack,
): Promise<DashboardApi> {
  const { clock, config, database, log, stores, secretBox, checkUrl } = container;
  const files = await readStaticFiles(folder);
  if (files.size === 0) {
    log.warn(
      { folder: path.relative(process.cwd(), folder) },
      "the dashboard's pages are not built",
    );
  }
  // A client of its own: icons are not throttled by the stores, and pages must not wait for a crawl.
  const icons = openHttpClient({
    userAgent: `Starpost/${version}`,
    totalTimeoutMs: 10 * secondMs,
    bodyBytesMax: 1024 * 1024,
    connectionsPerHost: 4,
  });
  resources.add(() => icons.close());
  return createDashboardApi({
    files,
    deps: {
      clock,
      log,
      database,
      stores,
      secretBox,
      checkUrl,
      signingKey: container.cursorKeys[0],
      http: icons.http,
      composeTest: (channel) =>
        toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now())),
      findEvidence: findTopicEvidence,
      evaluateRatingDrop: ({ filters, appId, ...day }) =>
        matchRatingDrop({ channel: { ...draftChannel, ...filters }, app: { id: appId }, ...day })
          .kind,
      topicNames,
      providers: listProviderConfigs(config),
      settings: {
        publicUrl: config.publicUrl,
        defaultPlan: config.defaultPlan,
        version,
        trustedProxies: config.trustedProxies,
        storeBaseUrls: [config.itunesBaseUrl, config.appleAppsBaseUrl, config.googlePlayBaseUrl],
      },
    },
  });
}

/** The other fields of a channel that is not created yet. */
const draftChannel: Channel = {
  ...channelDefaults,
  id: "",
  workspaceId: "",
  name: "",
  url: "",
  createdAt: new Date(0),
  failingSince: null,
  failingReason: null,
};

/**
 * While there is no user: creates the one of ADMIN_EMAIL and ADMIN_PASSWORD, or logs a set-up link.
 *
 * @throws AppError `invalid_setting` when only one of the two is set or a value is refused
 */
export async function announceSetup(container: Container, url: string): Promise<void> {
  const { clock, config, database, log } = container;
  const setup = { clock, database, defaultPlan: config.defaultPlan };
  const { adminEmail: email, adminPassword: password } = config;
  if ((email === null) !== (password === null)) {
    throw new AppError("invalid_setting", "ADMIN_EMAIL and ADMIN_PASSWORD go together");
  }
  if (email !== null && password !== null) return createAdmin(setup, { email, password });
  const setupLink = await createSetupLink(setup);
  if (!setupLink) return;
  const link = `${config.publicUrl ?? url}/setup#${setupLink.token}`;
  log.info({ link }, "there is no user yet: open this link to create the first one");
}

async function createAdmin(
  setup: Parameters<typeof completeSetupFromSettings>[0],
  admin: { email: string; password: string },
): Promise<void> {
  try {
    await completeSetupFromSettings(setup, admin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_input") throw error;
    const message = `ADMIN_EMAIL, ADMIN_PASSWORD: ${error.message}`;
    throw new AppError("invalid_setting", message, { cause: error });
  }
}
