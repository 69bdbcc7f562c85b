// POST /mcp: the Model Context Protocol over HTTP, for the keys of the read API. Each tool is a request of that API.
import type { Context, Hono } from "hono";
import { AppError } from "../domain/error.ts";
import { readJsonBody } from "../http/json-body.ts";
import { MethodNotAllowedError } from "../http/problem.ts";
import type { OpenRateLimit, RateLimitBounds } from "../http/rate-limit.ts";
import { headerOf, peerAddressOf } from "../http/request.ts";
import { type ApiContext, authorizeScope, withErrors } from "./request-handler.ts";

/** `fetch` reaches the read API with that key. */
export type AnswerMcp = (
  request: Request,
  access: { message: unknown; apiKey: string; fetch: typeof fetch },
) => Promise<Response>;

const bodyBytesMax = 64 * 1024;

/** The limit of messages; what the tools read counts as requests of the API besides. */
const messageLimit: RateLimitBounds = { name: "mcp", perMinute: 120 };

/** @throws AppError from the handler, which `withErrors` makes a problem of */
export function createMcpHandler(
  api: ApiContext,
  mcp: { answerMcp: AnswerMcp; openRateLimit: OpenRateLimit; app: Hono },
): (context: Context) => Promise<Response> {
  const limits = { ...api.limits, keys: mcp.openRateLimit(messageLimit) };
  return (context) =>
    withErrors(api, async (headers) => {
      // Without sessions there is nothing to listen to, and none to delete.
      if (context.req.method !== "POST") {
        throw new MethodNotAllowedError("Only POST is answered here.", ["POST"]);
      }
      await authorizeScope("mcp", { ...api, limits }, context, headers);
      // The limit counts requests, and current versions of the protocol have no batches.
      const message = await readJsonBody(context, bodyBytesMax);
      if (Array.isArray(message)) {
        throw new AppError("invalid_input", "Batches are not answered: send one message.");
      }
      const apiKey = (headerOf(context, "authorization") ?? "").replace(/^bearer +/i, "");
      const from = { "x-forwarded-for": headerOf(context, "x-forwarded-for") };
      const socket = { remoteAddress: peerAddressOf(context) };
      const fetchApi: typeof fetch = async (url, init) => {
        const sent = { ...from, ...Object.fromEntries(new Headers(init?.headers)) };
        const environment = { incoming: { headers: sent, socket }, isToolRequest: true };
        return mcp.app.fetch(new Request(url, init), environment);
      };
      const response = await mcp.answerMcp(context.req.raw, { message, apiKey, fetch: fetchApi });
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    });
}
