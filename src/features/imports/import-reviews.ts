// Imports a file of reviews into an app, or into the apps of a workspace that its rows name: row by row, in the file's
// order. Good rows are saved whatever the others are.

import type { Database } from "../../database/database.ts";
import { digestScheduleFields } from "../../domain/channel/digest-rhythm.ts";
import { AppError } from "../../domain/error.ts";
import type { App } from "../../domain/feed/listing.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { messageOf } from "../../lib/errors.ts";
import { createYield } from "../../lib/event-loop-yield.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { judgeStatements, type Statement } from "./files/app-naming.ts";
import { createFieldReader, type ReadRow } from "./files/field-reader.ts";
import { type ImportFile, MissingColumnsError, type RowPosition } from "./files/import-file.ts";
import { reviewNames } from "./files/import-names.ts";
import { readImportFile } from "./files/import-rows.ts";
import { createReviewReader, starsWithoutReview } from "./files/parse-review.ts";
import { withRepeatedSource } from "./files/repeated-source.ts";
import { type Question, Survey } from "./files/survey.ts";
import { createBatches, type ImportReviewsDeps } from "./import-batches.ts";
import {
  addResult,
  emptyResult,
  hasAccepted,
  type ImportInput,
  type ImportResult,
  rejectRow,
  warnOfRow,
} from "./import-result.ts";

export type ImportOptions = {
  /** Whether rows count as first seen now, and are announced whatever their date; else nothing is. */
  notify: boolean;
  /** The zone of dates without one, by its name in the IANA database; UTC by default. */
  timeZone?: string | undefined;
  /** Only the rows with this value in this column. */
  only?: Statement | undefined;
  /** Makes ids of their content for rows without one. */
  makesIds?: boolean;
  /** All rows are of the app, whatever an unknown column says. */
  isOneApp?: boolean;
  /** Compare with what is stored, and save nothing. */
  isTrial?: boolean;
  /** Asks a person; without it an open question stops the import. */
  confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** Set at a door, whose answer may have begun: a failure is part of the result, whatever was kept. */
  signal?: AbortSignal;
  /** Called now and then with the rows read so far: `reading` while the file is looked through. */
  onProgress?: (rowCount: number, step: "reading" | "importing") => void;
};

/** Finds the app of a row. */
type FindApp = (read: ReadRow) => App | { reason: string };

/** @throws AppError `invalid_input` when the file can't hold reviews of the app, `not_found` without such an app */
export async function importReviews(
  deps: ImportReviewsDeps,
  input: ImportInput & ImportOptions,
): Promise<ImportResult> {
  const { appId: id, workspaceId } = input;
  checkTimeZone(input);
  const app = await requireApp(deps.database, { id, workspaceId });
  return withRepeatedSource(input.source, (source) =>
    importSurveyed(deps, { input: { ...input, source }, app, findApp: () => app }),
  );
}

/**
 * Each row into the app of the workspace that it names by its id in the store, or else by its name. Rows that name no such
 * app are rejected.
 *
 * @throws AppError `invalid_input` when the file can't hold reviews
 */
export async function importReviewsOfApps(
  deps: ImportReviewsDeps & { database: Pick<Database, "listApps"> },
  input: Omit<ImportInput, "appId"> & { workspaceId: string } & ImportOptions & {
      /** The dependencies that save the rows of one app; `deps` by default. */
      openApp?(app: App): ImportReviewsDeps;
    },
): Promise<ImportResult> {
  checkTimeZone(input);
  const apps = await deps.database.listApps({ workspaceId: input.workspaceId });
  const findApp: FindApp = ({ statements }) => {
    const app = findStatedApp(apps, statements);
    if (app) return app;
    const named = statements.map(({ statement }) => `${statement.column} is ${statement.value}`);
    const columns = named.join(", ") || "no column names one";
    return { reason: `the row names no app of the workspace (${columns})` };
  };
  return withRepeatedSource(input.source, (source) => {
    const all = { ...input, source, isOneApp: true };
    const { openApp } = input;
    return importSurveyed(deps, { input: all, app: null, findApp, ...(openApp && { openApp }) });
  });
}

