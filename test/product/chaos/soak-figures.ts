// The figures of a soak: how the last fifth of the run compares with the second, after the warm-up.
import fs from "node:fs/promises";

export type SoakFigures = {
  seconds: number;
  reviewCount: number;
  requestCount: number;
  p99MsFirst: number;
  p99MsLast: number;
  rssMbFirst: number;
  rssMbLast: number;
};

/** The memory of the process, as Linux counts it. */
export async function readRssMb(pid: number): Promise<number> {
  const status = await fs.readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

export function summarise(run: {
  seconds: number;
  writtenCount: number;
  latencies: readonly number[];
  rssMb: readonly number[];
}): SoakFigures {
  const { latencies, rssMb } = run;
  return {
    seconds: run.seconds,
    reviewCount: run.writtenCount,
    requestCount: latencies.length,
    p99MsFirst: quantile(fifth(latencies, 1), 0.99),
    p99MsLast: quantile(fifth(latencies, 4), 0.99),
    rssMbFirst: quantile(fifth(rssMb, 1), 0.5),
    rssMbLast: quantile(fifth(rssMb, 4), 0.5),
  };
}

function fifth<T>(values: readonly T[], index: number): readonly T[] {
  const size = values.length / 5;
  return values.slice(Math.floor(index * size), Math.floor((index + 1) * size));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return Math.round(value * 10) / 10;
}
