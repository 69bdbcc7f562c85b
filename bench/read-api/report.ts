// Prints figures as a table for people and as one line of JSON for programs.
import os from "node:os";

export type Figure = {
  part: string;
  what: string;
  value: number;
  unit: string;
  /** The target, e.g. `≥ 0.5`; empty for a figure without one. */
  limit: string;
};

export function printFigures(figures: readonly Figure[], about: object): void {
  const rows = figures.map(({ part, what, value, unit, limit }) => [
    `(${part})`,
    what,
    `${round(value)}${unit ? ` ${unit}` : ""}`,
    limit,
    isReached({ value, limit }),
  ]);
  const table = [["", "what", "measured", "limit", ""], ["-", "-", "-", "-", "-"], ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
  process.stdout.write(`${table}\n`);
  const machine = { node: process.version, cpus: os.availableParallelism(), ...about };
  const rounded = figures.map((figure) => ({ ...figure, value: round(figure.value) }));
  process.stdout.write(`${JSON.stringify({ ...machine, figures: rounded })}\n`);
}

function isReached({ value, limit }: { value: number; limit: string }): string {
  const [sign, bound] = limit.split(" ");
  if (sign === undefined || bound === undefined) return "";
  const isMet = sign === "≥" ? value >= Number(bound) : value <= Number(bound);
  return isMet ? "reached" : "missed";
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** A disturbance of the machine in one round does not decide the median. */
export function medianOf(values: readonly number[]): number {
  return percentileOf(values, 50);
}

export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
