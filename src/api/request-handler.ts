// One request of the read API, from the socket to the bytes, in the order that clients rely on: key, rate
// limit, plan, parameters, and only then the data. Every failure on the way becomes a problem document.

import { hash, randomUUID } from "node:crypto";
import type { Context } from "hono";
import type { ApiKeyOwner } from "../database/accounts/api-keys.ts";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { FollowedApp } from "../database/reviews/followed-apps.ts";
import { AppError, RateLimitedError } from "../domain/error.ts";
import { allowsScope, type KeyScope } from "../domain/people/workspace.ts";
import { type ClientIp, ipPrefix } from "../http/client-ip.ts";
import type { Cursors } from "../http/cursor.ts";
import { markAuthenticated } from "../http/document-limit.ts";
import { problemResponse } from "../http/problem.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { headerOf, queryStringOf } from "../http/request.ts";
import {
  createEtag,
  createStoredResponse,
  sendIfUnchanged,
  sendResponse,
} from "../http/stored-response.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { dayOf, weekNumberOf } from "../lib/timestamp.ts";
import { isUuid } from "../lib/uuid.ts";
import { recordReading } from "../operations/long-work.ts";
import type { ApiKeyUsage } from "./api-key-usage.ts";
import { type AnyEndpoint, PreSerializedJson, RowStream } from "./endpoint.ts";
import { parseParameters } from "./parameters.ts";
import { toProblem } from "./problem.ts";
import { sendRows } from "./row-stream.ts";

export type ApiContext = {
  clock: Clock;
  log: Log;
  database: Pick<Database, "forWorkspace">;
  cursors: Cursors;
  /** Not in the turns of a workspace, which is not known before the key is. */
  control: Pick<Database, "findApiKeyOwner">;
  apiKeyUsage: ApiKeyUsage;
  limits: { keys: RateLimit; failures: RateLimit };
  /** Ids of the keys that this process streams rows to. */
  streamingKeys: Set<string>;
  clientIp: ClientIp;
  docsUrl: string;
  /** The version of the service: another version may answer the same request differently. */
  version: string;
};

/** Headers of a response that is still being made. */
export type ResponseHeaders = Record<string, string>;

const jsonContent = {
  contentType: "application/json",
  // Only the client may store it, and revalidates it before each use.
  cacheControl: "private, max-age=0, must-revalidate",
  compression: "fast",
} as const;

/**
 * The handler of one endpoint. The handler throws an AppError, which `withErrors` makes a problem of.
 *
 * @throws AppError `plan_required` or `scope_required` from the handler
 */
export function createEndpointHandler(
  api: ApiContext,
  endpoint: AnyEndpoint,
): (context: Context) => Promise<Response> {
  const { clock, cursors, version } = api;
  return (context) =>
    withErrors(api, async (headers) => {
      const owner = await authorizeScope("read", api, context, headers);
      const { keyId, workspaceId } = owner;
      const now = clock.now();
      const query = parseParameters(
        endpoint.parameters,
        queryStringOf(context),
        context.req.param(),
      );
      const sending = { context, headers };
      const primary = api.database.forWorkspace(workspaceId);
      const database = endpoint.isExact?.(query) ? primary : primary.openReader();
      const apps = await requireApps(database, { workspaceId, ids: endpoint.appIdsOf(query) });
      const read = { database, cursors, now, workspaceId, query, apps };
      const send = async (versionTag?: string): Promise<Response> => {
        const body = await endpoint.handle(read);
        const { operation } = endpoint;
        if (operation && context.req.method !== "HEAD") {
          const actor = { kind: "key", id: keyId, name: owner.name } as const;
          const reader = { clock, database: primary };
          const read = { actor, workspaceId, id: workspaceId, input: query };
          await recordReading(reader, operation, read);
        }
        if (body instanceof RowStream) return sendRows(api, { ...sending, keyId, body });
        const content = serialize(body, headers);
        const tagged = body instanceof PreSerializedJson ? body.tagged : content;
        const etag = versionTag ?? createEtag(tagged);
        return sendResponse(createStoredResponse({ ...jsonContent, content, etag }), sending);
      };
      if (endpoint.isTaggedByContent?.(query)) return send();
      // The versions are read before the data: the data can be newer than the tag, but never older.
      const versions = apps.map((app) => [app.id, app.version]);
      const period = endpoint.dependsOnDay ? dayOf(now) : weekNumberOf(now);
      const etag = createEtag(
        JSON.stringify([version, period, workspaceId, endpoint.path, query, versions]),
      );
      return sendIfUnchanged({ ...jsonContent, ...sending, etag }) ?? send(etag);
    });
}

function serialize(body: object, headers: ResponseHeaders): string {
  if (!(body instanceof PreSerializedJson)) return JSON.stringify(body);
  Object.assign(headers, body.headers);
  return body.json;
}

