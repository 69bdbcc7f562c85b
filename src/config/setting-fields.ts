// Kinds of settings as zod schemas: each takes the text of the environment and says what it expected.
import net from "node:net";
import { z } from "zod";
import { parseWholeNumber, splitList } from "../domain/fields.ts";
import { memberRoles } from "../domain/people/user.ts";
import { readServerUrls, type ServerRole } from "../lib/postgres/server-urls.ts";
import { canParseUrl, withoutBrackets } from "../lib/urls.ts";

type Bounds = { min: number; max: number };

/** Not set by default, which is null. */
export function optional<Value>(schema: z.ZodType<Value, string>) {
  return z.nullable(schema).prefault(null);
}

/** The same for a value that never appears in an error. */
export function secret<Value>(schema: z.ZodType<Value, string>) {
  return optional(schema).meta({ isSecret: true });
}

/** Bounds are inclusive. */
export function wholeNumber(bounds: Bounds) {
  const expected = `a whole number from ${bounds.min} to ${bounds.max}`;
  return parsed(expected, (text) => parseWholeNumber(text, bounds));
}

/** Bounds are inclusive. */
export function decimal({ min, max }: Bounds) {
  return parsed(`a number from ${min} to ${max}`, (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : null;
  });
}

export function yesOrNo() {
  return parsed("true or false", (text) => {
    const isYes = /^(true|1|yes)$/i.test(text);
    return isYes || /^(false|0|no)$/i.test(text) ? isYes : null;
  });
}

export function oneOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, { error: `one of ${names.join(", ")}` });
}

/** At least one of a closed set, with commas; the result is in the order of the set. */
export function someOf<Name extends string>(names: readonly Name[]) {
  return parsed(`some of ${names.join(", ")}, with commas`, (text) => {
    const parts = splitList(text);
    const isKnown = parts.every((part) => (names as readonly string[]).includes(part));
    return parts.length > 0 && isKnown ? names.filter((name) => parts.includes(name)) : null;
  });
}

/** Any number of texts, with commas, each in the form that `read` makes of it; null for what is none. */
export function listOf(expected: string, read: (part: string) => string | null) {
  return parsed(`${expected}, with commas`, (text) => {
    const parts = splitList(text).map(read);
    return parts.every((part) => part !== null) ? parts : null;
  });
}

