// starpost import and export: reviews and ratings from files, and all of an app's reviews to stdout.
import fs from "node:fs";
import path from "node:path";
import { callerFolder } from "../../config/config.ts";
import { failField } from "../../domain/validation-errors.ts";
import { exportReviews } from "../../use-cases/imports/export-reviews.ts";
import { importRatings } from "../../use-cases/imports/import-ratings.ts";
import { hasAccepted, type ImportResult } from "../../use-cases/imports/import-result.ts";
import { importReviews } from "../../use-cases/imports/import-reviews.ts";
import { type ImportSource, unreadableFile } from "../../use-cases/imports/import-rows.ts";
import { type Command, command, type Outcome, type Shell } from "../command.ts";
import { csvHeader, formatCsvLine } from "../csv-line.ts";
import { flag, optional, required } from "../option.ts";

const app = required("--app <id>", "The app.");

export const fileCommands: Command[] = [
  command({
    name: "import reviews",
    description: "Import reviews from JSONL, CSV or a Play Console export.",
    args: { file: required("<file>", "The file.") },
    options: { app, notify: flag("--notify", "Send events for new rows, whatever their date.") },
    async run(shell, values) {
      const context = await shell.context();
      const result = await importReviews(context, {
        appId: values.app,
        workspaceId: null,
        source: openSource(values.file),
        notify: values.notify,
        onProgress: (rowCount) => shell.note(`${rowCount} rows`),
      });
      return describeImport(shell, result);
    },
  }),
  command({
    name: "import ratings",
    description: "Import daily rating snapshots from JSONL or CSV.",
    args: { file: required("<file>", "The file.") },
    options: { app },
    async run(shell, values) {
      const context = await shell.context();
      const source = openSource(values.file);
      return describeImport(
        shell,
        await importRatings(context, { appId: values.app, workspaceId: null, source }),
      );
    },
  }),
  command({
    name: "export reviews",
    description: "Write all reviews of an app to stdout. With --json as one array.",
    args: {},
    options: { app, format: optional("--format <format>", "jsonl (default) or csv.") },
    async run(shell, values) {
      const format = values.format ?? "jsonl";
      if (format !== "jsonl" && format !== "csv") failField("format", "must be jsonl or csv");
      if (format === "csv" && shell.isJson)
        failField("format", "csv is not JSON: leave out --json");
      const { database } = await shell.context();
      const reviews = exportReviews(database, { appId: values.app, workspaceId: null });
      if (shell.isJson) await writeArray(shell, reviews);
      else if (format === "csv") await writeCsv(shell, reviews);
      else for await (const review of reviews) await shell.write(`${JSON.stringify(review)}\n`);
      return null;
    },
  }),
];

/** For people a line for every rejected row; and the reason when nothing was imported. */
export function describeImport(
  shell: Pick<Shell, "isJson" | "note">,
  result: ImportResult,
): Outcome {
  const isFailed = !hasAccepted(result);
  const { rejected, rejectedCount } = result;
  if (isFailed) {
    const reason = rejectedCount > 0 ? `all ${rejectedCount} rows were rejected` : "it has no rows";
    shell.note(`nothing was imported from the file: ${reason}`);
  }
  if (shell.isJson) return { value: result, isFailed };
  const hiddenCount = rejectedCount - rejected.length;
  const lines = rejected.map(({ line, reason }) => `line ${line}: ${reason}`);
  if (hiddenCount > 0) lines.push(`and ${hiddenCount} more`);
  return { value: { ...result, rejected: rejectedCount, rejectedCount: null }, lines, isFailed };
}

function openSource(name: string): ImportSource {
  return { name, chunks: readChunks(name) };
}

async function* readChunks(name: string): AsyncGenerator<Uint8Array> {
  try {
    // npm runs scripts in the checkout; a relative path is meant from the user's folder.
    const file = path.resolve(callerFolder(), name);
    for await (const chunk of fs.createReadStream(file)) yield chunk;
  } catch (error) {
    // Only reading can fail here: errors of the consumer are not thrown into a generator.
    throw unreadableFile(error instanceof Error ? error.message : String(error));
  }
}

type Writer = { write(text: string): Promise<void> };
type Reviews = ReturnType<typeof exportReviews>;

async function writeArray(shell: Writer, reviews: Reviews): Promise<void> {
  let separator = "[";
  for await (const review of reviews) {
    await shell.write(`${separator}\n${JSON.stringify(review)}`);
    separator = ",";
  }
  await shell.write(separator === "[" ? "[]\n" : "\n]\n");
}

async function writeCsv(shell: Writer, reviews: Reviews): Promise<void> {
  let isFirst = true;
  for await (const review of reviews) {
    if (isFirst) await shell.write(csvHeader);
    isFirst = false;
    await shell.write(formatCsvLine(review));
  }
  if (isFirst) await shell.write(csvHeader);
}
