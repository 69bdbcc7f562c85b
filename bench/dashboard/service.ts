// The dashboard's API over HTTP on loopback, with nothing else of the service, for a user who is signed in.
import type { Context } from "hono";
import { listTopicEvidence } from "../../src/analysis/analyze.ts";
import { openHttpServer } from "../../src/app/http-server.ts";
import { createDashboardApi } from "../../src/dashboard-api/dashboard-api.ts";
import type { DashboardDeps } from "../../src/dashboard-api/deps.ts";
import type { Database } from "../../src/database/database.ts";
import { ofEachStore } from "../../src/domain/store/store-id.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { ResourceStack } from "../../src/lib/resource-stack.ts";
import { createUser } from "../../src/use-cases/accounts/users.ts";

type World = { clock: Clock; database: Database; workspaceId: string };
const credentials = { email: "bench@example.com", password: "Seventeen-quiet-otters" };

/** Returns what sends a GET request to a path of it and returns the JSON of the response. */
export async function openDashboard(
  world: World,
  resources: ResourceStack,
): Promise<(path: string) => Promise<unknown>> {
  const { clock, database, workspaceId } = world;
  const user = { ...credentials, name: null, role: null, workspaceId };
  await createUser({ clock, database, actor: "bench" }, user);
  const dashboard = createDashboardApi({ deps: createDeps(world), files: new Map() });
  const notFoundHandler = (context: Context) => context.text("nothing here", 404);
  const http = await openHttpServer({
    host: "127.0.0.1",
    port: 0,
    api: null,
    dashboard,
    clock,
    database,
    trustedProxies: [],
    publicUrl: null,
    connections: { isProxy: () => true, onRefused: () => {} },
    notFoundHandler,
  });
  resources.add(() => http.close());
  return signIn(http.url);
}

function createDeps({ clock, database }: World): DashboardDeps {
  const unavailable = () => {
    throw new Error("the benchmark sends no requests to the outside");
  };
  const store = {
    validateAppId: unavailable,
    fetchApp: unavailable,
    parseLink: unavailable,
    findApps: unavailable,
  };
  const stores = ofEachStore(() => store);
  return {
    clock,
    log: silentLog,
    database,
    readStoreLoads: () => database.readStoreLoads({ intervalMinutes: 60 }),
    stores,
    storesFor: () => stores,
    secretBox: { open: unavailable, seal: unavailable },
    checkUrl: unavailable,
    signingKey: Buffer.alloc(32, 1),
    http: unavailable,
    openRateLimit: ({ perMinute: limit }) => ({
      take: async () => ({ accepted: true, limit, remaining: limit, resetSeconds: 1 }),
    }),
    composeTest: unavailable,
    evaluateRatingDrop: unavailable,
    previewRequest: unavailable,
    findEvidence: async (inputs) => listTopicEvidence(inputs),
    topicNames: [],
    providers: [],
    readProviders: async () => [],
    sendMail: null,
    signInProvider: null,
    settings: {
      publicUrl: null,
      publicNames: [],
      host: "127.0.0.1",
      sessionRequestsPerMinute: 600,
      hasPasswordSignIn: true,
      providerSessionMs: 43_200_000,
      defaultPlan: "studio",
      version: "0",
      storeBaseUrls: [],
      trustedProxies: [],
      pace: { requestsPerSecond: 1, intervalMinutes: 60 },
    },
  };
}

async function signIn(url: string): Promise<(path: string) => Promise<unknown>> {
  const api = `${url}/console/api`;
  const response = await fetch(`${api}/session/sign-in`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  // The session's and the browser's own.
  const cookies = response.headers.getSetCookie().map((one) => one.split(";")[0]);
  const cookie = cookies.join("; ");
  return async (path) => {
    const page = await fetch(`${api}${path}`, { headers: { cookie } });
    const text = await page.text();
    if (page.status !== 200) throw new Error(`${path}: ${text}`);
    return JSON.parse(text);
  };
}
