// The result of an import: every row is counted once, and every rejected one has a reason.
import type { z } from "zod";
import { describeRowErrors } from "../../domain/import-row.ts";
import type { SourceReview } from "../../domain/review.ts";
import type { ImportFile, ImportSource } from "./import-rows.ts";

export type ImportResult = {
  inserted: number;
  updated: number;
  unchanged: number;
  /** Those of them that were kept as earlier versions of their reviews, because they are older; absent without any. */
  earlierVersions?: number;
  /** The first of them, by the line each begins on; `rejectedCount` counts them all. */
  rejected: { line: number; reason: string }[];
  rejectedCount: number;
  /** Those of them that are stars without a review, as a Play Console export has them; absent without any. */
  starsOnly?: number;
  /** The first rows with values that were left out, and how many there are; absent without any. */
  warnings?: { line: number; reason: string }[];
  warningCount?: number;
  /** The result of a trial run, which saves nothing: the first reviews as they would be imported. */
  samples?: SourceReview[];
  /** Deliveries. */
  queued: number;
  /** Only where the import ended early: the rest of the file was not imported. The same file can be imported again. */
  stopped?: { reason: string };
};

/** Options of every import. */
export type ImportInput = {
  appId: string;
  workspaceId: string | null;
  source: ImportSource;
};

// A file that holds only bad rows must not fill the memory with reasons.
const rejectedShownMax = 1_000;

export function emptyResult(): ImportResult {
  return { inserted: 0, updated: 0, unchanged: 0, rejected: [], rejectedCount: 0, queued: 0 };
}

export function rejectRow(
  result: Pick<ImportResult, "rejected" | "rejectedCount">,
  row: { line: number; reason: string },
): void {
  result.rejectedCount += 1;
  if (result.rejected.length < rejectedShownMax) result.rejected.push(row);
}

export function warnOfRow(result: ImportResult, row: { line: number; reason: string }): void {
  result.warningCount = (result.warningCount ?? 0) + 1;
  result.warnings ??= [];
  if (result.warnings.length < rejectedShownMax) result.warnings.push(row);
}

/** The rows that the schema takes, in their order; the others are rejected in the result. */
export async function* takeRows<Row>(
  file: ImportFile,
  { schema, result }: { schema: z.ZodType<Row>; result: ImportResult },
): AsyncGenerator<Row> {
  for await (const row of file.rows) {
    const parsed = "fields" in row ? schema.safeParse(row.fields) : row;
    if ("success" in parsed && parsed.success) {
      yield parsed.data;
      continue;
    }
    const reason = "reason" in parsed ? parsed.reason : describeRowErrors(parsed.error);
    rejectRow(result, { line: row.line, reason });
  }
}

/** Whether any row was accepted, or is fine as it is. */
export function hasAccepted(result: ImportResult): boolean {
  const { inserted, updated, unchanged, starsOnly = 0 } = result;
  return inserted + updated + unchanged + starsOnly > 0;
}
