// The one place that says how a failure looks outside: problem details (RFC 9457). What is not an
// AppError is a bug: it goes to the log in full and outside as "internal error" only.
import { AppError, type ErrorCode } from "../domain/error.ts";

export const problemType = "application/problem+json";

/** The codes a caller of the read API can meet. */
export const problems = {
  invalid_parameter: {
    status: 400,
    title: "Invalid parameter",
    means:
      "A parameter is unknown, given twice or out of its domain; `errors` names every one of them.",
  },
  invalid_cursor: {
    status: 400,
    title: "Invalid cursor",
    means: "The cursor was not issued by this API for these filters and this workspace.",
  },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    means: "The key is missing, malformed, unknown or revoked.",
  },
  plan_required: {
    status: 403,
    title: "Studio plan required",
    means: "The workspace is not on the Studio plan.",
  },
  app_not_found: {
    status: 404,
    title: "App not found",
    means: "The workspace has no app with this id.",
  },
  no_ratings_yet: {
    status: 404,
    title: "No ratings yet",
    means: "The app exists, and no rating snapshot was taken yet.",
  },
  not_found: { status: 404, title: "Not found", means: "There is nothing under this path." },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    means: "Only GET and HEAD are answered; see `Allow`.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    means: "More than 60 requests in 60 seconds with one key; come back after `Retry-After`.",
  },
  internal: { status: 500, title: "Internal error", means: "Something went wrong on our side." },
  unavailable: {
    status: 503,
    title: "Unavailable",
    means: "The service can't answer right now; come back after `Retry-After`.",
  },
} as const satisfies Partial<Record<ErrorCode, { status: number; title: string; means: string }>>;

export type ProblemCode = keyof typeof problems;
export type ProblemStatus = (typeof problems)[ProblemCode]["status"];

export type Problem = {
  type: string;
  title: string;
  status: ProblemStatus;
  detail: string;
  code: ProblemCode;
  errors?: { parameter: string; message: string }[];
  /** Whole seconds, at least 1. */
  retryAfter?: number;
  requestId: string;
};

/** A refusal that says when to come back. */
export class RateLimited extends AppError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super("rate_limited", message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

// A database that restarts is back in seconds.
const unavailableRetrySeconds = 5;

export function toProblem(
  error: unknown,
  request: { requestId: string; docsUrl: string },
): Problem {
  const code = codeOf(error);
  const { status, title } = problems[code];
  const retryAfter = retryAfterOf(error, code);
  return {
    type: `${request.docsUrl}#error-${code}`,
    title,
    status,
    detail: detailOf(error, code),
    code,
    ...(error instanceof AppError && error.fields.length > 0
      ? { errors: error.fields.map(({ field, message }) => ({ parameter: field, message })) }
      : {}),
    ...(retryAfter === null ? {} : { retryAfter }),
    requestId: request.requestId,
  };
}

function codeOf(error: unknown): ProblemCode {
  // A code that belongs to other interfaces has no business here: that is a bug.
  return error instanceof AppError && Object.hasOwn(problems, error.code)
    ? (error.code as ProblemCode)
    : "internal";
}

function detailOf(error: unknown, code: ProblemCode): string {
  // What failed inside is for the operator's log; callers only need to know that, and when to return.
  const isInside = code === "internal" || code === "unavailable";
  return !isInside && error instanceof Error ? error.message : problems[code].means;
}

function retryAfterOf(error: unknown, code: ProblemCode): number | null {
  if (error instanceof RateLimited) return error.retryAfterSeconds;
  return code === "unavailable" ? unavailableRetrySeconds : null;
}