/** A base address, to which paths are added: without slashes at its end. */
export function httpUrl() {
  return parsed(
    `a URL that begins with http:// or https://, without ? and #; ${encoded}`,
    (text) =>
      isHttpUrl(text) && !/[?#]/.test(text) && !hasBareSigns(text)
        ? text.replace(/\/+$/, "")
        : null,
  );
}

/** An identifier that others compare byte for byte, so it stays as it is written. */
export function exactUrl() {
  return parsed("a URL that begins with http:// or https://", (text) =>
    isHttpUrl(text) ? text : null,
  );
}

/**
 * The address of a whole host: pages, cookies and links of the service begin at its root. As browsers write it, because others
 * compare it with what browsers send.
 */
export function originUrl() {
  const expected =
    "a URL like https://reviews.example.com without a path, because Starpost needs a host name of its own";
  return parsed(expected, (text) => {
    if (!isHttpUrl(text)) return null;
    const url = new URL(text);
    // A full name may end with a dot.
    const isOrigin = url.href === `${url.origin}/`;
    url.hostname = url.hostname.replace(/\.$/, "");
    return isOrigin ? url.origin : null;
  });
}

/** The URL of one server, or of several separated by commas, of which those with this role are used. */
export function databaseUrl(role: ServerRole = "primary") {
  return z.string().transform((text, context): string => {
    const { fault } = readServerUrls(text, role);
    if (fault !== null) {
      const message = `it ${fault}`;
      context.addIssue({ code: "custom", message, params: { isSentence: true } });
    }
    return text;
  });
}

/** `value=role`, with commas. */
export function roleMap() {
  return parsed(`like admins=owner, with the roles ${memberRoles.join(", ")}`, (text) => {
    const lines = splitList(text).map((part) => {
      const [, value = "", name = ""] = /^(.+)=(\w+)$/.exec(part) ?? [];
      const role = memberRoles.find((one) => one === name);
      return role ? [{ value: value.trim(), role }] : [];
    });
    return lines.every(({ length }) => length === 1) ? lines.flat() : null;
  });
}

/** One line, whose content is checked where it is used. */
export function line(expected: string) {
  return z.string().max(1_000, { error: expected });
}

/** A key as it goes into an HTTP header: printable and without spaces. */
export function headerToken() {
  return z.string().regex(/^[\x21-\x7e]{1,4096}$/, { error: "a key without spaces" });
}

/** Keys of 32 bytes, in base64 or hex, with commas. */
export function encryptionKeys() {
  return parsed("32 bytes in base64 or hex", (text): Buffer[] | null => {
    const keys = splitList(text).map((part) =>
      Buffer.from(part, /^[0-9a-f]{64}$/i.test(part) ? "hex" : "base64"),
    );
    return keys.length > 0 && keys.every((key) => key.length === 32) ? keys : null;
  });
}

/** As browsers send it: scheme, name and port alone, in lower case. Any other spelling never matches. */
export function toOrigin(text: string): string | null {
  if (text === "*") return text;
  const origin = isHttpUrl(text) ? new URL(text).origin : null;
  return origin === text || `${origin}/` === text ? origin : null;
}

/** Any number of networks, with commas; an address alone is a network of one. */
export function networks() {
  return listOf("networks like 10.1.0.0/16", toNetwork);
}

function toNetwork(text: string): string | null {
  const [address = "", bits, ...rest] = withoutBrackets(text).split("/");
  const bitsMax = { 4: 32, 6: 128 }[net.isIP(address)];
  if (bitsMax === undefined || rest.length > 0) return null;
  if (bits === undefined) return `${address}/${bitsMax}`;
  return parseWholeNumber(bits, { min: 0, max: bitsMax }) === null ? null : text;
}

/** A mail server's URL. Errors never show it: it holds a password. */
export function smtpUrl() {
  return parsed(`a URL like smtps://user:password@mail.example.com; ${encoded}`, (text) =>
    !hasBareSigns(text) &&
    canParseUrl(text) &&
    /^smtps?:\/\/[^/?#]+\/?(\?name=[\w.:[\]-]+)?$/.test(text) &&
    new URL(text).hostname !== ""
      ? text
      : null,
  );
}

const encoded =
  "special characters of user and password must be percent-encoded (# is %23, / is %2F, ? is %3F, @ is %40, % is %25)";

/** Whether a user or password has a sign that ends them early, so that the URL would mean another server. */
function hasBareSigns(text: string): boolean {
  const [, authority = "", rest = ""] = /^\w+:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  const signIn = authority.split("@").slice(0, -1);
  return signIn.length > 1 || /%(?![\da-f]{2})/i.test(signIn.join()) || /[#@]/.test(rest);
}

/** `Name <address>`, or the address alone. */
export function sender() {
  return parsed("an address like Starpost <starpost@example.com>", (text) =>
    /^([^<>\p{C}]{0,100}<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u.test(text) ? text : null,
  );
}

/**
 * A name or address without a port, as URLs have it: in lower case, in ASCII and without a final dot. A leading dot matches all
 * names below it, and so does `*.`.
 */
export function toHostName(text: string): string | null {
  const [, dot = "", host = ""] = /^(?:\*?(\.))?(.+?)\.?$/.exec(text) ?? [];
  const name = host.includes(":") ? `[${withoutBrackets(host)}]` : host;
  const isPlain = !/[*/?#@\s%]/.test(name) && canParseUrl(`https://${name}/`);
  if (!isPlain || new URL(`https://${name}/`).port !== "") return null;
  const { hostname } = new URL(`https://${name}/`);
  return hostname === "" ? null : dot + hostname;
}

/** Domains of addresses. */
export function toDomain(text: string): string | null {
  const name = toHostName(text);
  return name?.startsWith(".") ? null : name;
}

function isHttpUrl(text: string): boolean {
  return canParseUrl(text) && /^https?:$/.test(new URL(text).protocol);
}

function parsed<Value>(expected: string, parse: (text: string) => Value | null) {
  return z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });
}
