// Responses for unknown paths and for methods that a path is not for. They are the same for all clients; below
// /api they count against the rate limit of a valid key, like any other response.
import type { Context } from "hono";
import { AppError } from "../domain/error.ts";
import { MethodNotAllowedError } from "../http/problem.ts";
import { headerOf } from "../http/request.ts";
import type { Log } from "../lib/log.ts";
import { type ApiContext, authorize, type ResponseHeaders, withErrors } from "./request-handler.ts";

const countedPath = /^\/api(\/|$)/;

type RequestHandler = (context: Context) => Promise<Response>;

export function createApiNotFoundHandler(api: ApiContext): RequestHandler {
  return refuseWith(api, new AppError("not_found", notFoundMessage));
}

/** @param methods those that the path is for */
export function createMethodNotAllowedHandler(
  api: ApiContext,
  methods: readonly string[],
): RequestHandler {
  const names =
    methods.length > 1 ? `${methods.slice(0, -1).join(", ")} and ${methods.at(-1)}` : methods[0];
  const message = `Only ${names} ${methods.length > 1 ? "are" : "is"} answered here.`;
  return refuseWith(api, new MethodNotAllowedError(message, methods));
}

/** For a process without the read API: there is nothing under any path. */
export function createNotFoundHandler(options: {
  log: Log;
  publicUrl: string | null;
}): RequestHandler {
  const { log, publicUrl } = options;
  return () =>
    withErrors({ log, docsUrl: `${publicUrl ?? ""}/docs` }, async () => {
      throw new AppError("not_found", notFoundMessage);
    });
}

const notFoundMessage = "There is nothing under this path.";

function refuseWith(api: ApiContext, refusal: AppError): RequestHandler {
  return (context) =>
    withErrors(api, async (headers) => {
      const isCounted =
        countedPath.test(context.req.path) && headerOf(context, "authorization") !== undefined;
      if (isCounted) await countForKey(api, context, headers);
      throw refusal;
    });
}

async function countForKey(
  api: ApiContext,
  context: Context,
  headers: ResponseHeaders,
): Promise<void> {
  try {
    await authorize(api, context, headers);
  } catch (error) {
    // Without a valid key there is nothing to count for; the guess was counted for its address.
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
  }
}
