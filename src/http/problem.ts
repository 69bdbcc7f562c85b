// How a failure looks outside: the one mapping from AppError to an HTTP status, and problem details
// (RFC 9457). An error other than an AppError is a bug: it is logged in full and shown as "internal" only.
import { AppError, type ErrorCode, RateLimitedError } from "../domain/error.ts";
import type { Log } from "../lib/log.ts";

export const problemType = "application/problem+json";

export const httpErrors = {
  invalid_parameter: { status: 400, title: "Invalid parameter" },
  invalid_cursor: { status: 400, title: "Invalid cursor" },
  invalid_input: { status: 400, title: "Invalid input" },
  malformed_request: { status: 400, title: "Malformed request" },
  unauthorized: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Not allowed" },
  reauthentication_required: { status: 403, title: "Password needed" },
  second_factor_required: { status: 403, title: "Second factor needed" },
  plan_required: { status: 403, title: "Studio plan required" },
  scope_required: { status: 403, title: "Another scope required" },
  app_not_found: { status: 404, title: "App not found" },
  no_ratings_yet: { status: 404, title: "No ratings yet" },
  no_histogram_yet: { status: 404, title: "No histogram yet" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "Request too slow" },
  conflict: { status: 409, title: "Conflict" },
  precondition_failed: { status: 412, title: "Changed meanwhile" },
  idempotency_key_reused: { status: 422, title: "Idempotency-Key used before" },
  too_large: { status: 413, title: "Too large" },
  rate_limited: { status: 429, title: "Too many requests" },
  head_too_large: { status: 431, title: "Request head too large" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Unavailable" },
} as const satisfies Partial<Record<ErrorCode, { status: number; title: string }>>;

export type HttpErrorCode = keyof typeof httpErrors;

/** A 405 that names the methods of the path in the `Allow` header. */
export class MethodNotAllowedError extends AppError {
  readonly allowedMethods: readonly string[];

  constructor(message: string, allowedMethods: readonly string[]) {
    super("method_not_allowed", message);
    this.allowedMethods = allowedMethods;
  }
}

/** The code that the client gets. A code that this API does not document is a bug, like any other error. */
export function publicCode<Code extends HttpErrorCode>(
  error: unknown,
  documented: ReadonlySet<Code>,
): Code | "internal" {
  const code = error instanceof AppError ? (error.code as Code) : "internal";
  return documented.has(code as Code) ? code : "internal";
}

// A database that restarts is back in seconds.
const unavailableRetrySeconds = 5;

/** After how many whole seconds the client may come back; null where that is not for time to decide. */
export function retryAfterOf(error: unknown, code: HttpErrorCode): number | null {
  if (error instanceof RateLimitedError) return error.retryAfterSeconds;
  return code === "unavailable" ? unavailableRetrySeconds : null;
}

/** The fields of every problem; an API may add more. */
type ProblemBase = {
  status: number;
  code: ErrorCode;
  /** Whole seconds, at least 1. */
  retryAfter?: number;
  requestId: string;
};

/** The response to a failure, which it logs where the operator has to know of it. */
export function problemResponse(
  problem: ProblemBase,
  { log, error, headers }: { log: Log; error: unknown; headers?: Record<string, string> },
): Response {
  const { code, requestId, retryAfter } = problem;
  const facts = { requestId, code, reason: String(error) };
  if (code === "internal") log.error({ err: error, requestId }, "a request failed");
  else if (code === "unavailable") log.warn(facts, "a request was answered with 503");
  else if (code === "forbidden") log.info(facts, "a request was refused");
  else log.debug(facts, "a request was answered with a problem");
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      ...headers,
      "Content-Type": problemType,
      "Cache-Control": "no-store",
      // The rest of the body is still on its way, so the connection can't carry another request.
      ...(code === "too_large" && { Connection: "close" }),
      ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
      ...(error instanceof MethodNotAllowedError && { Allow: error.allowedMethods.join(", ") }),
    },
  });
}
