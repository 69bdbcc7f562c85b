// starpost export: reviews, ratings and whole workspaces, to stdout.

import { type Command, command, type Shell } from "../../cli/command.ts";
import type { CliContext } from "../../cli/context.ts";
import { operate } from "../../cli/operate.ts";
import { appOption, flag, optional, workspaceOption } from "../../cli/option.ts";
import { daySchema } from "../../domain/fields.ts";
import { createReviewCsv } from "../../domain/review/review-csv.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import type { Operation } from "../../operations/operation.ts";
import { exportRatings } from "./export-ratings.ts";
import { type ExportedReview, exportReviews } from "./export-reviews.ts";
import { exportWorkspace } from "./export-workspace.ts";
import * as operations from "./operations.ts";

const formats = ["jsonl", "csv"] as const;
const optionalDay = daySchema.optional();

export const commands: Command[] = [
  command({
    name: "export reviews",
    description: "Write all reviews of an app to stdout. With --json as one array.",
    options: {
      app: appOption,
      from: optional("--from <day>", "Only reviews of this UTC day or later, YYYY-MM-DD."),
      to: optional("--to <day>", "Only reviews of this UTC day or earlier."),
      format: { ...optional("--format <format>", "jsonl (default) or csv."), values: formats },
      raw: flag("--raw", "CSV for programs: texts that begin like a formula stay as they are."),
    },
    async run(context, { app: appId, format = "jsonl", raw, ...range }) {
      const from = parseField(optionalDay, { field: "from", value: range.from });
      const to = parseField(optionalDay, { field: "to", value: range.to });
      if (from && to && from > to) failField("from", "must not be after --to");
      if (format !== "jsonl" && format !== "csv") failField("format", "must be jsonl or csv");
      if (format === "csv" && context.isJson)
        failField("format", "csv is not JSON: leave out --json");
      const input = { format, ...(from && { from }), ...(to && { to }) };
      await recorded(context, operations.exportReviewsOfApp, { id: appId, values: input });
      const reviews = exportReviews(context.database, { appId, workspaceId: null, from, to });
      if (format === "jsonl") return writeRows(context, reviews);
      const toText = (review: Parameters<typeof formatReviewLine>[0]) =>
        formatReviewLine(review, raw);
      return writeRows(context, reviews, { header: csvHeader, toText });
    },
  }),
  command({
    name: "export ratings",
    description: "Write all daily ratings of an app to stdout. With --json as one array.",
    options: { app: appOption },
    async run(context, { app: id }) {
      const app = await recorded(context, operations.exportRatings, { id });
      return writeRows(context, exportRatings(context.database, app));
    },
  }),
  command({
    name: "export workspace",
    description:
      "Write everything of a workspace to stdout as lines of JSON, without secrets. With --json as one array.",
    options: { workspace: workspaceOption("The workspace.") },
    async run(context, { workspace: id }) {
      await recorded(context, operations.exportWorkspace, { id });
      return writeRows(context, exportWorkspace(context, { id }));
    },
  }),
];

/** The audit log has the read before anything leaves. */
async function recorded<Input, Result>(
  context: CliContext,
  ...read: [Operation<Input, Result>, { id: string; values?: object }]
): Promise<Result> {
  return (await operate(context, ...read)).result;
}

/** A line for each row, or one array with --json; and progress for a person who sends them into a file or pipe. */
async function writeRows<Row extends object>(
  shell: Shell,
  batches: AsyncIterable<Row[]>,
  format: { header: string; toText(row: Row): string } = {
    header: "",
    toText: (row) => `${JSON.stringify(row)}\n`,
  },
): Promise<null> {
  const isShown = shell.isInteractive && shell.stdout.isTTY !== true;
  let count = 0;
  let start = shell.isJson ? "[" : format.header;
  for await (const rows of batches) {
    const texts = rows.map((row, index) => {
      const separator = count + index === 0 ? "\n" : ",\n";
      return shell.isJson ? `${separator}${JSON.stringify(row)}` : format.toText(row);
    });
    await shell.write(start + texts.join(""));
    start = "";
    count += rows.length;
    if (isShown && count > 0) shell.showProgress(`${count} lines`);
  }
  if (shell.isJson) await shell.write(`${start}${count === 0 ? "" : "\n"}]\n`);
  return null;
}

const columns = `
  id store externalAppId author rating title text translatedText translatedFrom
  version country date sentimentLabel sentimentScore topics ownTopics topicScores storeId
  language languageHint analysisVersion analysisProvider votes clauseMin clauseMax device osVersion
  submittedAt firstSeenAt editedAt isDateAssumed isListed removedAt replyText replyDate versions
`
  .trim()
  .split(/\s+/);

const safe = createReviewCsv(columns);
const raw = createReviewCsv(columns, { isRaw: true });

export const csvHeader = safe.header;

/** `isRaw` keeps texts as they are, also those that a spreadsheet would run as formulas. */
export function formatReviewLine(review: ExportedReview, isRaw: boolean): string {
  return (isRaw ? raw : safe).formatLine(review);
}
