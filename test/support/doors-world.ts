// One workspace behind all doors: the dashboard with a client of each role, the API with a managing key, and the command
// line on the same database.
import { PassThrough } from "node:stream";
import type { CliContext } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/run.ts";
import type { AuditEntry } from "../../src/database/accounts/audit.ts";
import { type MemberRole, memberRoles } from "../../src/domain/user.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { nouns } from "../../src/operations/operations.ts";
import { type DashboardClient, openDashboardFixture } from "./dashboard.ts";
import { aKey } from "./factories.ts";

export type DoorAnswer = { status: number; json: Record<string, unknown>; etag: string | null };

export type DoorsWorld = {
  workspaceId: string;
  foreignWorkspaceId: string;
  member(role: MemberRole): DashboardClient;
  api(method: string, path: string, options?: ApiOptions): Promise<DoorAnswer>;
  /** The exit code and the JSON value. */
  cli(...argv: string[]): Promise<{ exitCode: number; value: Record<string, unknown> }>;
  /** Every thing of the workspace with its version. */
  readAll(): Promise<string>;
  /** The newest entries of all workspaces, the newest first. */
  audit(): Promise<AuditEntry[]>;
  /** Adds a viewer, who never signs in; their id. */
  addMember(): Promise<string>;
  deps: Pick<CliContext, "database" | "clock" | "secretBox">;
  database: CliContext["database"];
  clock: CliContext["clock"];
  /** For the next test. */
  renew(): Promise<void>;
  close(): Promise<void>;
};

type ApiOptions = { body?: unknown; key?: string; headers?: Record<string, string> };

const auditMax = 100;

export async function openDoorsWorld(storesUrl?: string): Promise<DoorsWorld> {
  // Each test has an owner's next workspace.
  const env = { OWNED_WORKSPACES_MAX: "10000" };
  const fixture = await openDashboardFixture({ env, ...(storesUrl && { storesUrl }) });
  const { deps } = fixture.service;
  const { database, clock, config } = deps;
  const clients = new Map<MemberRole, DashboardClient>();
  let workspaceId = "";
  let key = "";
  let renewals = 0;
  const world: DoorsWorld = {
    deps,
    async addMember() {
      const id = uuidV7(clock.now());
      const user = { id, email: `${id}@example.com`, name: "Vic", passwordHash: "none" };
      const now = clock.now();
      await database.insertUser({ ...user, createdAt: now });
      await database.insertMember({ workspaceId, userId: id, role: "viewer", joinedAt: now });
      return id;
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
          ...options.headers,
        },
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
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
        providers: [],
        loadContainer: async () => ({ ...deps, crawlListing: unused }),
        close: async () => {},
      };
      const stdin = Object.assign(new PassThrough(), { isTTY: false });
      stdin.end("");
      const exitCode = await runCli([...argv, "--json"], {
        openContext: async () => context,
        startService: unused,
        startDemo: unused,
        loadConfig: async () => config,
        runDoctor: unused,
        untilStopped: unused,
        stdin,
        stdout,
        stderr: new PassThrough(),
      });
      return { exitCode, value: JSON.parse(String(stdout.read() ?? "{}")) };
    },
    async readAll() {
      const lists = nouns.map(async ({ noun }) =>
        (await noun.list(database, workspaceId)).map((row) => [noun.toView(row), row.version]),
      );
      return JSON.stringify(await Promise.all(lists));
    },
    audit: () => database.listRecentAuditEntries({ workspaceId: null, limit: auditMax }),
    async renew() {
      renewals += 1;
      workspaceId = await fixture.addWorkspace(`Harbour ${renewals}`);
      for (const role of memberRoles) {
        const userId = (await database.findUserByEmail(`${role}@example.com`))?.id ?? "";
        await database.insertMember({ workspaceId, userId, role, joinedAt: clock.now() });
      }
      key = (await aKey(database, { id: workspaceId }, "manage")).key;
    },
    close: () => fixture.close(),
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
