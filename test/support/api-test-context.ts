// The read API over a world of its own, asked as a client asks it: by path and key.
import { Hono } from "hono";
import { type Api, type ApiSettings, openApi } from "../../src/api/api.ts";
import type { Database } from "../../src/database/database.ts";
import type { Workspace } from "../../src/domain/workspace.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";
import { aKey, aWorkspace } from "./factories.ts";
import { openTestContext, type TestContext } from "./test-context.ts";

export type ApiTestContext = TestContext & {
  api: Api;
  workspace: Workspace;
  key: string;
  keyId: string;
  /** GET by default, with the workspace's key; `key: null` sends none. */
  request(path: string, asked?: RequestOptions): Promise<ApiResponse>;
  /** A further workspace with a key, and the way to ask as it. */
  addWorkspace(
    given?: Parameters<typeof aWorkspace>[1],
  ): Promise<{ workspace: Workspace; key: string }>;
};

export type RequestOptions = {
  key?: string | null;
  method?: string;
  headers?: Record<string, string>;
  address?: string;
};

/** An answer whose body was read. */
export type ApiResponse = { status: number; headers: Headers; text: string; json: unknown };

export async function openApiTestContext(
  given: { settings?: Partial<ApiSettings>; database?: Partial<Database>; log?: Log } = {},
): Promise<ApiTestContext> {
  const world = await openTestContext();
  const api = openApi({
    clock: world.clock,
    log: given.log ?? silentLog,
    database: { ...world.database, ...given.database },
    cursorKey: Buffer.alloc(32, 7),
    settings: {
      corsOrigins: [],
      publicUrl: null,
      version: "1.2.3",
      isLimitShared: false,
      ...given.settings,
    },
  });
  // Mounted as the service mounts it.
  const app = new Hono().route("/", api).notFound(api.answerNotFound);
  const workspace = await aWorkspace(world.database);
  const { id: keyId, key } = await aKey(world.database, workspace);
  return {
    ...world,
    api,
    workspace,
    key,
    keyId,
    async request(path, asked = {}) {
      // One a second never meets the rate limit; tests of the limit name the key.
      if (asked.key === undefined) world.clock.advance(1_000);
      const headers = new Headers(asked.headers);
      if (asked.key !== null) headers.set("authorization", `Bearer ${asked.key ?? key}`);
      const method = asked.method ?? "GET";
      const request = new Request(`http://starpost.test${path}`, { method, headers });
      const socket = { remoteAddress: asked.address ?? "192.0.2.1" };
      const response = await app.fetch(request, { incoming: { socket } });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get("content-type") ?? "");
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: isJson && text !== "" ? JSON.parse(text) : null,
      };
    },
    async addWorkspace(wish) {
      const joined = await aWorkspace(world.database, wish);
      return { workspace: joined, key: (await aKey(world.database, joined)).key };
    },
    async close() {
      await api.close();
      await world.close();
    },
  };
}
