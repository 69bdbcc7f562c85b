// The read API over a database of its own, with a workspace and a key, requested as a client requests it.

import { Hono } from "hono";
import { type Api, type ApiOptions, type ApiSettings, openApi } from "../../src/api/api.ts";
import type { Database } from "../../src/database/database.ts";
import type { Workspace } from "../../src/domain/people/workspace.ts";
import { ofEachStore } from "../../src/domain/store/store-id.ts";
import { createRateLimits } from "../../src/http/rate-limit.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";
import { createSecretBox } from "../../src/lib/secret-box.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { toTestDelivery } from "../../src/matching/deliveries.ts";
import type { StoreAppLookup } from "../../src/use-cases/apps/store-lookup.ts";
import type { SendServiceMail } from "../../src/use-cases/service-mail.ts";
import { aKey, aWorkspace, startTime } from "./factories.ts";
import { openTestContext, type TestContext } from "./test-context.ts";

export type ApiTestContext = TestContext & {
  api: Api;
  workspace: Workspace;
  key: string;
  keyId: string;
  /** GET by default, with the workspace's key; `key: null` sends none. */
  request(path: string, options?: RequestOptions): Promise<ApiResponse>;
  /** A further workspace with a key. */
  addWorkspace(
    overrides?: Parameters<typeof aWorkspace>[1],
  ): Promise<{ workspace: Workspace; key: string }>;
};

export type RequestOptions = {
  key?: string | null;
  method?: string;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  address?: string;
};

/** A response whose body was read. */
export type ApiResponse = { status: number; headers: Headers; text: string; json: unknown };

/** Stores that have every app, and a guard that refuses what is not https. */
export function manageDeps(): ApiOptions["manage"] {
  const store: StoreAppLookup = {
    validateAppId: (text) =>
      /^[\w.]+$/.test(text) ? { ok: true } : { ok: false, reason: "is no id of an app" },
    fetchApp: async ({ externalAppId }) => ({
      outcome: "ok",
      value: { name: `App ${externalAppId}`, iconUrl: "" },
    }),
  };
  const stores = ofEachStore(() => store);
  const translation = { kind: "translate", setting: "babel", isEnabled: true } as const;
  return {
    providers: [{ ...translation, dayMax: 100_000, unit: "characters" }],
    stores,
    storesFor: () => stores,
    secretBox: createSecretBox([Buffer.alloc(32, 5)]),
    checkUrl: async (url, type) =>
      type === "email" || url.startsWith("https://")
        ? { ok: true }
        : { ok: false, reason: "must be https" },
    composeTest: (channel) => toTestDelivery({ channel, now: startTime }, () => uuidV7(startTime)),
    signingKey: Buffer.alloc(32, 6),
    sendMail: null,
  };
}

export async function openApiTestContext(
  options: {
    settings?: Partial<ApiSettings>;
    database?: Partial<Database>;
    log?: Log;
    sendMail?: SendServiceMail;
  } = {},
): Promise<ApiTestContext> {
  const context = await openTestContext();
  const { clock } = context;
  const log = options.log ?? silentLog;
  const replaceIn = (original: Database): Database => ({
    ...original,
    openReader: () => ({ ...original.openReader(), ...options.database }),
    ...options.database,
  });
  const database: Database = {
    ...replaceIn(context.database),
    control: () => replaceIn(context.database.control()),
    forWorkspace: (id) => replaceIn(context.database.forWorkspace(id)),
  };
  const api = openApi({
    clock,
    log,
    database,
    cursorKeys: [Buffer.alloc(32, 7)],
    openRateLimit: createRateLimits({ clock, log, database, databaseNow: () => clock.now() }),
    manage: {
      ...manageDeps(),
      sendMail: options.sendMail ?? null,
      loadIngest: async () => ({
        ingestReviews: createIngest(context),
        ingestRatings: createRatingsIngest(context),
      }),
    },
    settings: {
      corsOrigins: [],
      publicUrl: null,
      baseUrl: options.settings?.publicUrl ?? "",
      trustedProxies: [],
      version: "1.2.3",
      ...options.settings,
    },
  });
  // Mounted as in the service.
  const app = new Hono().route("/", api).notFound(api.notFoundHandler);
  const workspace = await aWorkspace(context.database);
  const { id: keyId, key } = await aKey(context.database, workspace);
  return {
    ...context,
    api,
    workspace,
    key,
    keyId,
    async request(path, options = {}) {
      // One request per second never reaches the rate limit; tests of the limit name the key.
      if (options.key === undefined) context.clock.advance(1_000);
      const headers = new Headers(options.headers);
      if (options.key !== null) headers.set("authorization", `Bearer ${options.key ?? key}`);
      const method = options.method ?? "GET";
      const { body } = options;
      if (body !== undefined && !headers.has("content-type")) {
        headers.set("content-type", "application/json");
      }
      const request = new Request(`http://starpost.test${path}`, {
        ...{ method, headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const socket = { remoteAddress: options.address ?? "192.0.2.1" };
      const response = await app.fetch(request, { incoming: { socket } });
      const text = await response.text();
      const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: isJson && text !== "" ? JSON.parse(text) : null,
      };
    },
    async addWorkspace(overrides) {
      const added = await aWorkspace(context.database, overrides);
      return { workspace: added, key: (await aKey(context.database, added)).key };
    },
    async close() {
      await api.close();
      await context.close();
    },
  };
}
