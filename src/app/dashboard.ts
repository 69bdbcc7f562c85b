// The dashboard of a service: its API, the built pages, and the set-up of the first user.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { analyzeWork, listTopicEvidence } from "../analysis/analyze.ts";
import { outgoingProxyOf, ownUrl, paceOf, storeBasesOf } from "../config/config.ts";
import { createDashboardApi, type DashboardApi } from "../dashboard-api/dashboard-api.ts";
import type { DashboardDeps } from "../dashboard-api/deps.ts";
import { startSessionMaintenance } from "../dashboard-api/session/sessions.ts";
import { previewHttpRequest } from "../delivery/channel-types/http/http.ts";
import { type Channel, channelDefaults, webhookFields } from "../domain/channel/channel.ts";
import type { NewDelivery } from "../domain/channel/delivery.ts";
import { topicNames } from "../domain/review/topics.ts";
import { readStaticFiles } from "../http/static-files.ts";
import { createCachedValue } from "../lib/cached-value.ts";
import type { Clock } from "../lib/clock.ts";
import { type HttpClient, openHttpClient } from "../lib/http-client.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { hourMs, minuteMs, secondMs } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { version } from "../lib/version.ts";
import { toTestDelivery } from "../matching/deliveries.ts";
import { matchRatingDrop } from "../matching/rating-drop.ts";
import { completeSetupFromSettings, createSetupLink } from "../use-cases/accounts/setup.ts";
import { runForWorkspace } from "../use-cases/workspace-work.ts";
import { readAdmin } from "./check-settings.ts";
import type { Container } from "./container.ts";
import { installRoutes } from "./feature-routes.ts";
import { listProviderConfigs, providerTable } from "./providers.ts";
import { openServiceMail } from "./service-mail.ts";
import { signInProviders } from "./sign-in-provider.ts";

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
  await installRoutes();
  const { clock, config, log } = container;
  const files = await readStaticFiles(folder);
  if (files.size === 0) {
    log.warn(
      { folder: path.relative(process.cwd(), folder) },
      "the dashboard's pages are not built",
    );
  }
  // A client of its own: icons are not throttled by the stores, and pages must not wait for a crawl.
  const icons = openSmallClient(container, resources, 10 * secondMs);
  const models = openSmallClient(container, resources, minuteMs);
  const pace = paceOf(config);
  // It reads all feeds, and changes with the apps that are followed.
  const readStoreLoads = createCachedValue({ clock, cachedMs: minuteMs }, () =>
    container.database.readStoreLoads(pace),
  );
  const maintenance = startSessionMaintenance({ clock, log, database: container.database });
  resources.add(() => maintenance.close());
  const open = await signInProviders[0]?.();
  const signInProvider = open?.({ ...container, http: icons.http }) ?? null;
  return createDashboardApi({
    files,
    deps: {
      ...container,
      loadIngest: async () => container,
      readStoreLoads,
      signingKey: container.cursorKeys[0],
      http: icons.http,
      chat: providerTable[0]?.createChat(config, models.http) ?? null,
      composeTest: createTestComposer(clock),
      previewRequest: createRequestPreview(container),
      findEvidence,
      evaluateRatingDrop: ({ filters, ...reading }) => {
        const { filter = null, view = null } = filters;
        return matchRatingDrop({
          channel: { ...draftChannel, ...filters, filter, view },
          ...reading,
        }).kind;
      },
      topicNames,
      providers: listProviderConfigs(config),
      readProviders: async () => (await providerTable[0]?.readStatuses(container)) ?? [],
      sendMail: openServiceMail(container, resources),
      signInProvider,
      settings: {
        publicUrl: config.publicUrl,
        replies: config.replies,
        publicNames: config.publicNames,
        host: config.host,
        sessionRequestsPerMinute,
        hasPasswordSignIn: config.passwordSignIn,
        providerSessionMs: config.oidcSessionHours * hourMs,
        defaultPlan: config.defaultPlan,
        version,
        trustedProxies: config.trustedProxies,
        pace,
        storeBaseUrls: Object.values(storeBasesOf(config)),
      },
    },
  });
}

function openSmallClient(
  { config }: Pick<Container, "config">,
  resources: ResourceStack,
  totalTimeoutMs: number,
): HttpClient {
  const client = openHttpClient({
    ...{ totalTimeoutMs, bodyBytesMax: 1024 * 1024, connectionsPerHost: 4 },
    proxy: outgoingProxyOf(config),
  });
  resources.add(() => client.close());
  return client;
}

/** A page of ordinary reviews, which takes ten milliseconds. */
const evidenceUnitsMax = 20_000;

const findEvidence: DashboardDeps["findEvidence"] = async (inputs, workspaceId) => {
  const units = inputs.reduce((sum, { text }) => sum + text.length, 0);
  if (units <= evidenceUnitsMax) return listTopicEvidence(inputs);
  const work = { module: analyzeWork, run: listTopicEvidence };
  return runForWorkspace(
    work,
    [
      inputs.map(({ title, text, rating, languageHint }) => ({
        title,
        text,
        rating,
        languageHint,
      })),
    ],
    workspaceId,
  );
};

/** The sample event of a channel. */
export function createTestComposer(clock: Clock): (channel: Channel) => NewDelivery {
  return (channel) => toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now()));
}

/** A page makes about ten requests; this is a page every second. */
const sessionRequestsPerMinute = 600;

function createRequestPreview({ clock, config }: Container): DashboardDeps["previewRequest"] {
  return (request, { event, id, workspaceId }) => {
    const channel = { ...draftChannel, workspaceId, type: "http" as const };
    const now = clock.now();
    const { body } = toTestDelivery({ channel, now, event }, () => uuidV7(now));
    return previewHttpRequest(request, { event: body, publicUrl: config.publicUrl, id });
  };
}

/** The other fields of a channel that is not created yet. */
const draftChannel: Channel = {
  ...channelDefaults,
  ...webhookFields,
  id: "",
  workspaceId: "",
  name: "",
  url: "",
  createdAt: new Date(0),
};

/**
 * Before the first user exists: creates the one of ADMIN_EMAIL and ADMIN_PASSWORD, or announces a set-up link.
 *
 * @throws AppError `invalid_setting` when only one of the two is set or a value is refused
 */
export async function announceSetup(
  container: Container,
  options: { url: string; onSetupLink?: ((link: string) => void) | undefined },
): Promise<void> {
  const { clock, config, database, log } = container;
  const setup = { clock, database, defaultPlan: config.defaultPlan };
  const admin = readAdmin(config);
  if (admin) return completeSetupFromSettings(setup, admin);
  const setupLink = await createSetupLink(setup);
  if (!setupLink) return;
  // HOST can be 0.0.0.0, which browsers don't open; PORT can be 0, so the server's own is taken.
  const port = Number(new URL(options.url).port || 80);
  const link = `${ownUrl({ ...config, port })}/setup#${setupLink.token}`;
  if (options.onSetupLink) options.onSetupLink(link);
  else log.info({ link }, "there is no user yet: open this link to create the first one");
}
