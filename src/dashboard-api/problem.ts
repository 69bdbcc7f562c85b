// Problem details of the dashboard's API: the codes that it documents, with a sentence for the user.
import { AppError } from "../domain/error.ts";
import { type HttpErrorCode, httpErrors, publicCode, retryAfterOf } from "../http/problem.ts";
import type { Problem } from "./contract/route.ts";

const documented: ReadonlySet<HttpErrorCode> = new Set([
  "invalid_input",
  "invalid_parameter",
  "invalid_cursor",
  "unauthorized",
  "forbidden",
  "reauthentication_required",
  "second_factor_required",
  "not_found",
  "method_not_allowed",
  "conflict",
  "too_large",
  "rate_limited",
  "internal",
  "unavailable",
]);

export function toProblem(error: unknown, requestId: string): Problem {
  const code = publicCode(error, documented);
  const retryAfter = retryAfterOf(error, code);
  const isPublic = error instanceof AppError && code !== "internal";
  return {
    ...httpErrors[code],
    code,
    detail: isPublic ? toSentence(error.message) : "Internal error; see the service's log.",
    fields: isPublic ? error.fields.map(({ field, message }) => ({ field, message })) : [],
    ...(retryAfter !== null && { retryAfter }),
    requestId,
  };
}

function toSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
