// The result of an import: every row is counted once, and every rejected one has a reason.
import type { z } from "zod";
import type { App } from "../../domain/feed/listing.ts";
import type { SourceReview } from "../../domain/review/review.ts";
import { judgeStatements } from "./files/app-naming.ts";
import { createFieldReader } from "./files/field-reader.ts";
import type { Fields, ImportFile, ImportSource, RowPosition } from "./files/import-file.ts";
import { ratingNames } from "./files/import-names.ts";
import { describeRowErrors } from "./files/import-row.ts";
import type { Reading } from "./files/survey.ts";

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
  /** Rows that `only` left out; absent without any. */
  skipped?: number;
  /** Those of an import into the apps of a workspace, whose counts are the sums. */
  apps?: { id: string; inserted: number; updated: number; unchanged: number }[];
  /** The first rows with values that were left out, and how many there are; absent without any. */
  warnings?: { line: number; reason: string }[];
  warningCount?: number;
  /** How a file of reviews was read. */
  reading?: Reading;
  /** Only in a trial run at a door: needed fields, and the columns of the header that may hold them. */
  missing?: { fields: readonly string[]; columns: readonly string[] };
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
  row: RowPosition & { reason: string },
): void {
  result.rejectedCount += 1;
  if (result.rejected.length < rejectedShownMax) result.rejected.push(describeRow(row));
}

function describeRow({ line, part, reason }: RowPosition & { reason: string }) {
  return { line, reason: part === undefined ? reason : `review ${part}: ${reason}` };
}

export function warnOfRow(result: ImportResult, row: RowPosition & { reason: string }): void {
  result.warningCount = (result.warningCount ?? 0) + 1;
  result.warnings ??= [];
  if (result.warnings.length < rejectedShownMax) result.warnings.push(describeRow(row));
}

/** The result of one app of several: rejected rows stay in the order of the file. */
export function addResult(
  result: ImportResult,
  { id, part }: { id: string; part: ImportResult },
): void {
  const { inserted, updated, unchanged } = part;
  result.apps?.push({ id, inserted, updated, unchanged });
  for (const name of ["inserted", "updated", "unchanged", "rejectedCount", "queued"] as const)
    result[name] += part[name];
  for (const name of ["earlierVersions", "starsOnly", "skipped", "warningCount"] as const) {
    const count = (result[name] ?? 0) + (part[name] ?? 0);
    if (count > 0) result[name] = count;
  }
  const byLine = (one: { line: number }, other: { line: number }) => one.line - other.line;
  const rejected = [...result.rejected, ...part.rejected].sort(byLine);
  result.rejected = rejected.slice(0, rejectedShownMax);
  if (part.warnings) result.warnings = [...(result.warnings ?? []), ...part.warnings].sort(byLine);
  if (part.samples) result.samples = [...(result.samples ?? []), ...part.samples].slice(0, 3);
}

/** The rows of the app that the schema takes, in their order; the others are rejected in the result. */
export async function* takeRows<Row>(
  file: ImportFile,
  input: {
    app: Pick<App, "store" | "externalAppId">;
    schema: z.ZodType<Row>;
    columnNames?: Readonly<Record<string, string>> | undefined;
    result: ImportResult;
  },
): AsyncGenerator<Row> {
  const { app, schema, result } = input;
  const readFields = createFieldReader(ratingNames, input.columnNames);
  const parse = (row: Fields) => {
    const { fields, statements } = readFields(row);
    const judgement = judgeStatements(app, statements);
    return judgement.kind === "foreign" ? judgement : schema.safeParse(fields);
  };
  for await (const row of file.rows) {
    const parsed = "fields" in row ? parse(row.fields) : row;
    if ("success" in parsed && parsed.success) {
      yield parsed.data;
      continue;
    }
    const reason = "reason" in parsed ? parsed.reason : describeRowErrors(parsed.error);
    rejectRow(result, { ...row, reason });
  }
}

/** Whether any row was accepted, or is fine as it is. */
export function hasAccepted(result: ImportResult): boolean {
  const { inserted, updated, unchanged, starsOnly = 0 } = result;
  return inserted + updated + unchanged + starsOnly > 0;
}
