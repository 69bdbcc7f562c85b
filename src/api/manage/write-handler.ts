// One request that reads or changes the set-up of a workspace, in the order that clients rely on: key, rate limits, plan and
// scope, query, body, Idempotency-Key, If-Match, and only then the operation. The last two hold in the transaction of the
// change, so that of two equal or two conflicting requests one is carried out.
import type { Context } from "hono";
import type { ApiKeyOwner } from "../../database/accounts/api-keys.ts";
import type { DatabaseTransaction } from "../../database/database.ts";
import { AppError, RateLimitedError } from "../../domain/error.ts";
import { ofEachStore } from "../../domain/store/store-id.ts";
import { notFound, parseInput } from "../../domain/validation-errors.ts";
import { readJsonBody } from "../../http/json-body.ts";
import { answerLongWork } from "../../http/long-answer.ts";
import { type OpenRateLimit, type RateLimit, sendingLimit } from "../../http/rate-limit.ts";
import { headerOf, queryStringOf } from "../../http/request.ts";
import { openUpload } from "../../http/upload.ts";
import { isUuid } from "../../lib/uuid.ts";
import type { Expected } from "../../operations/frame.ts";
import {
  bodyBytesMaxDefault,
  limitNameOf,
  type OperationDeps,
  type ReceivedFile,
} from "../../operations/operation.ts";
import { parseParameters } from "../parameters.ts";
import { type ApiContext, authorizeScope, withErrors } from "../request-handler.ts";
import { openIdempotency } from "./idempotency.ts";
import type { ManageOptions, Sent } from "./manage-deps.ts";
import type { ManageAnswer, ManageRoute } from "./manage-route.ts";

/** Changes by all keys of a workspace together. */
const changeLimit = { name: "manage", perMinute: 60 };

type RequestHandler = (context: Context) => Promise<Response>;

export function createManageHandlers(
  api: ApiContext,
  {
    openRateLimit,
    ...manage
  }: ManageOptions &
    Pick<OperationDeps, "clock" | "database" | "log" | "settings"> & {
      openRateLimit: OpenRateLimit;
    },
): (route: ManageRoute) => RequestHandler {
  const changes = openRateLimit(changeLimit);
  const sending = openRateLimit(sendingLimit);
  return (route) => {
    const own = (route.operation?.limits ?? []).map(({ perMinute, by }) => {
      const name = route.operation ? limitNameOf(route.operation, by) : "";
      return { by, limit: openRateLimit({ name, perMinute }) };
    });
    return (context) =>
      withErrors(api, async (headers) => {
        const owner = await authorizeScope("manage", api, context, headers);
        const { workspaceId } = owner;
        if (route.method !== "get") await takeFrom(changes, workspaceId);
        if (route.operation?.isSending) await takeFrom(sending, workspaceId);
        const id = Object.values(context.req.param() as Record<string, string>)[0] ?? "";
        // No resource has an id of another form.
        const resource = isUuid(id) ? id : workspaceId;
        for (const { by, limit } of own)
          await takeFrom(limit, by === "resource" ? resource : workspaceId);
        const request = await readRequest(route, { context, workspaceId, id });
        const { signal } = context.req.raw;
        const { stores, storesFor } = manage;
        const scoped = {
          ...manage,
          database: manage.database.forWorkspace(workspaceId),
          loadStores: async () =>
            request.isRehearsal ? withoutRequests(stores) : storesFor({ workspaceId, signal }),
        };
        const received = { route, context, owner, request };
        if (route.operation?.file) return answerUpload(scoped, { ...received, headers });
        const sent = await answerRequest(scoped, received);
        if (sent.location) headers["Location"] = sent.location;
        return send(sent, headers);
      });
  };
}

/** A rehearsal asks no store: it might name a thousand apps. */
function withoutRequests(stores: ManageOptions["stores"]): ManageOptions["stores"] {
  const reason = "a rehearsal asks no store";
  const fetchApp = async () => ({ outcome: "unknown", reason }) as const;
  return ofEachStore((store) => ({ ...stores[store], fetchApp }));
}

type ManageRequest = {
  ref: { workspaceId: string; id: string };
  query: Record<string, unknown>;
  /** As it was sent, and as its schema made it. */
  sentBody: unknown;
  body: unknown;
  isRehearsal: boolean;
};

