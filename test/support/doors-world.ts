// One workspace behind all doors: the dashboard with a client of each role, the API with a managing key, and the command
// line on the same database.

import { PassThrough } from "node:stream";
import pg from "pg";
import { listProviderConfigs } from "../../src/app/providers.ts";
import type { CliContext } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/run.ts";
import type { AuditEntry } from "../../src/database/accounts/audit.ts";
import { type MemberRole, memberRoles } from "../../src/domain/people/user.ts";
import * as sqlUsers from "../../src/features/sql-users/sql.ts";
import * as triage from "../../src/features/triage/sql.ts";
import { hourMs } from "../../src/lib/timestamp.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { listResources } from "../../src/operations/operation.ts";
import { nouns } from "../../src/operations/operations.ts";
import { type DashboardClient, openDashboardFixture } from "./dashboard.ts";
import { aKey, anApp, aReview, saveReviews } from "./factories.ts";

export type DoorAnswer = { status: number; json: Record<string, unknown>; etag: string | null };

export type DoorsWorld = {
  url: string;
  workspaceId: string;
  foreignWorkspaceId: string;
  member(role: MemberRole): DashboardClient;
  api(method: string, path: string, options?: ApiOptions): Promise<DoorAnswer>;
  /** The exit code and the JSON value. */
  cli(...argv: string[]): Promise<{ exitCode: number; value: Record<string, unknown> }>;
  /** Every resource of the workspace with its version. */
  readAll(): Promise<string>;
  /** The newest entries of all workspaces, the newest first. */
  audit(): Promise<AuditEntry[]>;
  /** Adds an app with a review; the review's id. */
  addReview(): Promise<string>;
  /** Adds an app that is collected; its id. */
  addCollectedApp(): Promise<string>;
  /** Adds the notice that a channel was deleted; its id. */
  addNotice(): Promise<string>;
  /** Adds a change of a store's layout; its name. */
  addIncident(): Promise<string>;
  /** Adds a viewer, who never signs in; their id. */
  addMember(): Promise<string>;
  deps: Pick<CliContext, "database" | "clock" | "secretBox">;
  database: CliContext["database"];
  clock: CliContext["clock"];
  /** For the next test. */
  renew(): Promise<void>;
  close(): Promise<void>;
};

type ApiOptions = {
  body?: unknown;
  /** In place of a body of JSON. */
  file?: NonNullable<RequestInit["body"]>;
  key?: string;
  headers?: Record<string, string>;
};

const auditMax = 100;

