// POST /mcp: the Model Context Protocol over HTTP, for the keys of the read API. Each tool is a request of that API.
import type { ApiPath } from "../../api/api-paths.ts";
import { authorizeScope, withErrors } from "../../api/request-handler.ts";
import { AppError } from "../../domain/error.ts";
import { readJsonBody } from "../../http/json-body.ts";
import { MethodNotAllowedError } from "../../http/problem.ts";
import type { RateLimitBounds } from "../../http/rate-limit.ts";
import { headerOf, peerAddressOf } from "../../http/request.ts";

const bodyBytesMax = 64 * 1024;

/** The limit of messages; what the tools read counts as requests of the API besides. */
const messageLimit: RateLimitBounds = { name: "mcp", perMinute: 120 };

export const mcpPath: ApiPath = {
  path: "/mcp",
  create: (api, { app, openRateLimit }) => {
    const limits = { ...api.limits, keys: openRateLimit(messageLimit) };
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
          return app.fetch(new Request(url, init), environment);
        };
        // Most services are never asked by an assistant.
        const { answerMcp } = await import("./mcp-server.ts");
        const response = await answerMcp(context.req.raw, { message, apiKey, fetch: fetchApi });
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
        return response;
      });
  },
};
