// The service: opens the container, starts the roles of this process, and closes everything in reverse
// order at shutdown.

import { type Api, openApi } from "../api/api.ts";
import { createNotFoundHandler } from "../api/not-found.ts";
import { ownUrl } from "../config/config.ts";
import { createNetworkCheck } from "../http/client-ip.ts";
import { type ConnectionPolicy, connectionLimits } from "../http/connection-limits.ts";
import { monotonicMs } from "../lib/clock.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { minuteMs } from "../lib/timestamp.ts";
import { version } from "../lib/version.ts";
import { type Container, type ContainerOptions, openContainer } from "./container.ts";
import { announceSetup, createTestComposer, openDashboard } from "./dashboard.ts";
import { installRoutes } from "./feature-routes.ts";
import { installFeatures, openFeatureWorkers } from "./features.ts";
import { openHttpServer, type Routes, serveHttp } from "./http-server.ts";
import { requireFreePorts } from "./listen.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { listOperatorWarnings } from "./operator-warnings.ts";
import { listProviderConfigs } from "./providers.ts";
import { openServiceMail } from "./service-mail.ts";
import { openAnalysisWorker } from "./workers/analysis-worker.ts";
import { openCrawlWorker } from "./workers/crawl-worker.ts";
import { openDeliveryWorker } from "./workers/delivery-worker.ts";
import { openRetentionWorker } from "./workers/retention-worker.ts";

export type Service = {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string;
  /** Where Prometheus reads metrics; null without `METRICS_PORT`. */
  metricsUrl: string | null;
  /** All that `url` answers, in Hono's form. */
  routes: Routes;
  deps: Container;
  /** Finishes what is in flight, then closes everything. */
  close(): Promise<void>;
};

type ServiceOptions = ContainerOptions & {
  /** Gets the link that creates the first user; without it the link is logged. */
  onSetupLink?: (link: string) => void;
};

/** @throws AppError `invalid_setting` or `unavailable`; nothing stays open then */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log } = options;
  installFeatures();
  const resources = new ResourceStack();
  try {
    // First, so that a port in use is reported before a database is created.
    await requireFreePorts(config);
    const container = await openContainer(options);
    resources.add(() => container.close());
    // The servers start before the workers: when a port is taken, no worker has begun yet.
    const connections = createConnectionPolicy(container);
    const metrics = config.metricsPort === null ? null : createMetrics(container, connections);
    const { url, routes } = await startHttpServer(container, {
      resources,
      connections,
      metrics,
      onSetupLink: options.onSetupLink,
    });
    const metricsUrl = await startMetricsServer(container, { resources, metrics });
    if (config.roles.includes("deliver")) {
      await openDeliveryWorker(container, resources);
    }
    if (config.roles.includes("collect")) {
      openCrawlWorker(container, resources);
      openAnalysisWorker(container, resources);
      openRetentionWorker(container, resources);
    }
    await openFeatureWorkers(container, resources);
    for (const { sentence } of listOperatorWarnings(config)) log.warn({}, sentence);
    log.info({ url, metricsUrl, roles: config.roles, version }, "Starpost is ready");
    return { url, metricsUrl, routes, deps: container, close: () => resources.closeAll() };
  } catch (error) {
    await resources.closeAll();
    throw error;
  }
}

type ServerOptions = {
  resources: ResourceStack;
  connections: ConnectionPolicy;
  metrics: Metrics | null;
  onSetupLink?: ((link: string) => void) | undefined;
};

async function startHttpServer(
  container: Container,
  options: ServerOptions,
): Promise<Pick<Service, "url" | "routes">> {
  const { config, database, log } = container;
  const { resources, connections, metrics, onSetupLink } = options;
  await installRoutes();
  const api = config.roles.includes("api") ? startApi(container, resources) : null;
  const hasDashboard = config.roles.includes("dashboard");
  const server = await openHttpServer({
    clock: container.clock,
    host: config.host,
    port: config.port,
    api,
    notFoundHandler:
      api?.notFoundHandler ?? createNotFoundHandler({ log, publicUrl: config.publicUrl }),
    dashboard: hasDashboard ? await openDashboard(container, resources) : null,
    database,
    connections,
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    onUnreadProxy: (header) =>
      log.warn(
        { ...header },
        "a proxy of TRUSTED_PROXIES doesn't name its clients as X-Forwarded-For: 203.0.113.5, so all of them count as one",
      ),
    ...(metrics && { onServer: metrics.observe }),
  });
  resources.add(() => server.close());
  if (hasDashboard) await announceSetup(container, { url: server.url, onSetupLink });
  return server;
}

/** One warning a minute at most: an attack must not fill the log. */
function createConnectionPolicy({
  config,
  log,
}: Pick<Container, "config" | "log">): ConnectionPolicy {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return {
    isProxy: createNetworkCheck(config.trustedProxies),
    onRefused(address) {
      if (monotonicMs() - warnedAtMs < minuteMs) return;
      warnedAtMs = monotonicMs();
      const { perClientMax } = connectionLimits;
      log.warn(
        { address, perClientMax },
        "connections are refused: one address has too many; if it is your proxy, name it in TRUSTED_PROXIES",
      );
    },
  };
}

function startApi(container: Container, resources: ResourceStack): Api {
  const { clock, config, cursorKeys, database, log, openRateLimit } = container;
  const { apiCorsOrigins: corsOrigins, publicUrl, trustedProxies } = config;
  const baseUrl = ownUrl(config);
  const settings = { corsOrigins, publicUrl, baseUrl, trustedProxies, version };
  const api = openApi({
    clock,
    log,
    database,
    cursorKeys,
    openRateLimit,
    settings,
    manage: {
      ...container,
      loadIngest: async () => container,
      providers: listProviderConfigs(config),
      composeTest: createTestComposer(clock),
      signingKey: cursorKeys[0],
      sendMail: openServiceMail(container, resources),
    },
  });
  resources.add(() => api.close());
  return api;
}

const metricsSettings = { portSetting: "METRICS_PORT", hostSetting: "METRICS_HOST" } as const;

async function startMetricsServer(
  { config }: Container,
  { resources, metrics }: Pick<ServerOptions, "resources" | "metrics">,
): Promise<string | null> {
  const { metricsHost: host, metricsPort: port } = config;
  if (!metrics || port === null) return null;
  const server = await serveHttp(metrics.server, { host, port, ...metricsSettings });
  resources.add(() => server.close());
  return `${server.url}/metrics`;
}