export async function openDoorsWorld(storesUrl?: string): Promise<DoorsWorld> {
  // Each test has an owner's next workspace.
  const translator = { TRANSLATE_PROVIDER: "libretranslate", TRANSLATE_URL: "http://127.0.0.1:9" };
  const env = { OWNED_WORKSPACES_MAX: "10000", ...translator };
  const fixture = await openDashboardFixture({ env, ...(storesUrl && { storesUrl }) });
  const { deps } = fixture.service;
  const { database, clock, config } = deps;
  const clients = new Map<MemberRole, DashboardClient>();
  let workspaceId = "";
  let key = "";
  let renewals = 0;
  const world: DoorsWorld = {
    url: fixture.service.url,
    deps,
    async addMember() {
      const id = uuidV7(clock.now());
      const user = { id, email: `${id}@example.com`, name: "Vic", passwordHash: "none" };
      const now = clock.now();
      await database.insertUser({ ...user, createdAt: now });
      await database.insertMember({ workspaceId, userId: id, role: "viewer", joinedAt: now });
      return id;
    },
    async addReview() {
      const app = await anApp(database, { workspaceId });
      const [review] = await saveReviews(database, app, [aReview()]);
      return review?.id ?? "";
    },
    async addNotice() {
      const at = clock.now();
      const entry = { id: uuidV7(at), at, workspaceId, subject: uuidV7(at) };
      const detail = { name: "All", url: "http://127.0.0.1:9/hook", reason: "410" };
      const act = { actor: "system", action: "channel.deleted", detail };
      await database.insertAuditEntry({ ...entry, ...act });
      return entry.id;
    },
    async addIncident() {
      const app = await world.addCollectedApp();
      const client = new pg.Client({ connectionString: config.databaseUrl ?? "" });
      await client.connect();
      const page = { source: "public", kind: "dates_shifted", reason: "moved", since: clock.now() };
      const statement =
        "update feeds f set quarantined_page = $1 from apps a where a.id = $2 and f.listing_id = a.listing_id";
      await client.query(statement, [page, app]);
      await client.end();
      return "appstore/public/dates_shifted";
    },
    async addCollectedApp() {
      const app = await anApp(database, { workspaceId, countries: ["us"] });
      const { listingId } = app;
      await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now: clock.now() });
      return app.id;
    },
    database,
    clock,
    get workspaceId() {
      return workspaceId;
    },
    foreignWorkspaceId: await fixture.addWorkspace("Elsewhere"),
    member(role) {
      const client = clients.get(role);
      if (!client) throw new Error(`there is no ${role}`);
      return client;
    },
    async api(method, path, options = {}) {
      const response = await fetch(`${fixture.service.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${options.key ?? key}`,
          ...(options.body !== undefined && { "content-type": "application/json" }),
          ...(options.file !== undefined && { "content-type": "application/octet-stream" }),
          ...options.headers,
        },
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
        ...(options.file !== undefined && { body: options.file }),
      });
      const text = await response.text();
      const json = text === "" ? {} : JSON.parse(text);
      return { status: response.status, json, etag: response.headers.get("etag") };
    },
    async cli(...argv) {
      const stdout = new PassThrough();
      const context: CliContext = {
        ...deps,
        actor: "cli",
        defaultPlan: "studio",
        providers: listProviderConfigs(config),
        loadContainer: async () => ({
          ...deps,
          crawlListing: async () => ({ summaries: [], busyFeeds: [] }),
        }),
        close: async () => {},
      };
      const stdin = Object.assign(new PassThrough(), { isTTY: false });
      stdin.end("");
      const exitCode = await runCli([...argv, "--json"], {
        openContext: async () => context,
        startService: unused,
        loadConfig: async () => config,
        migrate: unused,
        untilStopped: unused,
        stdin,
        stdout,
        stderr: new PassThrough(),
      });
      return { exitCode, value: JSON.parse(String(stdout.read() ?? "{}")) };
    },
    async readAll() {
      const lists = nouns.map(async ({ noun }) =>
        (await listResources(noun, database, workspaceId)).map((row) => [
          noun.toView(row),
          row.version,
        ]),
      );
      const page = { workspaceId, afterId: null, limit: 100 };
      const work = [
        database.with(triage).listWorkOfWorkspace(page),
        database.with(triage).listNotesOfWorkspace(page),
      ];
      return JSON.stringify(await Promise.all([...lists, ...work]));
    },
    audit: () => database.listRecentAuditEntries({ workspaceId: null, limit: auditMax }),
    async renew() {
      renewals += 1;
      // A session may send 600 requests in a minute, which is less than these tests need.
      const later = new Date(Date.now() + hourMs);
      await database.pruneRateWindows({ windowMs: 0, now: later });
      workspaceId = await fixture.addWorkspace(`Harbour ${renewals}`);
      for (const role of memberRoles) {
        const userId = (await database.findUserByEmail(`${role}@example.com`))?.id ?? "";
        await database.insertMember({ workspaceId, userId, role, joinedAt: clock.now() });
      }
      key = (await aKey(database, { id: workspaceId }, "manage")).key;
    },
    async close() {
      for (const user of await database.with(sqlUsers).listSqlUsers({ workspaceId: null }))
        await database.with(sqlUsers).deleteSqlUser(user.id);
      await fixture.close();
    },
  };
  for (const role of memberRoles) {
    clients.set(role, await fixture.signIn({ email: `${role}@example.com`, role }));
  }
  await world.renew();
  return world;
}

const unused = (): never => {
  throw new Error("no operation asks for this");
};
