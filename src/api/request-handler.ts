// One request of the read API, from the key to the bytes, in the order that callers rely on: key, rate
// limit, plan, parameters, and only then the data. Whatever fails on the way becomes a problem.
import { randomUUID } from "node:crypto";
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiKeyOwner } from "../database/repositories/api-keys.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ApiKeyCache } from "./api-key-cache.ts";
import type { ApiKeyUsage } from "./api-key-usage.ts";
import { authenticate } from "./authenticate.ts";
import { corsHeaders } from "./cors.ts";
import type { Cursors } from "./cursor.ts";
import type { Endpoint, ReadDatabase } from "./endpoint.ts";
import { parseParameters } from "./parameters.ts";
import { problemType, RateLimited, toProblem } from "./problem.ts";
import type { RateLimit } from "./memory-rate-limit.ts";
import { clientAddressOf, headerOf, queryStringOf } from "../http/request.ts";
import { createJsonResponse, sendResponse } from "../http/stored-response.ts";
import type { ResponseCache } from "./response-cache.ts";

export type ApiContext = {
  clock: Clock;
  log: Log;
  database: ReadDatabase;
  cursors: Cursors;
  apiKeys: ApiKeyCache;
  apiKeyUsage: ApiKeyUsage;
  responses: ResponseCache;
  limits: { keys: RateLimit; failures: RateLimit };
  corsOrigins: readonly string[];
  docsUrl: string;
};

export type ResponseHeaders = Record<string, string>;

export function createEndpointHandler<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  serving: ApiContext,
  endpoint: Endpoint<Parameters, Body>,
): (context: Context) => Promise<Response> {
  return (context) =>
    withErrors(serving, context, async (headers) => {
      const { workspaceId, plan } = await authorize(serving, context, headers);
      if (plan !== "studio") {
        throw new AppError("plan_required", "The read API is available on the Studio plan.");
      }
      const { database, cursors } = serving;
      const queryString = queryStringOf(context);
      const question = `${endpoint.path}?${queryString}`;
      const answer = await serving.responses.find({ workspaceId, requestKey: question }, async (before) => {
        const query = parseParameters(endpoint.parameters, queryString);
        const now = serving.clock.now();
        const body = await endpoint.handle({ database, cursors, now, workspaceId, query });
        return createJsonResponse(body, before);
      });
      return sendResponse(answer, { context, headers });
    });
}

/** Answers with what `work` returns, and with a problem for whatever it throws. */
export async function withErrors(
  serving: Pick<ApiContext, "log" | "corsOrigins" | "docsUrl">,
  context: Context,
  work: (headers: ResponseHeaders) => Promise<Response>,
): Promise<Response> {
  const requestId = randomUUID();
  const headers = corsHeaders(serving.corsOrigins, headerOf(context, "origin"));
  headers["X-Request-Id"] = requestId;
  try {
    return await work(headers);
  } catch (error) {
    return answerProblem(serving, { error, requestId, headers });
  }
}

/** Who asks, within the limits; notes the limits in the headers, also of a refusal. */
export async function authorize(
  serving: ApiContext,
  context: Context,
  headers: ResponseHeaders,
): Promise<ApiKeyOwner> {
  const holder = await authenticate(
    { holders: serving.apiKeys, failures: serving.limits.failures },
    { authorization: headerOf(context, "authorization"), address: clientAddressOf(context) },
  );
  const verdict = await serving.limits.keys.take(holder.keyId);
  headers["RateLimit-Limit"] = String(verdict.limit);
  headers["RateLimit-Remaining"] = String(verdict.remaining);
  headers["RateLimit-Reset"] = String(verdict.resetSeconds);
  if (!verdict.accepted) {
    throw new RateLimited(
      `At most ${verdict.limit} requests per minute are answered for one key.`,
      verdict.resetSeconds,
    );
  }
  serving.apiKeyUsage.record(holder.keyId);
  return holder;
}

function answerProblem(
  serving: Pick<ApiContext, "log" | "docsUrl">,
  failed: { error: unknown; requestId: string; headers: ResponseHeaders },
): Response {
  const { error, requestId } = failed;
  const problem = toProblem(error, { requestId, docsUrl: serving.docsUrl });
  if (problem.code === "internal") serving.log.error({ err: error, requestId }, "a request failed");
  if (problem.code === "unavailable") {
    serving.log.warn({ reason: String(error), requestId }, "a request was turned away");
  }
  const headers: ResponseHeaders = {
    ...failed.headers,
    "Content-Type": problemType,
    "Cache-Control": "no-store",
  };
  if (problem.retryAfter !== undefined) headers["Retry-After"] = String(problem.retryAfter);
  if (problem.code === "unauthorized") headers["WWW-Authenticate"] = "Bearer";
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
