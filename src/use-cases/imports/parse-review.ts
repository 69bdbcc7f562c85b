// Parses the rows of a file as reviews of an app: its columns by the names that products and libraries have for them, and
// only rows of this app.
import { createHash } from "node:crypto";
import { judgeStatements, type Statement } from "../../domain/app-naming.ts";
import { createFieldFinder, createFieldReader, type ReadRow } from "../../domain/field-reader.ts";
import type { ImportRowOptions } from "../../domain/import-fields.ts";
import { plainName, reviewNames, suggestColumns } from "../../domain/import-names.ts";
import { parseReviewRow, reviewRowSchema } from "../../domain/import-row.ts";
import type { App } from "../../domain/listing.ts";
import { parseReviewLink, splitTabbedTitle } from "../../domain/play-link.ts";
import type { SourceReview } from "../../domain/review.ts";
import { hasReviewsByLanguage, storeTraits } from "../../domain/store-traits.ts";
import { type Fields, type ImportFile, unreadableFile } from "./import-file.ts";
import { requireFields } from "./import-rows.ts";

export type ParsedReview =
  | {
      review: SourceReview;
      warning?: string;
      /** Names the app by what can't be compared with it. */
      unclear?: Statement;
      /** The column that names the app as the workspace does. */
      namedBy?: string;
      /** `storeReviewId` is the review's id in Starpost. */
      hasOwnId?: true;
    }
  | { reason: string };

type ReviewFileOptions = ImportRowOptions & {
  columnNames?: Readonly<Record<string, string>> | undefined;
  /** Only rows with this value in this column, which the user chose: names that can't be compared are taken. */
  only?: Statement | undefined;
  /** Rows without an id get one that is made of author, date and text. */
  makesIds?: boolean | undefined;
};

/** The reason of a complete row of the Play Console that has stars alone. */
export const starsWithoutReview = "stars without a review have no id";

/**
 * @returns for a row that `only` leaves out null
 * @throws AppError `invalid_input` when the columns of a CSV can't hold reviews of the app
 */
export function createReviewParser(
  { columns }: Pick<ImportFile, "columns">,
  input: { app: Pick<App, "store" | "externalAppId"> & { name?: string } } & ReviewFileOptions,
): (fields: Fields) => ParsedReview | null {
  const { app, columnNames = {}, only, makesIds = false } = input;
  checkColumns(columns, input);
  const schema = reviewRowSchema(input);
  const readFields = createFieldReader(reviewNames, columnNames);
  const warned = new Set<string>();
  let isHelped = columns !== null;
  /** For the first row of JSON that lacks a field: how to name it. */
  const describeMissing = (fields: Fields, row: Fields): string => {
    const missing = ["id", "rating", "date"].filter((field) => fields[field] === undefined);
    if (isHelped || missing.length === 0 || "translatedFrom" in row) return "";
    isHelped = true;
    const names = Object.keys(row);
    return `; the row has ${names.join(", ")}. Name them: ${suggestColumns(names, missing)}`;
  };
  return (row) => {
    const read = readFields(row);
    if (only && String(read.byName(plainName(only.column)) ?? "").trim() !== only.value)
      return null;
    const compared = only
      ? read.statements.filter(
          ({ statement }) => plainName(statement.column) !== plainName(only.column),
        )
      : read.statements;
    const verdict = judgeStatements(app, compared);
    if (verdict.kind === "foreign") return { reason: verdict.reason };
    const completed = completeFields(read, { app, makesIds });
    if ("reason" in completed) return completed;
    const parsed = parseReviewRow(schema, completed.fields);
    if ("reason" in parsed)
      return { reason: parsed.reason + describeMissing(completed.fields, row) };
    const emptied = read.emptied.filter((word) => !warned.has(word));
    for (const word of emptied) warned.add(word);
    const warnings = [...(parsed.warning ? [parsed.warning] : []), ...emptied.map(describeEmptied)];
    const { review } = parsed;
    return {
      review,
      ...(warnings.length > 0 && { warning: warnings.join("; ") }),
      ...(verdict.kind === "unclear" && !only && { unclear: verdict.statement }),
      ...(verdict.kind === "own" && verdict.column !== null && { namedBy: verdict.column }),
      ...(completed.hasOwnId ? { hasOwnId: true as const } : {}),
    };
  };
}

