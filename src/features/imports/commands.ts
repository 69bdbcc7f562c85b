// starpost import and export: reviews, ratings and whole workspaces, from files and to stdout.

import fs from "node:fs";
import { type Command, command, type Outcome, type Shell } from "../../cli/command.ts";
import type { CliContext } from "../../cli/context.ts";
import { pathOf } from "../../cli/named-file.ts";
import { operate } from "../../cli/operate.ts";
import { appOption, flag, list, optional, required, workspaceFilter } from "../../cli/option.ts";
import { findOnlyWorkspace } from "../../cli/references.ts";
import type { SourceReview } from "../../domain/review/review.ts";
import { failField } from "../../domain/validation-errors.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { describeReading } from "./describe-reading.ts";
import type { Statement } from "./files/app-naming.ts";
import { type ImportSource, unreadableFile } from "./files/import-file.ts";
import { hasAccepted, type ImportResult } from "./import-result.ts";
import { importRatings, importReviews, importReviewsByApp, importWorkspace } from "./operations.ts";

const columns = list(
  "--columns <names>",
  'Columns, or fields of JSON, with other names: "rating=Stars,text=Content".',
);
export const commands: Command[] = [
  command({
    name: "import reviews",
    description: "Import reviews from JSONL, JSON, CSV or a Play Console export.",
    args: { file: required("<file>", "The file, or - for standard input.") },
    options: {
      app: { ...appOption, isRequired: false },
      allApps: flag("--all-apps", "Import each row into the app of the workspace that it names."),
      workspace: workspaceFilter("With --all-apps: the workspace."),
      columns,
      only: optional(
        "--only <column=value>",
        "Only rows with this value, of a file with several apps.",
      ),
      oneApp: flag("--one-app", "All rows are of this app, whatever an unknown column says."),
      makeIds: flag(
        "--make-ids",
        "Make ids of author, date, words and stars for a file that has none.",
      ),
      notify: flag("--notify", "Send events for new rows, whatever their date."),
      timeZone: optional(
        "--time-zone <name>",
        "Time zone of dates without one, like Europe/Berlin.",
      ),
      dryRun: flag("--dry-run", "Only show what an import would do, with three of its reviews."),
    },
    async run(context, values) {
      const source = openSource(context, values.file, parseColumns(values.columns));
      const input = {
        source,
        notify: values.notify,
        timeZone: values.timeZone,
        only: parseOnly(values.only),
        makesIds: values.makeIds,
        isOneApp: values.oneApp,
        isTrial: values.dryRun,
        confirm: context.isInteractive ? context.confirm : undefined,
        onProgress: (rowCount: number, step: "reading" | "importing") =>
          context.showProgress(`${step} … ${rowCount} rows`, source.share()),
      };
      if (!values.allApps) {
        if (values.app === "") failField("app", "is required without --all-apps");
        return importAs(context, importReviews, { id: values.app, values: input });
      }
      const workspaceId = await findWorkspace(context, values);
      return importAs(context, importReviewsByApp, { id: workspaceId, values: input });
    },
  }),
  command({
    name: "import ratings",
    description: "Import daily rating snapshots from JSONL or CSV.",
    args: { file: required("<file>", "The file, or - for standard input.") },
    options: { app: appOption, columns },
    async run(context, values) {
      const source = openSource(context, values.file, parseColumns(values.columns));
      return importAs(context, importRatings, { id: values.app, values: { source } });
    },
  }),
  command({
    name: "import workspace",
    description:
      "Import what export workspace wrote, into an installation without this workspace. Members, channels, keys and credentials are left out.",
    args: { file: required("<file>", "The file, or - for standard input.") },
    options: {},
    async run(context, { file }) {
      const source = openSource(context, file, {});
      const onProgress = (rowCount: number) =>
        context.showProgress(`${rowCount} lines`, source.share());
      const values = { source, onProgress };
      const { result, warning } = await operate(context, importWorkspace, { values });
      if (warning !== null) context.note(warning);
      if (context.isJson) return { value: result };
      const { id, imported, leftOut, rejected, rejectedCount } = result;
      const lines = rejected.map(({ line, reason }) => `line ${line}: ${reason}`);
      const made = Object.fromEntries(
        Object.entries(leftOut).map(([kind, count]) => [`${kind} (left out)`, count]),
      );
      return { value: { id, ...imported, ...made, rejected: rejectedCount }, lines };
    },
  }),
];

