// The closed set of errors that users and clients see. Any other error is a bug, and is shown outside as
// "internal error" only.

export const errorCodes = [
  "invalid_parameter",
  "invalid_cursor",
  "invalid_setting",
  "invalid_input",
  "unauthorized",
  "forbidden",
  "reauthentication_required",
  "second_factor_required",
  "plan_required",
  "scope_required",
  "app_not_found",
  "no_ratings_yet",
  "no_histogram_yet",
  "not_found",
  "method_not_allowed",
  "conflict",
  "precondition_failed",
  "idempotency_key_reused",
  "too_large",
  "malformed_request",
  "request_timeout",
  "head_too_large",
  "rate_limited",
  "unavailable",
  "internal",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One faulty field of an input: a query parameter, a CLI option or a setting. */
export type FieldError = { field: string; message: string };

/** An error that users see. `fields` names the faulty parts of an input. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];

  constructor(
    code: ErrorCode,
    message: string,
    more: { cause?: unknown; fields?: readonly FieldError[] } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "AppError";
    this.code = code;
    this.fields = more.fields ?? [];
  }
}

/** A refusal that says after how many whole seconds the client may come back, at least 1. */
export class RateLimitedError extends AppError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, more: { cause?: unknown } = {}) {
    super("rate_limited", message, more);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
