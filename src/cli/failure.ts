// The message and the exit code of a failed command: 2 for an invalid value, 1 for everything else.

import { AppError, type ErrorCode, type FieldError } from "../domain/error.ts";
import { messageOf } from "../lib/errors.ts";
import { type Command, longFlagOf } from "./command.ts";

export type Failure = {
  exitCode: 1 | 2;
  error: { code: ErrorCode; message: string; fields: readonly FieldError[] };
};

export function toFailure(error: unknown, command: Command | null): Failure {
  if (!(error instanceof AppError)) {
    const message = messageOf(error);
    const internal = {
      code: "internal" as const,
      message: `internal error: ${message}`,
      fields: [],
    };
    return { exitCode: 1, error: internal };
  }
  const fields = error.fields.map(({ field, message }) => ({
    field: toFlag(field, command),
    message,
  }));
  const isUsage = error.code === "invalid_input" && fields.length > 0;
  const message = isUsage
    ? fields.map((error) => `${error.field}: ${error.message}`).join("; ")
    : error.message;
  return { exitCode: isUsage ? 2 : 1, error: { code: error.code, message, fields } };
}

export function toUsageFailure(message: string): Failure {
  return { exitCode: 2, error: { code: "invalid_input", message, fields: [] } };
}

/** As it is typed: `externalId` is `--external-id`. */
function toFlag(field: string, command: Command | null): string {
  const options = command?.options ?? {};
  const option = Object.values(options).find((one) => one.field === field) ?? options[field];
  return option ? longFlagOf(option) : field;
}
