// One JSON line per event on stderr. Callers never pass secrets.
import { pino } from "pino";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

type Write = (facts: Record<string, unknown>, message: string) => void;

/** The part of a logger that the modules use: facts first, then one sentence. */
export type Log = { debug: Write; info: Write; warn: Write; error: Write };

export function createLog(level: LogLevel): Log {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
