// Reads a `.env` file strictly: a name that is not a setting and a line that sets nothing stop the start,
// because an ignored mistake shows much later, as a service that behaves oddly.
import fs from "node:fs";
import { parseEnv } from "node:util";
import { AppError } from "../domain/error.ts";
import { isFileMissing } from "../lib/errors.ts";

const quotes = ['"', "'", "`"];

/** Far more than all settings. */
const lengthMax = 100_000;

/**
 * Values by name; none when the file does not exist.
 *
 * @param known the names of all settings
 * @throws AppError `invalid_setting`
 */
export function readEnvFile(
  path: string,
  known: readonly string[],
): Record<string, string | undefined> {
  const content = readContent(path);
  if (content === null) return {};
  if (content.length > lengthMax) {
    throw new AppError("invalid_setting", `${path} is longer than ${lengthMax} characters`);
  }
  const line = findFaultyLine(content);
  if (line !== null) {
    // The line itself may hold a secret.
    throw new AppError(
      "invalid_setting",
      `${path}: line ${line} sets nothing; expected NAME=value`,
    );
  }
  const parsed = parseEnv(content);
  const unknown = Object.keys(parsed).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new AppError("invalid_setting", `${path}: there is no setting named ${unknown}`);
  }
  return parsed;
}

function readContent(path: string): string | null {
  try {
    return fs.readFileSync(path, "utf8");
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
    if (/^\uFEFF?\s*(#|$)/.test(line)) continue;
    const value = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=\s*(.*)$/.exec(line)?.[1];
    if (value === undefined) return index + 1;
    const opening = quotes.find((one) => value.startsWith(one));
    if (opening === undefined || value.slice(1).includes(opening)) continue;
    // Only a quote that is closed somewhere runs over several lines.
    if ((closedUntil.get(opening) ?? 0) > index) quote = opening;
  }
  return null;
}
