// The response times of the dashboard API on a workspace with many reviews: each request alone, over HTTP on
// loopback. Prints one table and one line of JSON. `--reviews` sets the size of the big app.
import type { Context } from "hono";
import { findTopicEvidence } from "../../src/analysis/analyze.ts";
import { openHttpServer } from "../../src/app/http-server.ts";
import { createDashboardApi } from "../../src/dashboard-api/dashboard-api.ts";
import type { DashboardDeps } from "../../src/dashboard-api/deps.ts";
import type { Database } from "../../src/database/database.ts";
import { MovableClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { createUser } from "../../src/use-cases/members/users.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { createBenchData, newestDay, oldestDay } from "../read-api/data.ts";
import { type Figure, medianOf, printFigures } from "../read-api/report.ts";

const options = readOptions(
  { name: "dashboard", about: "How long the dashboard's requests take, each by itself." },
  {
    reviews: [1_000_000, "reviews of the big app"],
    rounds: [9, "how often each request is measured"],
  },
);
const bigCount = options.reviews;
const roundCount = options.rounds;
const clock = new MovableClock(new Date(`${newestDay}T12:00:00Z`));
const credentials = { email: "bench@example.com", password: "Seventeen-quiet-otters" };

// A snapshot of each day, and a version every other week.
const moreData = `with days as (
    select l.id, d::date as day, row_number() over (partition by l.id order by d) as n
    from listings l, generate_series($1::date, $2::date, interval '1 day') d
  ), versions as (
    insert into app_versions (listing_id, version, first_day)
    select id, '4.' || n / 14, day from days where n % 14 = 0
  )
  insert into snapshots (listing_id, region, day, average, total, histogram, captured_at)
  select id, 'us', day, 4 + sin(n / 30.0) / 10, 1000 + n * 10, array[1, 2, 3, 4, 990 + n * 10], day
  from days`;

const resources = new ResourceStack();
try {
  await main();
} finally {
  await resources.closeAll();
}

async function main(): Promise<void> {
  const { database, admin } = await openBenchDatabase(resources);
  process.stderr.write(`bench: generating ${bigCount} reviews\n`);
  const data = await createBenchData(database, admin, {
    bigCount,
    smallCount: 10_000,
    keyCount: 1,
  });
  await admin.query(moreData, [oldestDay, newestDay]);
  const { workspaceId, big } = data;
  const deps = createDeps(database);
  const user = { ...credentials, name: null, role: null, workspaceId };
  await createUser({ clock, database, actor: "bench" }, user);
  const dashboard = createDashboardApi({ deps, files: new Map() });
  const notFoundHandler = (context: Context) => context.text("nothing here", 404);
  const http = await openHttpServer({
    host: "127.0.0.1",
    port: 0,
    api: null,
    dashboard,
    database,
    notFoundHandler,
  });
  resources.add(() => http.close());
  const base = `/workspaces/${workspaceId}`;
  const request = await signIn(http.url);
  const paths: [what: string, path: string][] = [
    ["overview of 90 days, all apps", `${base}/overview`],
    ["overview of 90 days, big app", `${base}/overview?app=${big.id}`],
    ["overview of two years, big app", `${base}/overview?app=${big.id}&from=${oldestDay}`],
    ["what changed, big app", `${base}/apps/${big.id}/digest`],
    ["counts above the feed", `${base}/reviews/summary`],
    ["feed, first page", `${base}/reviews`],
    ["feed, stars and topic", `${base}/reviews?rating=1&topic=crash`],
    ["feed, a frequent word", `${base}/reviews?q=swell`],
    ["feed, a word without matches", `${base}/reviews?q=zeppelin`],
    ["feed, edited only", `${base}/reviews?editedOnly=true`],
    ["topics", `${base}/topics`],
    ["apps", `${base}/apps`],
  ];
  const figures: Figure[] = [];
  for (const [what, at] of paths) {
    const times: number[] = [];
    for (let round = 0; round < roundCount; round += 1) {
      const startMs = performance.now();
      await request(at);
      times.push(performance.now() - startMs);
    }
    const limit = what.startsWith("overview") ? "< 1000" : "< 500";
    figures.push({ part: "first", what: what, value: times[0] ?? 0, unit: "ms", limit });
    figures.push({ part: "median", what: what, value: medianOf(times), unit: "ms", limit });
  }
  printFigures(figures, { reviews: bigCount });
}

function createDeps(database: Database): DashboardDeps {
  const unavailable = () => {
    throw new Error("the benchmark sends no requests to the outside");
  };
  const store = {
    validateAppId: unavailable,
    fetchApp: unavailable,
    parseLink: unavailable,
    findApps: unavailable,
  };
  return {
    clock,
    log: silentLog,
    database,
    stores: { appstore: store, googleplay: store },
    secretBox: { open: unavailable, seal: unavailable },
    checkUrl: unavailable,
    signingKey: Buffer.alloc(32, 1),
    http: unavailable,
    composeTest: unavailable,
    evaluateRatingDrop: unavailable,
    findEvidence: findTopicEvidence,
    topicNames: [],
    providers: [],
    sendMail: null,
    settings: {
      publicUrl: null,
      host: "127.0.0.1",
      sessionRequestsPerMinute: Number.MAX_SAFE_INTEGER,
      defaultPlan: "studio",
      version: "0",
      storeBaseUrls: [],
      trustedProxies: [],
      pace: { requestsPerSecond: 1, intervalMinutes: 60 },
    },
  };
}

async function signIn(url: string): Promise<(path: string) => Promise<void>> {
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
  };
}