/** @throws AppError `app_not_found`, the same for unknown, malformed and foreign ids */
async function requireApps(
  database: DatabaseTransaction,
  query: { workspaceId: string; ids: readonly string[] | null },
): Promise<FollowedApp[]> {
  if (query.ids?.length === 0) return [];
  const isValid = query.ids?.every(isUuid) ?? true;
  const apps = isValid ? await database.listFollowedApps(query) : [];
  if (query.ids && apps.length < new Set(query.ids.map((id) => id.toLowerCase())).size) {
    throw new AppError("app_not_found", "There is no app with this id in your workspace.");
  }
  return apps;
}

/**
 * The response of `work`, or the problem document for what it throws. The request id is made here and not by
 * hono/request-id: a chain of middleware costs a hot page more than all of this, and clients can't choose ids.
 */
export async function withErrors(
  api: Pick<ApiContext, "log" | "docsUrl">,
  work: (headers: ResponseHeaders) => Promise<Response>,
): Promise<Response> {
  const { log, docsUrl } = api;
  const requestId = randomUUID();
  const headers: ResponseHeaders = { Vary: "Authorization", "X-Request-Id": requestId };
  try {
    return await work(headers);
  } catch (error) {
    const problem = toProblem(error, { requestId, docsUrl });
    if (problem.code === "unauthorized") headers["WWW-Authenticate"] = "Bearer";
    return problemResponse(problem, { log, error, headers });
  }
}

/**
 * The key's owner, whose plan has the API and whose key has the scope.
 *
 * @throws AppError `plan_required`, `scope_required` or `unauthorized`, or RateLimitedError
 */
export async function authorizeScope(
  needed: KeyScope,
  ...request: Parameters<typeof authorize>
): Promise<ApiKeyOwner> {
  const owner = await authorize(...request);
  if (owner.plan !== "studio") {
    throw new AppError("plan_required", "The read API is available on the Studio plan.");
  }
  const isRead = needed === "read" && isToolRequest(request[1]);
  if (isRead || allowsScope(owner.scope, needed)) return owner;
  const message = `This needs a key with the scope \`${needed}\`; this key has \`${owner.scope}\`.`;
  throw new AppError("scope_required", message);
}

/** Whether a tool of /mcp makes this request inside the process. No client can set this part of the environment. */
function isToolRequest(context: Context): boolean {
  return (context.env as { isToolRequest?: true } | undefined)?.isToolRequest === true;
}

/**
 * The key's owner, within the limits; adds the limits to the headers, also of a refusal.
 *
 * @throws AppError `unauthorized`, or RateLimitedError
 */
export async function authorize(
  api: ApiContext,
  context: Context,
  headers: ResponseHeaders,
): Promise<ApiKeyOwner> {
  const address = api.clientIp(context);
  const owner = await authenticate(
    { ...api, failures: api.limits.failures },
    { authorization: headerOf(context, "authorization"), address },
  );
  const { accepted, limit, remaining, resetSeconds } = await api.limits.keys.take(owner.keyId);
  headers["RateLimit-Limit"] = String(limit);
  headers["RateLimit-Remaining"] = String(remaining);
  headers["RateLimit-Reset"] = String(resetSeconds);
  if (!accepted) {
    const message = `At most ${limit} requests per minute are answered for one key.`;
    throw new RateLimitedError(message, resetSeconds);
  }
  markAuthenticated(context);
  api.apiKeyUsage.record({ keyId: owner.keyId, address });
  return owner;
}

// A key is `sp_` and base62; anything else is refused without a query.
const bearerPattern = /^bearer +(sp_[0-9A-Za-z]{16,128}) *$/i;
const headerLengthMax = 256;

type Credentials = { authorization: string | undefined; address: string };

/** @throws AppError `unauthorized`, or RateLimitedError after too many refusals of that address */
async function authenticate(
  deps: {
    clock: Clock;
    control: Pick<Database, "findApiKeyOwner">;
    failures: RateLimit;
  },
  { authorization, address }: Credentials,
): Promise<ApiKeyOwner> {
  const key = parseKey(authorization);
  const query = key !== null && { hash: hash("sha256", key, "buffer"), now: deps.clock.now() };
  const owner = query && (await deps.control.findApiKeyOwner(query));
  if (owner) return owner;
  const { accepted, resetSeconds } = await deps.failures.take(ipPrefix(address));
  if (!accepted) {
    throw new RateLimitedError("Too many requests without a valid API key.", resetSeconds);
  }
  throw new AppError(
    "unauthorized",
    "A valid API key is needed, sent as `Authorization: Bearer <API_KEY>`.",
  );
}

function parseKey(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > headerLengthMax) return null;
  return bearerPattern.exec(authorization)?.[1] ?? null;
}