/** @throws AppError `invalid_parameter`, `invalid_input`, `too_large`, or `not_found` for what is not an id */
async function readRequest(
  route: ManageRoute,
  { context, workspaceId, id }: { context: Context; workspaceId: string; id: string },
): Promise<ManageRequest> {
  const noun = route.resource?.noun ?? "delivery";
  if (id !== "" && !isUuid(id)) throw notFound(noun, id.slice(0, 60));
  const query = parseParameters(route.query, queryStringOf(context));
  const { body: schema, operation } = route;
  const { bodyBytesMax = operation?.bodyBytesMax ?? bodyBytesMaxDefault } = route;
  const sentBody = schema && (await readJsonBody(context, bodyBytesMax));
  return {
    ref: { workspaceId, id: id.toLowerCase() },
    query,
    sentBody,
    body: schema && parseInput(schema, sentBody),
    isRehearsal: query["dryRun"] === true,
  };
}

type Received = {
  route: ManageRoute;
  context: Context;
  owner: ApiKeyOwner;
  request: ManageRequest;
};

/** An empty line now and then keeps the connection of a long import open: JSON may begin with them. */
async function answerUpload(
  deps: OperationDeps,
  { headers, ...received }: Received & { headers: Record<string, string> },
): Promise<Response> {
  const { context, route, request } = received;
  const upload = openUpload(context, route.operation?.file?.bytesMax ?? bodyBytesMaxDefault);
  const { signal } = context.req.raw;
  const { isRehearsal: isTrial } = request;
  try {
    return await answerLongWork<Sent>({
      run: (onProgress) => {
        const file = { chunks: upload.chunks, isTrial, signal, onProgress: () => onProgress("\n") };
        return answerRequest(deps, { ...received, file });
      },
      toText: ({ body }) => JSON.stringify(body),
      headers: { ...headers, ...jsonHeaders },
    });
  } catch (error) {
    await upload.drain();
    throw error;
  }
}

async function answerRequest(
  deps: OperationDeps,
  received: Received & { file?: ReceivedFile },
): Promise<Sent> {
  const { route, context, owner, request, file = null } = received;
  const { ref, body, query, isRehearsal } = request;
  const { path } = context.req;
  const { dryRun: _, ...parameters } = query;
  const named = { method: route.method, path, query: parameters, body: request.sentBody };
  // The rows of a file are known when it is sent again.
  const isKept = route.method !== "get" && !isRehearsal && file === null;
  const idempotency = isKept ? openIdempotency(deps, { context, owner, request: named }) : null;
  const known = await idempotency?.find();
  if (known) return known;
  const toSent = ({ createdId, ...answer }: ManageAnswer): Sent => ({
    ...answer,
    // Without the id of a new resource, one that existed was changed.
    status: route.status === 201 && createdId === undefined ? 200 : route.status,
    location: createdId && `${path}/${createdId}`,
  });
  const frame = {
    actor: { kind: "key", id: owner.keyId, name: owner.name } as const,
    workspaceId: ref.workspaceId,
    isRehearsal,
    expected: readExpected(headerOf(context, "if-match")),
    first: async (tx: DatabaseTransaction) => idempotency?.claim(tx),
  };
  const saveAnswer = async (tx: DatabaseTransaction, answer: ManageAnswer) =>
    idempotency?.save(tx, toSent(answer));
  try {
    const answer = await route.handle({ ...ref, deps, frame, saveAnswer, body, file, query });
    return isRehearsal ? { status: 200, body: rehearsed(answer.body) } : toSent(answer);
  } catch (error) {
    // The same request may have been carried out at this moment: what it removed is not found here.
    const done = error instanceof AppError ? await idempotency?.find() : null;
    if (done) return done;
    throw error;
  }
}

/** The versions in `If-Match`; null for none and for `*`, which every resource that exists has. */
function readExpected(header: string | undefined): Expected | null {
  if (header === undefined || header.trim() === "*") return null;
  const versions = [...header.matchAll(/(?<=^|,)\s*"(\d{1,16})"\s*(?=,|$)/g)];
  return { versions: versions.map(([, version]) => Number(version)), code: "precondition_failed" };
}

/** A secret that was made for a rehearsal signs nothing. */
function rehearsed(answer: Record<string, unknown> | null): Record<string, unknown> {
  const { secret: _, ...shown } = answer ?? {};
  return { ...shown, isDryRun: true };
}

async function takeFrom(limit: RateLimit, key: string): Promise<void> {
  const { accepted, limit: perMinute, resetSeconds } = await limit.take(key);
  if (accepted) return;
  const message = `At most ${perMinute} such requests per minute are answered for one workspace.`;
  throw new RateLimitedError(message, resetSeconds);
}

const jsonHeaders = { "Content-Type": "application/json", "Cache-Control": "no-store" };

function send({ status, body, etag }: Sent, headers: Record<string, string>): Response {
  if (etag !== undefined) headers["ETag"] = etag;
  headers["Cache-Control"] = "no-store";
  if (body === null) return new Response(null, { status, headers });
  Object.assign(headers, jsonHeaders);
  return new Response(JSON.stringify(body), { status, headers });
}
