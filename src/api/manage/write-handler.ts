// One request that reads or changes the set-up of a workspace, in the order that clients rely on: key, rate limits, plan and
// scope, query, body, Idempotency-Key, If-Match, and only then the use case. The last two hold in the transaction of the
// change, so that of two equal or two conflicting requests one is carried out.
import type { Context } from "hono";
import type { ApiKeyOwner } from "../../database/accounts/api-keys.ts";
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError, RateLimitedError } from "../../domain/error.ts";
import { notFound, parseInput } from "../../domain/validation-errors.ts";
import { readJsonBody } from "../../http/json-body.ts";
import { type OpenRateLimit, type RateLimit, sendingLimit } from "../../http/rate-limit.ts";
import { headerOf, queryStringOf } from "../../http/request.ts";
import { createEtag } from "../../http/stored-response.ts";
import { isUuid } from "../../lib/uuid.ts";
import type { Expected } from "../../operations/frame.ts";
import { limitNameOf } from "../../operations/operation.ts";
import type { ResourceDeps } from "../../operations/resource.ts";
import { guardTransactions } from "../../operations/transaction-scope.ts";
import { describeWaiting, inviteRecipients } from "../../use-cases/channels/email-recipients.ts";
import { mailOwnersOfMove } from "../../use-cases/channels/moved-channel.ts";
import { actorOf } from "../authenticate.ts";
import { parseParameters } from "../parameters.ts";
import { type ApiContext, authorizeScope, withErrors } from "../request-handler.ts";
import { openIdempotency } from "./idempotency.ts";
import type { ManageDeps, Sent } from "./manage-deps.ts";
import {
  findView,
  type ManageAnswer,
  type ManageContext,
  type ManageRoute,
} from "./manage-route.ts";

const bodyBytesMaxDefault = 64 * 1024;
/** Changes by all keys of a workspace together. */
const changeLimit = { name: "manage", perMinute: 60 };

type RequestHandler = (context: Context) => Promise<Response>;

export function createManageHandlers(
  api: ApiContext,
  manage: ManageDeps & { openRateLimit: OpenRateLimit },
): (route: ManageRoute) => RequestHandler {
  const changes = manage.openRateLimit(changeLimit);
  const sending = manage.openRateLimit(sendingLimit);
  return (route) => {
    const own = (route.operation?.limits ?? []).map(({ perMinute, by }) => {
      const name = route.operation ? limitNameOf(route.operation, by) : "";
      return { by, limit: manage.openRateLimit({ name, perMinute }) };
    });
    return (context) =>
      withErrors(api, async (headers) => {
        const owner = await authorizeScope("manage", api, context, headers);
        const { workspaceId } = owner;
        if (route.method !== "get") await takeFrom(changes, workspaceId);
        if (route.isSending) await takeFrom(sending, workspaceId);
        const id = Object.values(context.req.param() as Record<string, string>)[0] ?? "";
        for (const { by, limit } of own) await takeFrom(limit, by === "thing" ? id : workspaceId);
        const request = await readRequest(route, { context, workspaceId, id });
        const { signal } = context.req.raw;
        const scoped = {
          ...manage,
          database: manage.database.forWorkspace(workspaceId),
          stores: request.isRehearsal
            ? withoutRequests(manage.stores)
            : manage.storesFor({ workspaceId, signal }),
        };
        const sent = await answerRequest(scoped, { route, context, owner, request });
        if (sent.location) headers["Location"] = sent.location;
        return send(sent, headers);
      });
  };
}

/** A rehearsal asks no store: it might name a thousand apps. */
function withoutRequests(stores: ManageDeps["stores"]): ManageDeps["stores"] {
  const reason = "a rehearsal asks no store";
  const fetchApp = async () => ({ outcome: "unknown", reason, blocked: true }) as const;
  return {
    appstore: { ...stores.appstore, fetchApp },
    googleplay: { ...stores.googleplay, fetchApp },
  };
}

type ManageRequest = {
  place: { workspaceId: string; id: string };
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
  const noun = (route.resource ?? route.thing)?.noun ?? "delivery";
  if (id !== "" && !isUuid(id)) throw notFound(noun, id.slice(0, 60));
  const query = parseParameters(route.query, queryStringOf(context));
  const { body: schema, bodyBytesMax = bodyBytesMaxDefault } = route;
  const sentBody = schema && (await readJsonBody(context, bodyBytesMax));
  return {
    place: { workspaceId, id: id.toLowerCase() },
    query,
    sentBody,
    body: schema && parseInput(schema, sentBody),
    isRehearsal: query["dryRun"] === true,
  };
}

