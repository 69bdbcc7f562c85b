// Problem details of the read API: the codes that it documents, and their fields.
import { AppError } from "../domain/error.ts";
import { httpErrors, publicCode, retryAfterOf } from "../http/problem.ts";

/** The meaning of each documented code, for the reference page. */
const problemMeanings = {
  invalid_parameter:
    "A parameter is unknown, given twice or out of its domain; `errors` names every one of them.",
  invalid_cursor: "The cursor was not issued by this API for these filters and this workspace.",
  malformed_request: "The request is not HTTP/1.1, or has no `Host`, or one that is no host.",
  unauthorized: "The key is missing, malformed, unknown or revoked.",
  plan_required: "The workspace is not on the Studio plan.",
  scope_required: "The key has another scope: `read`, `manage` or `mcp`.",
  app_not_found: "The workspace has no app with this id.",
  no_ratings_yet: "The app exists, and no rating snapshot was taken yet.",
  no_histogram_yet:
    "Average and number of ratings are known, and no source told the counts of each star yet.",
  not_found: "There is nothing under this path, or nothing with this id in the workspace.",
  method_not_allowed: "The path is not for this method; see `Allow`.",
  request_timeout:
    "The head of the request took longer than 10 seconds, or its body longer than 30.",
  conflict: "It can't be done as things are: `detail` has the reason.",
  precondition_failed: "It was changed since the response whose `ETag` is in `If-Match`.",
  too_large: "The body is larger than it may be.",
  idempotency_key_reused: "Another request had this `Idempotency-Key` in the last 24 hours.",
  rate_limited: "More than 60 requests in 60 seconds with one key; come back after `Retry-After`.",
  head_too_large: "Request line and headers have more than 32 KB together.",
  internal: "Something went wrong on our side.",
  unavailable: "The service can't answer right now; come back after `Retry-After`.",
} as const;

export type ProblemCode = keyof typeof problemMeanings;
export const problemCodes = Object.keys(problemMeanings) as readonly ProblemCode[];

export function describeProblem(code: ProblemCode): {
  status: number;
  title: string;
  meaning: string;
} {
  return { ...httpErrors[code], meaning: problemMeanings[code] };
}

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: { parameter: string; message: string }[];
  /** Whole seconds, at least 1. */
  retryAfter?: number;
  requestId: string;
};

const documented = new Set(problemCodes);

export function toProblem(
  error: unknown,
  { requestId, docsUrl }: { requestId: string; docsUrl: string },
): Problem {
  // Input that a use case refuses is a parameter here.
  const isInput = error instanceof AppError && error.code === "invalid_input";
  const code = isInput ? "invalid_parameter" : publicCode(error, documented);
  const { status, title } = httpErrors[code];
  const retryAfter = retryAfterOf(error, code);
  return {
    type: `${docsUrl}#error-${code}`,
    title,
    status,
    detail: detailOf(error, code),
    code,
    ...(error instanceof AppError && error.fields.length > 0
      ? { errors: error.fields.map(({ field, message }) => ({ parameter: field, message })) }
      : {}),
    ...(retryAfter === null ? {} : { retryAfter }),
    requestId,
  };
}

function detailOf(error: unknown, code: ProblemCode): string {
  // Internal failures are for the operator's log; clients only need to know that, and when to return.
  const isInside = code === "internal" || code === "unavailable";
  return !isInside && error instanceof Error ? error.message : problemMeanings[code];
}
