// The parameters of a command: one description per option or argument, from which help, parsing and the type of
// the value follow. Parsing never fails: whether a value is allowed is checked by the use case.
import { splitList, wholeNumberSchema } from "../domain/fields.ts";
import { parseField } from "../domain/validation-errors.ts";
import type { ReferenceKind } from "./references.ts";

export type Option<T> = {
  /** As commander takes it, e.g. `--name <name>`; an argument is `<id>` or `[id]`. */
  flags: string;
  description: string;
  isRequired: boolean;
  /** The field of the input that it sets, where that has another name. */
  field?: string;
  /** What completion offers. */
  values?: readonly string[];
  /** The value names such a resource, and the command gets its id. */
  refersTo?: ReferenceKind;
  /** @param value undefined when the option was left out */
  parse(value: string | boolean | undefined): T;
};

/** The values of a set of options, by name. */
export type OptionValues<O> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

export function required(flags: string, description: string): Option<string> {
  return { flags, description, isRequired: true, parse: textOf };
}

/** Names something that exists: by its id, the beginning of its id or its name. */
export function reference(
  kind: ReferenceKind,
  { flags, description }: { flags: string; description: string },
): Option<string> {
  return { ...required(flags, description), refersTo: kind };
}

export const appOption = reference("app", { flags: "--app <app>", description: "The app." });

/** `--workspace` of what belongs to one. Without it STARPOST_WORKSPACE counts, or the only workspace. */
export function workspaceOption(description: string): Option<string> {
  const workspace = { flags: "--workspace <workspace>", description };
  return { ...reference("workspace", workspace), isRequired: false };
}

/** `--workspace` of a list. Without it STARPOST_WORKSPACE counts, else all are listed. */
export function workspaceFilter(
  description = "Only this workspace's.",
): Option<string | undefined> {
  return { ...optional("--workspace <workspace>", description), refersTo: "workspaceFilter" };
}

export function optional(flags: string, description: string): Option<string | undefined> {
  return optionalAs(flags, description, (text) => text);
}

export function flag(flags: string, description: string): Option<boolean> {
  return { flags, description, isRequired: false, parse: (value) => value === true };
}

/** `--no-collect`: true unless it is given. */
export function unless(flags: string, description: string): Option<boolean> {
  // commander names the option without its "no" and sets it to false.
  return { flags, description, isRequired: false, parse: (value) => value !== false };
}

/** All words from this argument on. */
export function rest(flags: string, description: string): Option<string[]> {
  return { flags, description, isRequired: false, parse: (text) => (text ? [textOf(text)] : []) };
}

/** Values with commas. */
export function list(flags: string, description: string): Option<string[] | undefined> {
  return optionalAs(flags, description, splitList);
}

/** Values with commas; `all` is null. */
export function listOrAll(flags: string, description: string): Option<string[] | null | undefined> {
  return optionalAs(flags, description, splitListOrAll);
}

/** Numbers with commas; `all` is null, and other text is NaN. */
export function numbersOrAll(
  flags: string,
  description: string,
): Option<number[] | null | undefined> {
  return optionalAs(flags, description, (text) => splitListOrAll(text)?.map(toNumber) ?? null);
}

/** NaN for other text. */
export function number(flags: string, description: string): Option<number | undefined> {
  return optionalAs(flags, description, toNumber);
}

/** @throws AppError `invalid_input` that names the option */
export function requireWhole(
  field: string,
  { value, min = 0, max }: { value: number; min?: number; max: number },
): number {
  return parseField(wholeNumberSchema({ min, max }), { field, value });
}

function optionalAs<T>(
  flags: string,
  description: string,
  parse: (text: string) => T,
): Option<T | undefined> {
  return {
    flags,
    description,
    isRequired: false,
    parse: (value) => (value === undefined ? undefined : parse(textOf(value))),
  };
}

function textOf(value: string | boolean | undefined): string {
  return typeof value === "string" ? value : "";
}

function splitListOrAll(text: string): string[] | null {
  const parts = splitList(text);
  return parts.length === 1 && parts[0] === "all" ? null : parts;
}

// Number("") is 0 and Number("0x10") is 16: neither is what a user means.
function toNumber(text: string): number {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
}
