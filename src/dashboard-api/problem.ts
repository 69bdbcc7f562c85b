// How a failure looks to the dashboard: problem details (RFC 9457) with words for the person. What is not
// an AppError is a bug: it goes to the log in full and outside as "internal error" only.
import { AppError, type ErrorCode } from "../domain/error.ts";
import type { Problem } from "./contract/route.ts";

const statuses: Partial<Record<ErrorCode, { status: number; title: string }>> = {
  invalid_input: { status: 400, title: "Invalid input" },
  invalid_parameter: { status: 400, title: "Invalid parameter" },
  invalid_cursor: { status: 400, title: "Invalid cursor" },
  unauthorized: { status: 401, title: "Not signed in" },
  forbidden: { status: 403, title: "Not allowed" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  conflict: { status: 409, title: "Conflict" },
  too_large: { status: 413, title: "Too large" },
  rate_limited: { status: 429, title: "Too many tries" },
  unavailable: { status: 503, title: "Unavailable" },
};

/** A refusal that says when to come back. */
export class TooManyTries extends AppError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super("rate_limited", message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function toProblem(error: unknown, requestId: string): Problem {
  const known = error instanceof AppError ? statuses[error.code] : undefined;
  if (!(error instanceof AppError) || !known) {
    const detail = "Something went wrong on our side; the log knows more.";
    const code = "internal" as const;
    return { status: 500, code, title: "Internal error", detail, fields: [], requestId };
  }
  const problem: Problem = {
    status: known.status,
    code: error.code,
    title: known.title,
    detail: asSentence(error.message),
    fields: error.fields.map(({ field, message }) => ({ field, message })),
    requestId,
  };
  return error instanceof TooManyTries
    ? { ...problem, retryAfter: error.retryAfterSeconds }
    : problem;
}

function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
