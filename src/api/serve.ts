// One request of the read API, from the key to the bytes, in the order that callers rely on: key, rate
// limit, plan, parameters, and only then the data. Whatever fails on the way becomes a problem.
import { randomUUID } from "node:crypto";
import type { z } from "@hono/zod-openapi";
import type { Context, Handler } from "hono";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { AppError } from "../reviews/error.ts";
import { jsonAnswer, sendAnswer } from "./answer.ts";
import { authenticate } from "./authenticate.ts";
import { corsHeaders } from "./cors.ts";
import type { Cursors } from "./cursor.ts";
import type { Endpoint, ReadingKeep } from "./endpoint.ts";
import type { KeyHolders } from "./key-holders.ts";
import type { KeyUses } from "./key-uses.ts";
import { readParameters } from "./parameters.ts";
import { problemType, RateLimited, toProblem } from "./problem.ts";
import type { RateLimit, RateVerdict } from "./rate-limit.ts";

export type Serving = {
  clock: Clock;
  log: Log;
  keep: ReadingKeep;
  cursors: Cursors;
  holders: KeyHolders;
  uses: KeyUses;
  limits: { keys: RateLimit; failures: RateLimit };
  corsOrigins: readonly string[];
  docsUrl: string;
};

type AnswerHeaders = Record<string, string>;

export function serveEndpoint<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  serving: Serving,
  endpoint: Endpoint<Parameters, Body>,
): Handler {
  return (context) =>
    guard(serving, context, async (headers) => {
      const { workspaceId } = await admit(serving, context, headers);
      const query = readParameters(endpoint.parameters, queryStringOf(context.req.url));
      const { keep, cursors } = serving;
      const now = serving.clock.now();
      const body = await endpoint.answer({ keep, cursors, now, workspaceId, query });
      return sendAnswer(jsonAnswer(body), {
        headers: context.req.raw.headers,
        answerHeaders: headers,
      });
    });
}

/** Answers with what `work` returns, and with a problem for whatever it throws. */
export async function guard(
  serving: Pick<Serving, "log" | "corsOrigins" | "docsUrl">,
  context: Context,
  work: (headers: AnswerHeaders) => Promise<Response>,
): Promise<Response> {
  const requestId = randomUUID();
  const headers: AnswerHeaders = {
    "X-Request-Id": requestId,
    ...corsHeaders(serving.corsOrigins, context.req.header("origin")),
  };
  try {
    return await work(headers);
  } catch (error) {
    return answerProblem(serving, { error, requestId, headers });
  }
}

/** Who asks, within the limits; notes the limits in the headers, also of a refusal. */
async function admit(
  serving: Serving,
  context: Context,
  headers: AnswerHeaders,
): Promise<{ workspaceId: string }> {
  const holder = await authenticate(
    { holders: serving.holders, failures: serving.limits.failures },
    { authorization: context.req.header("authorization"), address: clientAddressOf(context) },
  );
  const verdict = await serving.limits.keys.take(holder.keyId);
  Object.assign(headers, rateLimitHeaders(verdict));
  if (!verdict.accepted) {
    throw new RateLimited(
      `At most ${verdict.limit} requests per minute are answered for one key.`,
      verdict.resetSeconds,
    );
  }
  serving.uses.note(holder.keyId);
  if (holder.plan !== "studio") {
    throw new AppError("plan_required", "The read API is available on the Studio plan.");
  }
  return { workspaceId: holder.workspaceId };
}

function rateLimitHeaders(verdict: RateVerdict): AnswerHeaders {
  return {
    "RateLimit-Limit": String(verdict.limit),
    "RateLimit-Remaining": String(verdict.remaining),
    "RateLimit-Reset": String(verdict.resetSeconds),
  };
}

function answerProblem(
  serving: Pick<Serving, "log" | "docsUrl">,
  failed: { error: unknown; requestId: string; headers: AnswerHeaders },
): Response {
  const { error, requestId } = failed;
  const problem = toProblem(error, { requestId, docsUrl: serving.docsUrl });
  if (problem.code === "internal") serving.log.error({ err: error, requestId }, "a request failed");
  if (problem.code === "unavailable") {
    serving.log.warn({ reason: String(error), requestId }, "a request was turned away");
  }
  const headers: AnswerHeaders = {
    ...failed.headers,
    "Content-Type": problemType,
    "Cache-Control": "no-store",
  };
  if (problem.retryAfter !== undefined) headers["Retry-After"] = String(problem.retryAfter);
  if (problem.code === "unauthorized") headers["WWW-Authenticate"] = "Bearer";
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

/** Without the question mark; the URL has no fragment, clients keep it to themselves. */
function queryStringOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** The peer of the connection; "" where there is none, as in calls without a server. */
function clientAddressOf(context: Context): string {
  const bindings: unknown = context.env;
  const incoming = readProperty(bindings, "incoming");
  const address = readProperty(readProperty(incoming, "socket"), "remoteAddress");
  // IPv4 in IPv6 is the same client.
  return typeof address === "string" ? address.replace(/^::ffff:/, "") : "";
}

function readProperty(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