/** That of the app, where only that is named. */
async function findWorkspace(
  { database }: CliContext,
  { app: id, workspace }: { app: string; workspace: string | undefined },
): Promise<string> {
  if (workspace !== undefined) return workspace;
  if (id === "") return findOnlyWorkspace(database, "workspace");
  return (await requireApp(database, { id, workspaceId: null })).workspaceId;
}

function parseOnly(pair: string | undefined): Statement | undefined {
  if (pair === undefined) return undefined;
  const [, column = "", value = ""] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
  if (column === "")
    failField("only", "must be a column and its value, like app_id=com.example.notes");
  return { column, value };
}

async function importAs<Input>(
  context: CliContext & Shell,
  operation: Operation<Input, ImportResult>,
  request: { id: string; values: object },
): Promise<Outcome> {
  const { result, warning } = await operate(context, operation, request);
  if (warning !== null) context.note(warning);
  return describeImport(context, result);
}

/** For people a line for every rejected row; and the reason when nothing was imported. */
export function describeImport(
  shell: Pick<Shell, "isJson" | "note">,
  result: ImportResult,
): Outcome {
  const { rejected, rejectedCount, stopped } = result;
  const isFailed = !hasAccepted(result) || stopped !== undefined;
  if (stopped && !hasAccepted(result)) {
    shell.note(`nothing was imported: ${stopped.reason}`);
  } else if (stopped) {
    shell.note(
      `the import ended early: ${stopped.reason}; what it kept is below. Import the same file again: what is known stays as it is`,
    );
  } else if (isFailed) {
    const reason = rejectedCount > 0 ? `all ${rejectedCount} rows were rejected` : "it has no rows";
    shell.note(`nothing was imported from the file: ${reason}`);
  }
  if (shell.isJson) return { value: result, isFailed };
  const hiddenCount = rejectedCount - rejected.length;
  const lines = result.reading ? describeReading(result.reading) : [];
  lines.push(...rejected.map(({ line, reason }) => `line ${line}: ${reason}`));
  if (hiddenCount > 0) lines.push(`and ${hiddenCount} more`);
  const { stopped: _, warnings = [], warningCount = 0, samples, apps, reading, ...counts } = result;
  lines.push(...warnings.map(({ line, reason }) => `line ${line}: left out: ${reason}`));
  if (warningCount > warnings.length) lines.push(`and ${warningCount - warnings.length} more`);
  const value = {
    ...{ ...counts, rejected: rejectedCount, rejectedCount: null },
    ...(warningCount > 0 && { warnings: warningCount }),
    ...(samples && { samples: samples.map(describeSample) }),
    ...(apps && { apps }),
  };
  return { value, lines, isFailed };
}

function describeSample({ storeReviewId: id, reply, ...review }: SourceReview) {
  const { date, rating, country, version, author, title, text } = review;
  const texts = { title, text: text?.slice(0, 60), reply: reply?.text.slice(0, 60) };
  return { id, date, rating, country, version, author, ...texts };
}

type MeasuredSource = ImportSource & {
  /** How much of it was read, from 0 to 1; null for what has no known size. */
  share(): number | null;
};

/** `field=Column` each. */
function parseColumns(pairs: readonly string[] | undefined): Record<string, string> {
  const entries = (pairs ?? []).map((pair) => /^(\w+)=(.+)$/.exec(pair)?.slice(1) ?? []);
  if (entries.some((entry) => entry.length === 0)) {
    failField("columns", "must be pairs like rating=Stars, with commas between them");
  }
  return Object.fromEntries(entries);
}

/** A file, or standard input as `-`. */
function openSource(
  shell: Pick<Shell, "stdin">,
  name: string,
  columnNames: Record<string, string>,
): MeasuredSource {
  const isStdin = name === "-";
  const file = pathOf(name);
  const byteCount = isStdin ? 0 : (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  let readCount = 0;
  const chunks = {
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      readCount = 0;
      for await (const chunk of readChunks(isStdin ? shell.stdin : fs.createReadStream(file))) {
        readCount += chunk.byteLength;
        yield chunk;
      }
    },
  };
  return {
    ...{ name, columnNames, chunks },
    ...(!isStdin && { isRepeatable: true as const }),
    share: () => (byteCount > 0 ? readCount / byteCount : null),
  };
}

async function* readChunks(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  } catch (error) {
    // Only reading can fail here: errors of the consumer are not thrown into a generator.
    throw unreadableFile(messageOf(error));
  }
}
