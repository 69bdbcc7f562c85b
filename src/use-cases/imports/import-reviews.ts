// Imports a file of reviews into an app, or into the apps of a workspace that its rows name: row by row, in the file's
// order. Good rows are saved whatever the others are.

import type { Database } from "../../database/database.ts";
import { judgeStatements, type Statement } from "../../domain/app-naming.ts";
import { digestScheduleFields } from "../../domain/digest-rhythm.ts";
import { AppError } from "../../domain/error.ts";
import { createFieldReader } from "../../domain/field-reader.ts";
import { reviewNames } from "../../domain/import-names.ts";
import type { App } from "../../domain/listing.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { messageOf } from "../../lib/errors.ts";
import { requireApp } from "../apps/apps.ts";
import { HeldRows } from "./held-rows.ts";
import { createBatches, type ImportedRow, type ImportReviewsDeps } from "./import-batches.ts";
import type { ImportFile, ImportRow } from "./import-file.ts";
import {
  addResult,
  emptyResult,
  hasAccepted,
  type ImportInput,
  type ImportResult,
  rejectRow,
  warnOfRow,
} from "./import-result.ts";
import { readImportFile } from "./import-rows.ts";
import { createReviewParser, starsWithoutReview } from "./parse-review.ts";

type ImportOptions = {
  /** Whether rows count as first seen now, and are announced whatever their date; else nothing is. */
  notify: boolean;
  /** The zone of dates without one, by its name in the IANA database; UTC by default. */
  timeZone?: string | undefined;
  /** Only the rows with this value in this column. */
  only?: Statement | undefined;
  /** Makes ids of author, date and text for rows without one. */
  makesIds?: boolean;
  /** Compare with what is stored, and save nothing. */
  isTrial?: boolean;
  /** Called now and then with the rows read so far. */
  onProgress?: (rowCount: number) => void;
};

/** @throws AppError `invalid_input` when the file can't hold reviews of the app, `not_found` without such an app */
export async function importReviews(
  deps: ImportReviewsDeps,
  input: ImportInput & ImportOptions,
): Promise<ImportResult> {
  const { appId: id, workspaceId } = input;
  checkTimeZone(input);
  const app = await requireApp(deps.database, { id, workspaceId });
  const file = await readImportFile(input.source);
  const target = openTarget(deps, { app, file, input });
  return endWithResult(target.result, async () => {
    let rowCount = 0;
    for await (const row of file.rows) {
      rowCount += 1;
      await target.add(row);
      if (rowCount % progressRows === 0) input.onProgress?.(rowCount);
    }
    await target.end();
    input.onProgress?.(rowCount);
  });
}

const progressRows = 1_000;

/**
 * Each row into the app of the workspace that it names by its id in the store, or else by its name. Rows that name no such
 * app are rejected.
 *
 * @throws AppError `invalid_input` when the file can't hold reviews
 */
export async function importReviewsOfApps(
  deps: ImportReviewsDeps & { database: Pick<Database, "listApps"> },
  input: Omit<ImportInput, "appId"> & { workspaceId: string } & ImportOptions,
): Promise<ImportResult> {
  checkTimeZone(input);
  const apps = await deps.database.listApps({ workspaceId: input.workspaceId });
  const file = await readImportFile(input.source);
  const readFields = createFieldReader(reviewNames, input.source.columnNames);
  const targets = new Map<string, Target>();
  const result: ImportResult = { ...emptyResult(), apps: [] };
  const work = async (): Promise<void> => {
    let rowCount = 0;
    for await (const row of file.rows) {
      rowCount += 1;
      if (rowCount % progressRows === 0) input.onProgress?.(rowCount);
      const { statements } = "fields" in row ? readFields(row.fields) : { statements: [] };
      const app = findStatedApp(apps, statements);
      if (!app) {
        const named = statements.map(
          ({ statement }) => `${statement.column} is ${statement.value}`,
        );
        const reason = `the row names no app of the workspace (${named.join(", ") || "no column names one"})`;
        rejectRow(result, { line: row.line, reason: "reason" in row ? row.reason : reason });
        continue;
      }
      const target = targets.get(app.id) ?? openTarget(deps, { app, file, input });
      targets.set(app.id, target);
      await target.add(row);
    }
    for (const target of targets.values()) await target.end();
  };
  const ended = endWithResult(result, async () => {
    try {
      await work();
    } finally {
      for (const [id, target] of targets) addResult(result, { id, part: target.result });
    }
  });
  return ended;
}

function findStatedApp(
  apps: readonly App[],
  statements: Parameters<typeof judgeStatements>[1],
): App | undefined {
  const verdicts = apps.map((app) => ({ app, verdict: judgeStatements(app, statements) }));
  const own = verdicts.flatMap(({ app, verdict }) =>
    verdict.kind === "own" ? [{ app, isById: verdict.isById }] : [],
  );
  return (own.find(({ isById }) => isById) ?? own[0])?.app;
}

type Target = { add(row: ImportRow): Promise<void>; end(): Promise<void>; result: ImportResult };

/** @throws AppError `invalid_input` when the columns can't hold reviews of the app */
function openTarget(
  deps: ImportReviewsDeps,
  {
    app,
    file,
    input,
  }: {
    app: App;
    file: ImportFile;
    input: Omit<ImportInput, "appId"> & ImportOptions;
  },
): Target {
  const { source, notify, isTrial = false, ...options } = input;
  const { columnNames } = source;
  const parse = createReviewParser(file, { app, now: deps.clock.now(), columnNames, ...options });
  const result: ImportResult = { ...emptyResult(), ...(isTrial && { samples: [] }) };
  const batches = createBatches(deps, { app, notify, isTrial, result });
  const held = new HeldRows<ImportedRow>();
  const take = async (row: ImportedRow): Promise<void> => {
    if (row.warning !== undefined) warnOfRow(result, { line: row.line, reason: row.warning });
    await batches.add(row);
  };
  return {
    result,
    async add(row) {
      const { line } = row;
      const parsed = "fields" in row ? parse(row.fields) : row;
      if (parsed === null) {
        result.skipped = (result.skipped ?? 0) + 1;
      } else if ("reason" in parsed) {
        rejectRow(result, { line, reason: parsed.reason });
        if (parsed.reason === starsWithoutReview) result.starsOnly = (result.starsOnly ?? 0) + 1;
      } else if (!held.hold({ ...parsed, line })) {
        await take({ ...parsed, line });
      }
    },
    async end() {
      for (const row of held.settle()) {
        if ("reason" in row) rejectRow(result, { line: row.line, reason: row.reason });
        else await take(row);
      }
      await batches.end();
    },
  };
}

/** @throws AppError `invalid_input` */
function checkTimeZone({ timeZone }: ImportOptions): void {
  const schema = digestScheduleFields.timeZone.optional();
  parseField(schema, { field: "timeZone", value: timeZone });
}

/** The result reports saved rows however the import ends: its failure is part of the result. */
async function endWithResult(
  result: ImportResult,
  work: () => Promise<void>,
): Promise<ImportResult> {
  try {
    await work();
    // Some are found when their batch is saved.
    result.rejected.sort((one, other) => one.line - other.line);
    return result;
  } catch (error) {
    if (!hasAccepted(result)) throw error;
    const message = messageOf(error);
    const reason = error instanceof AppError ? message : `internal error: ${message}`;
    return { ...result, stopped: { reason } };
  }
}
