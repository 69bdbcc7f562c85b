// Answers for paths and methods that there are not. They say the same to everybody; below /api they count
// for whoever shows a key, like any other answer.
import type { Context, NotFoundHandler } from "hono";
import { AppError } from "../domain/error.ts";
import type { Log } from "../lib/log.ts";
import { answerPreflight } from "./cors.ts";
import { headerOf } from "../http/request.ts";
import { type ResponseHeaders, authorize, withErrors, type ApiContext } from "./request-handler.ts";

const countedPath = /^\/api(\/|$)/;

export type Refusal = "not_found" | "method_not_allowed";

export function respondWithRefusal(
  serving: ApiContext,
  context: Context,
  code: Refusal,
): Promise<Response> | Response {
  const preflight = answerPreflight(serving.corsOrigins, context);
  if (preflight && code === "method_not_allowed") return preflight;
  return withErrors(serving, context, async (headers) => {
    const isCounted =
      countedPath.test(context.req.path) && headerOf(context, "authorization") !== undefined;
    if (isCounted) await countForKey(serving, context, headers);
    if (code === "method_not_allowed") headers["Allow"] = "GET, HEAD";
    throw refusalError(code);
  });
}

/** For a process that does not answer the read API: nothing is under any path. */
export function createNotFoundHandler(open: { log: Log; publicUrl: string | null }): NotFoundHandler {
  const { log, publicUrl } = open;
  const serving = { log, corsOrigins: [], docsUrl: `${publicUrl ?? ""}/docs` };
  return (context) =>
    withErrors(serving, context, async () => {
      throw refusalError("not_found");
    });
}

async function countForKey(
  serving: ApiContext,
  context: Context,
  headers: ResponseHeaders,
): Promise<void> {
  try {
    await authorize(serving, context, headers);
  } catch (error) {
    // Without a valid key there is nobody to count for; a guess was counted for its address.
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
  }
}

function refusalError(code: Refusal): AppError {
  return code === "not_found"
    ? new AppError("not_found", "There is nothing under this path.")
    : new AppError("method_not_allowed", "Only GET and HEAD are answered here.");
}
