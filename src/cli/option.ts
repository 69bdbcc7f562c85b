// What a command takes: one description per option or argument, from which help, parsing and the type of
// the value follow. Reading never fails: whether a value can be right is the use case's to say.

export type Option<T> = {
  /** As commander takes it, e.g. `--name <name>`; an argument is `<id>` or `[id]`. */
  flags: string;
  about: string;
  isRequired: boolean;
  /** undefined when the option was not given. */
  read(stated: string | boolean | undefined): T;
};

/** The values of a set of options, by name. */
export type OptionValues<O> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

export function required(flags: string, about: string): Option<string> {
  return { flags, about, isRequired: true, read: textOf };
}

export function optional(flags: string, about: string): Option<string | undefined> {
  return optionalAs(flags, about, (stated) => stated);
}

export function flag(flags: string, about: string): Option<boolean> {
  return { flags, about, isRequired: false, read: (stated) => stated === true };
}

/** Values with commas. */
export function list(flags: string, about: string): Option<string[] | undefined> {
  return optionalAs(flags, about, splitList);
}

/** Values with commas; `all` is null. */
export function listOrAll(flags: string, about: string): Option<string[] | null | undefined> {
  return optionalAs(flags, about, splitListOrAll);
}

/** Numbers with commas; `all` is null, and what is no number is NaN. */
export function numbersOrAll(flags: string, about: string): Option<number[] | null | undefined> {
  return optionalAs(flags, about, (stated) => {
    const parts = splitListOrAll(stated);
    return parts?.map(toNumber) ?? null;
  });
}

/** NaN for what is no number. */
export function number(flags: string, about: string): Option<number | undefined> {
  return optionalAs(flags, about, toNumber);
}

function optionalAs<T>(
  flags: string,
  about: string,
  read: (stated: string) => T,
): Option<T | undefined> {
  return {
    flags,
    about,
    isRequired: false,
    read: (stated) => (stated === undefined ? undefined : read(textOf(stated))),
  };
}

function textOf(stated: string | boolean | undefined): string {
  return typeof stated === "string" ? stated : "";
}

function splitList(stated: string): string[] {
  return stated
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function splitListOrAll(stated: string): string[] | null {
  const parts = splitList(stated);
  return parts.length === 1 && parts[0] === "all" ? null : parts;
}

// Number("") is 0 and Number("0x10") 16: neither is what a person means.
function toNumber(stated: string): number {
  return /^-?\d+(\.\d+)?$/.test(stated.trim()) ? Number(stated) : Number.NaN;
}
