// Reads the environment and a `.env` file strictly: a name that is not a setting and a line that sets nothing stop the
// start, because an ignored mistake shows much later, as a service that behaves oddly.
import fs from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { AppError } from "../domain/error.ts";
import { isFileMissing } from "../lib/errors.ts";
import { decodeText } from "../lib/text-lines.ts";

const quotes = ['"', "'", "`"];

/** Far more than all settings. */
const lengthMax = 100_000;

/**
 * Values by name; null when the file does not exist.
 *
 * @param known the names of all settings
 * @throws AppError `invalid_setting`
 */
export function readEnvFile(path: string, known: readonly string[]): Values | null {
  const content = readContent(path);
  if (content === null) return null;
  if (content.length > lengthMax) {
    fail(`${path} is longer than ${lengthMax} characters`);
  }
  const line = findFaultyLine(content);
  if (line !== null) {
    // The line itself may hold a secret.
    fail(`${path}: line ${line} sets nothing; expected NAME=value`);
  }
  const parsed = parseEnv(content.replaceAll("\r\n", "\n"));
  const unknown = Object.keys(parsed).find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`${path}: there is no setting named ${unknown}`);
  return parsed;
}

type Values = Readonly<Record<string, string | undefined>>;

/**
 * The value of a setting, or the content of the file that NAME_FILE names, as secrets of containers are mounted. An empty
 * value counts as unset, an empty file as a mistake.
 *
 * @throws AppError `invalid_setting` when both are set or the file can't be read
 */
export function readSetting(
  name: string,
  { sources, folder }: { sources: readonly Values[]; folder: string },
): string | undefined {
  for (const source of sources) {
    const value = trimmed(name, source[name]);
    const path = source[`${name}_FILE`]?.trim();
    if (!path) {
      if (value === undefined) continue;
      return value;
    }
    if (value !== undefined) fail(`${name} and ${name}_FILE are both set`);
    const content =
      readContent(resolve(folder, path)) ?? fail(`${name}_FILE: there is no file ${path}`);
    if (content.length > lengthMax) fail(`${path} is longer than ${lengthMax} characters`);
    return trimmed(name, content) ?? fail(`${name}_FILE: ${path} is empty`);
  }
  return undefined;
}

/** Without the space around it, which belongs to a password. An editor ends a file with a line end. */
function trimmed(name: string, value = ""): string | undefined {
  const isExact = /_(PASSWORD|SECRET)$/.test(name) && value.trim() !== "";
  return (isExact ? value.replace(/[\r\n]+$/, "") : value.trim()) || undefined;
}

/** Families of names that no other software uses beside this one. */
const family = /^(OIDC|SMTP|COLLECT|TRANSLATE|ANALYSIS|EMBEDDED_SQL|METRICS|DATABASE)_/;
/** Kubernetes and Docker set these for each service, so one named `database` or `starpost` is not a mistake. */
const isOfService = (name: string, value = "") =>
  /_SERVICE_(HOST|PORT)|_PORT_\d+_/.test(name) || /^(tcp|udp|sctp):/.test(value);

/**
 * Refuses names of the environment that look like a setting: they set nothing, and the service would start without it.
 *
 * @param values of all settings by name
 * @throws AppError `invalid_setting`
 */
export function refuseMistakes(env: Values, values: Values): void {
  const names = Object.keys(values);
  for (const [name, value] of Object.entries(env)) {
    if (!value || names.includes(name.replace(/_FILE$/, "")) || isOfService(name, value)) continue;
    // Hosting platforms add addresses of their own beside DATABASE_URL.
    if (name.startsWith("DATABASE_") && values["DATABASE_URL"] !== undefined) continue;
    // In small letters as well; other software may have a short one like `port`.
    const typed = name.length < 8 ? name : name.toUpperCase();
    const plain = typed.replace(/^STARPOST_/, "").replace(/_FILE$/, "");
    const meant = names.find((one) => isMisspelt(plain, one) && values[one] === undefined);
    if (meant !== undefined) fail(`there is no setting named ${name}; did you mean ${meant}?`);
    if (family.test(name)) fail(`there is no setting named ${name}`);
  }
}

/** One letter that is wrong, missing or too many, in a name that is long enough to be recognized. */
function isMisspelt(name: string, meant: string): boolean {
  if (name === meant) return true;
  if (meant.length < 8 || Math.abs(name.length - meant.length) > 1) return false;
  const start = [...meant].findIndex((letter, index) => letter !== name[index]);
  const at = start === -1 ? meant.length : start;
  return [0, 1].some((left) =>
    [0, 1].some((right) => name.slice(at + left) === meant.slice(at + right)),
  );
}

function fail(message: string): never {
  throw new AppError("invalid_setting", message);
}

function readContent(path: string): string | null {
  try {
    return decodeText(fs.readFileSync(path));
  } catch (error) {
    // Most installations have no .env; one that can't be read must not count as none.
    if (isFileMissing(error)) return null;
    throw new AppError("invalid_setting", `${path} can't be read`, { cause: error });
  }
}

/** The number of the first line that is neither empty, a comment, NAME=value nor inside of quotes. */
function findFaultyLine(content: string): number | null {
  const lines = content.split(/\r?\n/);
  const lastIndexOf = (quote: string): number =>
    lines.findLastIndex((line) => line.includes(quote));
  const closedUntil = new Map(quotes.map((quote) => [quote, lastIndexOf(quote)]));
  let quote: string | null = null;
  for (const [index, line] of lines.entries()) {
    if (quote !== null) {
      if (line.includes(quote)) quote = null;
      continue;
    }
    if (/^\s*(#|$)/.test(line)) continue;
    const value = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=\s*(.*)$/.exec(line)?.[1];
    if (value === undefined) return index + 1;
    const opening = quotes.find((one) => value.startsWith(one));
    if (opening === undefined || value.slice(1).includes(opening)) continue;
    // Only a quote that is closed somewhere runs over several lines.
    if ((closedUntil.get(opening) ?? 0) > index) quote = opening;
  }
  return null;
}