async function answerRequest(
  manage: ManageDeps,
  received: { route: ManageRoute; context: Context; owner: ApiKeyOwner; request: ManageRequest },
): Promise<Sent> {
  const { route, context, owner, request } = received;
  const { place, body, query, isRehearsal } = request;
  const { path } = context.req;
  const { dryRun: _, ...parameters } = query;
  const named = { method: route.method, path, query: parameters, body: request.sentBody };
  const isKept = route.method !== "get" && !isRehearsal;
  const idempotency = isKept ? openIdempotency(manage, { context, owner, request: named }) : null;
  const known = await idempotency?.find(place);
  if (known) return known;
  const database = guardTransactions(manage.database, {
    isRehearsal,
    async first(tx) {
      await idempotency?.claim(tx);
      await assertUnchanged(tx, { route, place, expected: headerOf(context, "if-match") });
    },
  });
  const deps = createResourceDeps(manage, { database, owner, isRehearsal });
  const toSent = ({ body, tagged, ...answer }: ManageAnswer): Sent => {
    const { createdId = route.status === 201 ? tagged?.id : undefined } = answer;
    const location = createdId && `${path}/${createdId}`;
    return { status: route.status, body, location, etag: answer.etag ?? (tagged && tagOf(tagged)) };
  };
  const frame: ManageContext["frame"] = {
    actor: { kind: "key", id: owner.keyId, name: owner.name },
    workspaceId: place.workspaceId,
    isRehearsal,
    expected: readExpected(headerOf(context, "if-match")),
    first: async (tx) => idempotency?.claim(tx),
    save: async (tx, answer) => idempotency?.save(tx, toSent(answer)),
  };
  try {
    if (route.resource && route.method !== "get") {
      await findView(route.resource, manage.database, place);
    }
    const operationDeps = { ...manage, loadStores: async () => manage.stores };
    const answer = await route.handle({ ...place, deps, operationDeps, frame, body, query });
    if (isRehearsal) return { status: 200, body: rehearsed(answer.body) };
    const sent = toSent(answer);
    if (!route.operation) await idempotency?.save(manage.database, sent);
    return sent;
  } catch (error) {
    // The same request may have been carried out at this moment: what it removed is not found here.
    const done = error instanceof AppError ? await idempotency?.find(place) : null;
    if (done) return done;
    throw error;
  }
}

/** The versions in `If-Match`; null for none and for `*`, which every thing that exists has. */
function readExpected(header: string | undefined): Expected | null {
  if (header === undefined || header.trim() === "*") return null;
  const versions = [...header.matchAll(/(?<=^|,)\s*"(\d{1,16})"\s*(?=,|$)/g)];
  return { versions: versions.map(([, version]) => Number(version)), code: "precondition_failed" };
}

/** @throws AppError `precondition_failed` when the thing is no longer as the client read it */
async function assertUnchanged(
  tx: DatabaseTransaction,
  check: { route: ManageRoute; place: ManageRequest["place"]; expected: string | undefined },
): Promise<void> {
  const { route, place, expected } = check;
  if (expected === undefined || !route.resource) return;
  await route.resource.lock(tx, place);
  const current = tagOf(await findView(route.resource, tx, place));
  if (isTagAmong(expected, current)) return;
  const message = "It was changed since you read it: read it again.";
  throw new AppError("precondition_failed", message);
}

function createResourceDeps(
  manage: ManageDeps,
  request: { database: Database; owner: ApiKeyOwner; isRehearsal: boolean },
): ResourceDeps {
  const { database, owner, isRehearsal } = request;
  return {
    ...manage,
    database,
    actor: actorOf(owner),
    keyId: owner.keyId,
    async confirmRecipients(_, channel) {
      if (isRehearsal) return null;
      const waiting = await inviteRecipients(manage, { channel, invitedBy: "A user of Starpost" });
      return describeWaiting(waiting, { canInvite: manage.sendMail !== null });
    },
    // The request doesn't wait for the mail server.
    async announceMove(channel) {
      if (!isRehearsal) void mailOwnersOfMove(manage, { channel, actor: actorOf(owner) });
    },
  };
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

function send({ status, body, etag }: Sent, headers: Record<string, string>): Response {
  if (etag !== undefined) headers["ETag"] = etag;
  headers["Cache-Control"] = "no-store";
  if (body === null) return new Response(null, { status, headers });
  headers["Content-Type"] = "application/json";
  return new Response(JSON.stringify(body), { status, headers });
}

function tagOf(view: object): string {
  return `"${createEtag(JSON.stringify(view))}"`;
}

/** Strong comparison, by RFC 9110, 13.1.1. */
function isTagAmong(expected: string, etag: string): boolean {
  return expected.trim() === "*" || expected.split(",").some((tag) => tag.trim() === etag);
}
