// One line per event on stderr: text at a terminal, JSON everywhere else. Callers never pass secrets.

import { pino } from "pino";
import { z } from "zod";
import { textAt } from "./json.ts";
import { cleanForTerminal } from "./terminal-text.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

type Write = (facts: Record<string, unknown>, message: string) => void;

/** The part of a logger that the modules use: facts first, then one sentence. */
export type Log = { debug: Write; info: Write; warn: Write; error: Write };

/** @param isText by default whether stderr is a terminal */
export function createLog(level: LogLevel, isText: boolean = process.stderr.isTTY === true): Log {
  const destination = pino.destination({ dest: 2, sync: true });
  if (!isText) return pino({ level, base: null }, destination);
  return pino({ level, base: null }, { write: (line) => destination.write(formatLine(line)) });
}

const entry = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().default("") });

/** A line of JSON as people read it: time in UTC, level, sentence, facts; an error's stack below. */
export function formatLine(json: string): string {
  const { level, time, msg, err, ...facts } = entry.parse(JSON.parse(json));
  const label = pino.levels.labels[level] ?? String(level);
  const at = new Date(time).toISOString().slice(11, 19);
  const text = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => {
      const shown = typeof value === "string" ? value : JSON.stringify(value);
      return ` ${name}=${inOneLine(shown)}`;
    });
  const stack = textAt(err, "stack") ?? textAt(err, "message");
  const head = `${at} ${label.padEnd(5)} ${inOneLine(msg)}${text.join("")}`;
  // Indented, so that no line of it can pass for an entry.
  const lines = [head, ...(stack ? [stack.replace(/^/gm, "  ")] : [])];
  return `${cleanForTerminal(lines.join("\n"))}\n`;
}

// A line end would begin a line that looks like an entry of its own.
function inOneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, " ⏎ ");
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
