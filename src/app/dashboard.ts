// The dashboard of a service: the console over the rooms, the built pages, and the way in for the first
// person.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findTopicEvidence } from "../analysis/analyze.ts";
import { topicNames } from "../analysis/topics.ts";
import { type DashboardApi, createDashboardApi } from "../dashboard-api/dashboard-api.ts";
import { readStaticFiles } from "../http/static-files.ts";
import { type Channel, channelDefaults } from "../domain/channel.ts";
import { AppError } from "../domain/error.ts";
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

// Beside the built code; run from its source, the service takes the last build.
const folder = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../dist/dashboard" : "../../dashboard",
    import.meta.url,
  ),
);

export async function openDashboard(deps: Container, resources: ResourceStack): Promise<DashboardApi> {
  const { clock, config, database, log, stores, secretBox, checkUrl } = deps;
  const files = await readStaticFiles(folder);
  if (files.size === 0) {
    log.warn(
      { folder: path.relative(process.cwd(), folder) },
      "the dashboard's pages are not built",
    );
  }
  // Of its own: pictures are not what stores limit, and no page must wait for a pass.
  const pictures = openHttpClient({
    userAgent: `Starpost/${version}`,
    totalTimeoutMs: 10 * secondMs,
    bodyBytesMax: 1024 * 1024,
    connectionsPerHost: 4,
  });
  resources.add(() => pictures.close());
  return createDashboardApi({
    files,
    deps: {
      clock,
      log,
      database,
      stores,
      secretBox,
      checkUrl,
      signingKey: deps.cursorKey,
      http: pictures.http,
      composeTest: (channel) =>
        toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now())),
      findEvidence: findTopicEvidence,
      evaluateRatingDrop: ({ filters, appId, ...day }) =>
        matchRatingDrop({ channel: { ...nobodysChannel, ...filters }, app: { id: appId }, ...day })
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

/** For a choice that is not a channel yet. */
const nobodysChannel: Channel = {
  ...channelDefaults,
  id: "",
  workspaceId: "",
  name: "",
  url: "",
  createdAt: new Date(0),
  failingSince: null,
  failingReason: null,
};

/** While nobody has an account: makes the one of the settings, or writes a set-up link into the log. */
export async function announceSetup(deps: Container, url: string): Promise<void> {
  const { clock, config, database, log } = deps;
  const setup = { clock, database, defaultPlan: config.defaultPlan };
  const { adminEmail: email, adminPassword: password } = config;
  if ((email === null) !== (password === null)) {
    throw new AppError("invalid_setting", "ADMIN_EMAIL and ADMIN_PASSWORD go together");
  }
  if (email !== null && password !== null) return claimAsSet(setup, { email, password });
  const open = await createSetupLink(setup);
  if (!open) return;
  const link = `${config.publicUrl ?? url}/setup#${open.token}`;
  log.info({ link }, "nobody has an account yet: open this link to make the first one");
}

async function claimAsSet(
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