function describeEmptied(word: string): string {
  return `${word} is read as empty, here and in other rows`;
}

/** @throws AppError `invalid_input` */
function checkColumns(
  columns: readonly string[] | null,
  { app, columnNames = {}, only, makesIds = false }: Parameters<typeof createReviewParser>[1],
): void {
  if (columns === null) return;
  const names = new Set(columns.map(plainName));
  const fields = createFieldFinder(reviewNames, columnNames)(columns);
  if (
    fields.has("reviewLink") &&
    names.has("packagename") &&
    !storeTraits[app.store].hasPlayConsole
  )
    throw unreadableFile("a Play Console export belongs to a googleplay app");
  if (only && !names.has(plainName(only.column)))
    throw unreadableFile(`it lacks the column ${only.column} of --only`);
  const needed =
    makesIds || fields.has("reviewLink") ? ["rating", "date"] : ["id", "rating", "date"];
  requireFields(columns, { table: reviewNames, columnNames, needed });
}

type Completed = { fields: Record<string, unknown>; hasOwnId?: boolean };

/** Adds fields that follow from several columns of a row. */
function completeFields(
  { fields: read, byName }: ReadRow,
  { app, makesIds }: { app: Pick<App, "store">; makesIds: boolean },
): Completed | { reason: string } {
  const { reviewLink, time, ...fields } = read;
  // Each of Starpost's exports has it.
  const isOwn = byName("translatedfrom") !== undefined || byName("analysisversion") !== undefined;
  if (isOwn) return completeOwn(fields, { byName, app });
  // Google's API for an account; its exports have a column for the title.
  if (byName("starrating") !== undefined && byName("reviewtitle") === undefined)
    Object.assign(fields, splitTabbedTitle(String(fields["text"] ?? "")));
  if (typeof time === "string" && /^\d\d:\d\d/.test(time) && String(fields["date"]).length === 10)
    fields["date"] = `${fields["date"]} ${time}`;
  if (fields["id"] !== undefined) return { fields };
  if (reviewLink !== undefined) {
    const id = parseReviewLink(String(reviewLink));
    if (id === null) return { reason: "the review link names no review" };
    return { fields: { ...fields, id } };
  }
  // The export names no id for stars without a review; an invented id would count the user twice once there is one.
  if (byName("reviewlink") === "") return { reason: starsWithoutReview };
  return { fields: makesIds ? { ...fields, id: makeId(fields) } : fields };
}

function makeId({ author, date, text }: Record<string, unknown>): string {
  const content = JSON.stringify([author ?? "", date ?? "", text ?? ""]);
  return `made-${createHash("sha256").update(content).digest("hex").slice(0, 32)}`;
}

/** Fields that only Starpost's exports have; `analysisVersion` marks the complete ones. */
const storedFields =
  `firstSeenAt editedAt removedAt isListed isDateAssumed translatedText translatedFrom versions
  language analysisVersion analysisProvider sentiment sentimentLabel sentimentScore clauseMin clauseMax topics topicScores`
    .trim()
    .split(/\s+/);

function completeOwn(
  { language: _, country, ...fields }: Record<string, unknown>,
  { byName, app }: Pick<ReadRow, "byName"> & { app: Pick<App, "store"> },
): Completed {
  const found = storedFields.map((name): [string, unknown] => [name, byName(name.toLowerCase())]);
  const stored = Object.fromEntries(found.filter(([, value]) => (value ?? "") !== ""));
  const isComplete = byName("analysisversion") !== undefined;
  const hasOwnId = (byName("storeid") ?? "") === "";
  const completed = {
    ...fields,
    // The language was found in the text and names no list that the review was read from.
    ...(byName("languagehint") !== undefined && { language: byName("languagehint") }),
    // On a store by language, too, it is the language that was found in the text.
    ...(!hasReviewsByLanguage(app.store) && { country }),
    // An erased review has Starpost's id and no longer that of its store.
    ...(isComplete && { stored: { ...stored, ...(hasOwnId && { erasedId: fields["id"] }) } }),
  };
  return { fields: completed, hasOwnId: hasOwnId && !isComplete };
}
