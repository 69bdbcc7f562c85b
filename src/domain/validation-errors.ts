// How an input is refused: all fields that can't be right, by name and in words, before anything is done.
import type { z } from "zod";
import { isUuid } from "../lib/uuid.ts";
import { AppError, type FieldError } from "./error.ts";
import { hasKnownSecret, quoteText } from "./known-secret.ts";

/**
 * The input as its schema makes it.
 *
 * @param more errors that the schema can't find
 * @throws AppError `invalid_input` that names every faulty field
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  more: readonly FieldError[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidInput([...fieldErrorsOf(parsed.error, { input }), ...more]);
  failFields(more);
  return parsed.data;
}

/**
 * One value of an input, by its schema.
 *
 * @throws AppError `invalid_input` that names the field
 */
export function parseField<Schema extends z.ZodType>(
  schema: Schema,
  { field, value }: { field: string; value: unknown },
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidInput(fieldErrorsOf(parsed.error, { field }));
  return parsed.data;
}

/**
 * The errors, each field and message once: errors of several items of a list become one, unless the items have names. At
 * most 20.
 *
 * @param of the whole input, or the name of the value itself, when it is not an object with fields
 */
function fieldErrorsOf(
  error: z.ZodError,
  of: { input: unknown; field?: never } | { field: string; input?: never },
): FieldError[] {
  const errors = error.issues.slice(0, fieldErrorCountMax).flatMap((issue): FieldError[] => {
    const field = of.field ?? String(issue.path[0] ?? "input");
    const item = nameOfItem(of.input, issue.path);
    if (issue.code === "unrecognized_keys") {
      return issue.keys
        .slice(0, fieldErrorCountMax)
        .map((key) => key.slice(0, 100))
        .map((key) =>
          item === null
            ? { field: key, message: "is not known here" }
            : { field, message: `${item}: ${key} is not known here` },
        );
    }
    const part = item === null ? "" : [`${item}:`, ...issue.path.slice(2, 3), ""].join(" ");
    return [{ field, message: `${part}${issue.message}` }];
  });
  const each = [...new Map(errors.map((one) => [`${one.field}: ${one.message}`, one])).values()];
  return each.slice(0, fieldErrorCountMax);
}

const itemNameMax = 80;

/** The name of the item of a list that an error is about; null for items without names. */
function nameOfItem(input: unknown, [field, index]: readonly PropertyKey[]): string | null {
  if (typeof field !== "string" || typeof index !== "number") return null;
  const item = (input as Record<string, readonly Record<string, unknown>[]>)[field]?.[index];
  const names = [item?.["name"], item?.["email"], item?.["externalAppId"]];
  const name = names.find((one) => typeof one === "string" && one !== "") as string | undefined;
  if (name === undefined) return null;
  if (hasKnownSecret(name)) return `entry ${index + 1}`;
  return name.length > itemNameMax ? `${name.slice(0, itemNameMax)} …` : name;
}

/** Nobody reads more, and a small body can hold thousands. */
const fieldErrorCountMax = 20;

/** @throws AppError `invalid_input` when there are errors */
export function failFields(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidInput(errors);
}

/** @throws AppError `invalid_input`, always */
export function failField(field: string, message: string): never {
  throw invalidInput([{ field, message }]);
}

/** The error with the thing that is refused, for an input that has many. */
export function nameRefused(error: unknown, noun: string): unknown {
  if (!(error instanceof AppError) || error.code !== "invalid_input") return error;
  const named = ({ field, message }: FieldError) => ({ field, message: `${message} (${noun})` });
  return invalidInput(error.fields.map(named));
}

/** @throws AppError `invalid_input` when the text can't be an id; whether the thing exists is not checked */
export function assertId(field: string, id: string): void {
  if (!isUuid(id)) failField(field, `${quoteText(id)} is not an id`);
}

export function notFound(noun: string, id: string): AppError {
  return new AppError("not_found", `there is no ${noun} ${id}`);
}

function invalidInput(allFields: readonly FieldError[]): AppError {
  const fields = allFields.slice(0, fieldErrorCountMax);
  const message = fields.map((error) => `${error.field}: ${error.message}`).join("; ");
  return new AppError("invalid_input", message, { fields });
}
