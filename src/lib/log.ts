// One line per event on stderr: text at a terminal, JSON everywhere else. Callers never pass secrets.
import { pino } from "pino";
import { z } from "zod";
import { textAt } from "./json.ts";

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

// A terminal would interpret what this removes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is why.
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A line of JSON as people read it: time in UTC, level, sentence, facts; an error's stack below. */
export function formatLine(json: string): string {
  const { level, time, msg, err, ...facts } = entry.parse(JSON.parse(json));
  const label = pino.levels.labels[level] ?? String(level);
  const at = new Date(time).toISOString().slice(11, 19);
  const text = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== "")
    .map(
      ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
  const stack = textAt(err, "stack") ?? textAt(err, "message");
  const lines = [`${at} ${label.padEnd(5)} ${msg}${text.join("")}`, ...(stack ? [stack] : [])];
  return `${lines.join("\n").replace(controlCharacters, "")}\n`;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