/**
 * An export of Starpost, which needs no look at how it is read.
 *
 * @throws AppError `not_found` without such an app
 */
export async function importOwnExport(
  deps: ImportReviewsDeps,
  input: ImportInput,
): Promise<ImportResult> {
  const { appId: id, workspaceId } = input;
  const app = await requireApp(deps.database, { id, workspaceId });
  const all = { ...input, notify: false };
  return importRows(deps, { input: all, app, findApp: () => app, survey: null });
}

type Import = {
  input: Omit<ImportInput, "appId"> & ImportOptions;
  /** null where each row names its own. */
  app: App | null;
  findApp: FindApp;
  openApp?: (app: App) => ImportReviewsDeps;
  /** null without one. */
  survey: Survey | null;
};

async function importSurveyed(
  deps: ImportReviewsDeps,
  imported: Omit<Import, "survey">,
): Promise<ImportResult> {
  const { input } = imported;
  const survey = await surveyFile(deps, imported);
  const reading = survey.finish();
  const open = input.isTrial ? [] : await listOpenQuestions(reading.questions, input);
  if (open.length > 0) return { ...emptyResult(), reading, stopped: { reason: open.join("; ") } };
  const result = await importRows(deps, { ...imported, survey });
  return { ...result, reading };
}

/** Rows that are alike are imported where nobody can be asked: each time as the same reviews. */
async function listOpenQuestions(
  questions: readonly Question[],
  { confirm }: Pick<ImportOptions, "confirm">,
): Promise<string[]> {
  const open: string[] = [];
  for (const { kind, sentence } of questions) {
    const isAnswered = confirm ? await confirm(`${sentence}. Go on?`) : kind === "alike";
    if (!isAnswered) open.push(sentence);
  }
  return open;
}

const progressRows = 1_000;

async function surveyFile(
  deps: ImportReviewsDeps,
  { input, app: only, findApp }: Omit<Import, "survey">,
): Promise<Survey> {
  const file = await readImportFile(input.source);
  const chosen = readerOptions(deps, input);
  const missing = only && findMissingId(file, { ...chosen, app: only });
  const options = { ...chosen, ...(missing && { makesIds: true }) };
  const survey = new Survey(options);
  if (only) survey.of(only, () => createReviewReader(file, { ...options, app: only }));
  const readFields = createFieldReader(reviewNames, input.source.columnNames);
  let rowCount = 0;
  // The rows of a document are all there at once.
  const yieldNow = createYield();
  for await (const row of file.rows) {
    await yieldNow();
    rowCount += 1;
    if (rowCount % progressRows === 0) input.onProgress?.(rowCount, "reading");
    if (!("fields" in row)) continue;
    const read = readFields(row.fields);
    const app = findApp(read);
    if ("reason" in app) continue;
    const surveyed = survey.of(app, () => createReviewReader(file, { ...options, app }));
    const judged = surveyed.reader.judge(read);
    if (judged && !("reason" in judged)) survey.add(judged, { app: surveyed, index: rowCount - 1 });
  }
  if (missing) {
    const { alike, rows } = survey.finish();
    const counts = `${alike} of ${rows} rows have the author, date, words and stars of another row`;
    throw new MissingColumnsError(`${missing.message}, ${counts}`, missing);
  }
  return survey;
}

/** The failure of a CSV that could be imported with ids that are made, or null. @throws AppError `invalid_input` */
function findMissingId(
  file: ImportFile,
  options: Parameters<typeof createReviewReader>[1],
): MissingColumnsError | null {
  try {
    createReviewReader(file, options);
    return null;
  } catch (error) {
    if (!(error instanceof MissingColumnsError) || options.makesIds) throw error;
    if (!canRead(file, { ...options, makesIds: true })) throw error;
    return error;
  }
}

