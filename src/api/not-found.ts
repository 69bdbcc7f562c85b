// Answers for paths and methods that there are not. They say the same to everybody; below /api they count
// for whoever shows a key, like any other answer.
import type { Context, NotFoundHandler } from "hono";
import { AppError } from "../domain/error.ts";
import type { Log } from "../lib/log.ts";
import { answerPreflight } from "./cors.ts";
import { headerOf } from "../http/request.ts";
import { type AnswerHeaders, admit, guard, type Serving } from "./request-handler.ts";

const countedPath = /^\/api(\/|$)/;

export type Refusal = "not_found" | "method_not_allowed";

export function refuse(
  serving: Serving,
  context: Context,
  code: Refusal,
): Promise<Response> | Response {
  const preflight = answerPreflight(serving.corsOrigins, context);
  if (preflight && code === "method_not_allowed") return preflight;
  return guard(serving, context, async (headers) => {
    const isCounted =
      countedPath.test(context.req.path) && headerOf(context, "authorization") !== undefined;
    if (isCounted) await countForKey(serving, context, headers);
    if (code === "method_not_allowed") headers["Allow"] = "GET, HEAD";
    throw refusalOf(code);
  });
}

/** For a process that does not answer the read API: nothing is under any path. */
export function openNotFound(open: { log: Log; publicUrl: string | null }): NotFoundHandler {
  const { log, publicUrl } = open;
  const serving = { log, corsOrigins: [], docsUrl: `${publicUrl ?? ""}/docs` };
  return (context) =>
    guard(serving, context, async () => {
      throw refusalOf("not_found");
    });
}

async function countForKey(
  serving: Serving,
  context: Context,
  headers: AnswerHeaders,
): Promise<void> {
  try {
    await admit(serving, context, headers);
  } catch (error) {
    // Without a valid key there is nobody to count for; a guess was counted for its address.
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
  }
}

function refusalOf(code: Refusal): AppError {
  return code === "not_found"
    ? new AppError("not_found", "There is nothing under this path.")
    : new AppError("method_not_allowed", "Only GET and HEAD are answered here.");
}
