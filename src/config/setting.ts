// How one setting is described and read: the kinds of values that the table in config.ts is made of.
import net from "node:net";

export type Setting<T> = {
  /** The name in the environment and in `.env`. */
  name: string;
  /** As text, as it would be written; "" means not set. */
  fallback: string;
  /** One sentence for people. */
  about: string;
  /** Returns the value, or says in words what was expected. */
  parse: (stated: string) => { value: T } | { expected: string };
  /** Never shown in an error. */
  isSecret?: boolean;
};

export function text(name: string, fallback: string, about: string): Setting<string> {
  return { name, fallback, about, parse: (stated) => ({ value: stated }) };
}

type Bounds = { min: number; max: number };

export function wholeNumber(
  name: string,
  fallback: number,
  about: string,
  bounds: Bounds,
): Setting<number> {
  return numeric(/^\d+$/, `a whole number from ${bounds.min} to ${bounds.max}`, {
    name,
    fallback,
    about,
    bounds,
  });
}

export function decimal(
  name: string,
  fallback: number,
  about: string,
  bounds: Bounds,
): Setting<number> {
  return numeric(/^\d+(\.\d+)?$/, `a number from ${bounds.min} to ${bounds.max}`, {
    name,
    fallback,
    about,
    bounds,
  });
}

function numeric(
  pattern: RegExp,
  expected: string,
  setting: { name: string; fallback: number; about: string; bounds: Bounds },
): Setting<number> {
  const { name, about, bounds } = setting;
  return {
    name,
    about,
    fallback: String(setting.fallback),
    parse(stated) {
      const value = pattern.test(stated) ? Number(stated) : Number.NaN;
      return value >= bounds.min && value <= bounds.max ? { value } : { expected };
    },
  };
}

export function yesOrNo(name: string, about: string): Setting<boolean> {
  const values = new Map([
    ["true", true],
    ["1", true],
    ["yes", true],
    ["false", false],
    ["0", false],
    ["no", false],
  ]);
  return {
    name,
    fallback: "false",
    about,
    parse(stated) {
      const value = values.get(stated.toLowerCase());
      return value === undefined ? { expected: "true or false" } : { value };
    },
  };
}

export function oneOf<T extends string>(
  name: string,
  allowed: readonly T[],
  fallback: T,
  about: string,
): Setting<T> {
  return {
    name,
    fallback,
    about,
    parse(stated) {
      const value = allowed.find((candidate) => candidate === stated);
      return value === undefined ? { expected: `one of ${allowed.join(", ")}` } : { value };
    },
  };
}

/** Several of a closed set, with commas; all of them by default. */
export function someOf<T extends string>(
  name: string,
  allowed: readonly T[],
  about: string,
): Setting<T[]> {
  return {
    name,
    fallback: allowed.join(","),
    about,
    parse(stated) {
      const parts = splitList(stated);
      const value = allowed.filter((candidate) => parts.includes(candidate));
      const isClean = value.length > 0 && parts.every((part) => value.some((one) => one === part));
      return isClean ? { value } : { expected: `some of ${allowed.join(", ")}, with commas` };
    },
  };
}

/** Any number of texts, with commas; none by default. */
export function textList(
  name: string,
  about: string,
  check: (part: string) => boolean,
  expected: string,
): Setting<string[]> {
  return {
    name,
    fallback: "",
    about,
    parse(stated) {
      const value = splitList(stated);
      return value.every(check) ? { value } : { expected };
    },
  };
}

export function httpUrl(name: string, fallback: string, about: string): Setting<string> {
  return {
    name,
    fallback,
    about,
    parse(stated) {
      const value = stated.replace(/\/+$/, "");
      return isHttpUrl(value)
        ? { value }
        : { expected: "a URL that begins with http:// or https://" };
    },
  };
}

/** Not set by default; `read` turns what is stated into a value, or null when it can't be right. */
export function optional<T>(
  name: string,
  about: string,
  kind: { read: (stated: string) => T | null; expected: string; isSecret?: boolean },
): Setting<T | null> {
  return {
    name,
    fallback: "",
    about,
    isSecret: kind.isSecret ?? false,
    parse(stated) {
      if (stated === "") return { value: null };
      const value = kind.read(stated);
      return value === null ? { expected: kind.expected } : { value };
    },
  };
}

export function isHttpUrl(stated: string): boolean {
  return /^https?:$/.test(URL.canParse(stated) ? new URL(stated).protocol : "");
}

/** As browsers send it: scheme, name and port alone, in lower case. Another way to write it never matches. */
export function isOrigin(stated: string): boolean {
  return stated === "*" || (isHttpUrl(stated) && new URL(stated).origin === stated);
}

export function readHttpUrl(stated: string): string | null {
  return isHttpUrl(stated) ? stated.replace(/\/+$/, "") : null;
}

export function readDatabaseUrl(stated: string): string | null {
  const isIt = URL.canParse(stated) && /^postgres(ql)?:$/.test(new URL(stated).protocol);
  return isIt ? stated : null;
}

export function readPort(stated: string): number | null {
  return /^\d{1,5}$/.test(stated) && Number(stated) <= 65_535 ? Number(stated) : null;
}

/** Taken as it is: what it has to be is checked where it is used. */
export function readLine(stated: string): string | null {
  return stated.length <= 1_000 ? stated : null;
}

/** A key as it goes into a header: printable and without spaces. */
export function readToken(stated: string): string | null {
  return /^[\x21-\x7e]{1,4096}$/.test(stated) ? stated : null;
}

/** Keys of 32 bytes, in base64 or hex, with commas. */
export function readKeys(stated: string): Buffer[] | null {
  const keys = splitList(stated).map((part) =>
    Buffer.from(part, /^[0-9a-f]{64}$/i.test(part) ? "hex" : "base64"),
  );
  return keys.length > 0 && keys.every((key) => key.length === 32) ? keys : null;
}

export function isCidr(part: string): boolean {
  const [address = "", bits = "", ...rest] = part.split("/");
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[net.isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax;
}

function splitList(stated: string): string[] {
  return stated
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