function canRead(...input: Parameters<typeof createReviewReader>): boolean {
  try {
    createReviewReader(...input);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function readerOptions(
  { clock }: Pick<ImportReviewsDeps, "clock">,
  { source, timeZone, only, makesIds, isOneApp }: Import["input"],
) {
  const { columnNames } = source;
  return { now: clock.now(), columnNames, timeZone, only, makesIds, isOneApp };
}

async function importRows(
  deps: ImportReviewsDeps,
  { input, app: only, findApp, openApp = () => deps, survey }: Import,
): Promise<ImportResult> {
  const file = await readImportFile(input.source);
  const readFields = createFieldReader(reviewNames, input.source.columnNames);
  const targets = new Map<string, Target>();
  const result: ImportResult = { ...emptyResult(), ...(!only && { apps: [] }) };
  const work = async (): Promise<void> => {
    let rowCount = 0;
    const yieldNow = createYield();
    for await (const row of file.rows) {
      await yieldNow();
      rowCount += 1;
      if (rowCount % progressRows === 0) input.onProgress?.(rowCount, "importing");
      const read = "fields" in row ? readFields(row.fields) : null;
      const app = read ? findApp(read) : row;
      if (!read || "reason" in app || "fields" in app) {
        rejectRow(result, { ...row, reason: "reason" in app ? app.reason : "" });
        continue;
      }
      const target = targets.get(app.id) ?? openTarget(openApp(app), { app, file, input, survey });
      targets.set(app.id, target);
      await target.add(row, read);
    }
    for (const target of targets.values()) await target.end();
    input.onProgress?.(rowCount, "importing");
  };
  return endWithResult(result, { deps, isUpload: input.signal !== undefined }, async () => {
    try {
      await work();
    } finally {
      for (const [id, target] of targets) addResult(result, { id, part: target.result });
    }
  });
}

function findStatedApp(
  apps: readonly App[],
  statements: Parameters<typeof judgeStatements>[1],
): App | undefined {
  const judgements = apps.map((app) => ({ app, judgement: judgeStatements(app, statements) }));
  const own = judgements.flatMap(({ app, judgement }) =>
    judgement.kind === "own" ? [{ app, isById: judgement.isById }] : [],
  );
  return (own.find(({ isById }) => isById) ?? own[0])?.app;
}

type Target = {
  add(row: RowPosition, read: ReadRow): Promise<void>;
  end(): Promise<void>;
  result: ImportResult;
};

/** @throws AppError `invalid_input` when the columns can't hold reviews of the app */
function openTarget(
  deps: ImportReviewsDeps,
  {
    app,
    file,
    input,
    survey,
  }: { app: App; file: ImportFile; input: Import["input"]; survey: Survey | null },
): Target {
  const { notify, isTrial = false } = input;
  const found = survey?.foundIn(app);
  const options = { ...readerOptions(deps, input), app, ...(found && { found }) };
  const reader = createReviewReader(file, options);
  const result: ImportResult = { ...emptyResult(), ...(isTrial && { samples: [] }) };
  const batches = createBatches(deps, { app, notify, isTrial, result });
  return {
    result,
    async add({ line, part }, read) {
      const position = { line, ...(part !== undefined && { part }) };
      const parsed = reader.parse(read);
      if (parsed === null) {
        result.skipped = (result.skipped ?? 0) + 1;
      } else if ("reason" in parsed) {
        rejectRow(result, { ...position, reason: parsed.reason });
        if (parsed.reason === starsWithoutReview) result.starsOnly = (result.starsOnly ?? 0) + 1;
      } else {
        if (parsed.warning !== undefined)
          warnOfRow(result, { ...position, reason: parsed.warning });
        await batches.add({ ...parsed, line });
      }
    },
    end: () => batches.end(),
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
  { deps, isUpload }: { deps: ImportReviewsDeps; isUpload: boolean },
  work: () => Promise<void>,
): Promise<ImportResult> {
  try {
    await work();
    // Some are found when their batch is saved.
    result.rejected.sort((one, other) => one.line - other.line);
    return result;
  } catch (error) {
    if (!hasAccepted(result) && !isUpload) throw error;
    const { describeFailure = describeInternal } = deps;
    const reason = error instanceof AppError ? error.message : describeFailure(error);
    return { ...result, stopped: { reason } };
  }
}

/** For the operator. */
function describeInternal(error: unknown): string {
  return `internal error: ${messageOf(error)}`;
}
