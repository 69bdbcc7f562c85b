// A file of reviews that arrives at a door: what its query says about it, and how many may be imported at once.
import { z } from "zod";
import { AppError, type FieldError, RateLimitedError } from "../../domain/error.ts";
import { flagText, plainText } from "../../domain/text-values.ts";
import { failFields } from "../../domain/validation-errors.ts";
import type { FileTrait, ReceivedFile } from "../../operations/operation.ts";
import type { Statement } from "./files/app-naming.ts";

const nameMax = 200;
const columnsMax = 2_000;

const importFields = z.strictObject({
  name: plainText({ max: nameMax })
    .optional()
    .describe("The name of the file: `.csv`, `.json` or `.jsonl` at its end says how to read it."),
  columns: plainText({ max: columnsMax })
    .optional()
    .describe("Columns, or fields of JSON, with other names: `rating=Stars,text=Content`."),
  only: plainText({ max: 2 * nameMax })
    .optional()
    .describe("`column=value`: only rows with this value, of a file with several apps."),
  oneApp: flagText
    .optional()
    .describe("`true`: all rows are of this app, whatever an unknown column says."),
  makeIds: flagText
    .optional()
    .describe("`true`: makes ids of author, date, words and stars for a file that has none."),
  notify: flagText.optional().describe("`true`: sends events for new rows, whatever their date."),
  timeZone: plainText({ max: nameMax })
    .optional()
    .describe("Time zone of dates without one, like `Europe/Berlin`."),
});

/** The query of the dashboard's route. */
export const importQuery = importFields.extend({ dryRun: flagText.optional() });

/** @throws AppError `invalid_input` */
export function toImport(fields: z.output<typeof importFields>, file: ReceivedFile) {
  const { name = "", columns, only, oneApp, makeIds, notify = false, timeZone } = fields;
  const { signal, chunks, isTrial } = file;
  const pairs = columns === undefined ? [] : columns.split(/,(?=\w+=)/).map(splitPair);
  const chosen = only === undefined ? undefined : splitPair(only);
  const errors: FieldError[] = [];
  if (pairs.includes(null))
    errors.push({ field: "columns", message: "must be pairs like rating=Stars" });
  if (chosen === null)
    errors.push({ field: "only", message: "must be a column and its value, like app_id=notes" });
  failFields(errors);
  const columnNames = Object.fromEntries(
    pairs.map((pair): [string, string] => [pair?.column ?? "", pair?.value ?? ""]),
  );
  const onProgress = (rowCount: number, step: "reading" | "importing"): void => {
    if (signal.aborted) throw new AppError("unavailable", "the connection was cut");
    if (step === "importing") file.onProgress(rowCount);
  };
  return {
    source: { name, chunks, columnNames, documentBytesMax },
    ...{ notify, timeZone, makesIds: makeIds === true, isOneApp: oneApp === true, isTrial },
    ...(chosen && { only: chosen }),
    onProgress,
    signal,
  };
}

/** A JSON document is in memory as a whole. */
const documentBytesMax = 16_000_000;

export const importUpload: FileTrait = {
  bytesMax: 200_000_000,
  fields: importFields,
  toInput: (fields, file) => toImport(fields as z.output<typeof importFields>, file),
};

function splitPair(text: string): Statement | null {
  const [, column = "", value = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  return column === "" ? null : { column, value };
}

const importsMax = 4;
const importing = new Set<string>();

/**
 * One import of a workspace and a few in all run at once in this process.
 *
 * @throws RateLimitedError
 */
export async function takeSlot<Result>(
  workspaceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (importing.has(workspaceId))
    throw new RateLimitedError("another import of this workspace is under way", 10);
  if (importing.size >= importsMax)
    throw new RateLimitedError("other imports are under way: try again in a minute", 60);
  importing.add(workspaceId);
  try {
    return await work();
  } finally {
    importing.delete(workspaceId);
  }
}
