// The shape of a hostile input, and what its writers share.
import process from "node:process";

export type FuzzCase = {
  name: string;
  /** The sizes of two dimensions: their names, and the limit of their product. */
  dimensions: readonly [one: string, other: string];
  product: number;
  /** Makes an input; returns what reads it. */
  prepare(one: number, other: number): () => unknown;
};

export const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Rows of a text, without half of one. */
export const rows = (row: string, count: number): string =>
  row.repeat(Math.max(1, Math.floor(count)));

/** Parsers refuse by throwing errors of their own. */
export function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "AppError") throw error;
    return error.message;
  }
}

export const cpuMsMax = 50;

/** The least of four, when the first takes long: compiling and collecting garbage are not the input's. */
export function measureCpuMs(read: () => unknown, longMs = cpuMsMax): number {
  let ms = cpuMsOf(read);
  for (let again = 0; again < 3 && ms > longMs; again += 1) ms = Math.min(ms, cpuMsOf(read));
  return ms;
}

function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  attempt(work);
  return process.cpuUsage(before).user / 1_000;
}

/** `npm run fuzz`: all sizes, each measured. */
export const isMeasured = process.env["FUZZ"] === "1";

/** Splits of a product: from one long part to many short ones. */
export function splits(product: number): (readonly [number, number])[] {
  const root = Math.round(Math.sqrt(product));
  const quarter = Math.round(product ** 0.25);
  const between = isMeasured ? [quarter, root, product / quarter] : [root];
  return [1, ...between, product].map((one) => [
    Math.max(1, Math.round(one)),
    Math.max(1, Math.round(product / one)),
  ]);
}
