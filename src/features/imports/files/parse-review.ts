// Parses the rows of a file as reviews of an app: its columns by the names that products and libraries have for them, and
// only rows of this app.

import type { App } from "../../../domain/feed/listing.ts";
import { madeIdPrefix, type SourceReview } from "../../../domain/review/review.ts";
import { parseReviewLink, splitTabbedTitle } from "../../../domain/store/play-link.ts";
import { hasReviewsByLanguage, storeTraits } from "../../../domain/store/store-traits.ts";
import { judgeStatements, namesAnApp, type Statement } from "./app-naming.ts";
import { createFieldFinder, isNothing, type ReadRow } from "./field-reader.ts";
import type { ImportRowOptions } from "./import-fields.ts";
import { type ImportFile, unreadableFile } from "./import-file.ts";
import { plainName, reviewNames, suggestColumns } from "./import-names.ts";
import { parseReviewRow, reviewRowSchema } from "./import-row.ts";
import { requireFields } from "./import-rows.ts";
import { earlierMadeId, type MadeIds } from "./made-ids.ts";

/** A row of the app, before its values are checked. */
export type JudgedRow = {
  read: ReadRow;
  fields: Record<string, unknown>;
  /** Names the app by what can't be compared with it. */
  unclear: Statement | null;
  /** The column that names the app as the workspace does. */
  namedBy: string | null;
  /** `id` is the review's id in Starpost. */
  hasOwnId: boolean;
  /** It has no id of its own. */
  isMade: boolean;
  isOwnExport: boolean;
};

export type ParsedReview =
  | {
      review: SourceReview;
      warning?: string;
      hasOwnId: boolean;
      /** The review may be stored under this id, which an earlier version made. */
      earlierId?: string;
    }
  | { reason: string };

export type ReviewFileOptions = ImportRowOptions & {
  columnNames?: Readonly<Record<string, string>> | undefined;
  /** Only rows with this value in this column, which the user chose: names that can't be compared are taken. */
  only?: Statement | undefined;
  /** Rows without an id get one that is made of their content. */
  makesIds?: boolean | undefined;
  /** The facts about the whole file, known before its rows are imported. */
  found?: {
    /** The ids are numbers of rows: all rows get one that is made. */
    hasRowNumbers: boolean;
    madeIds: Pick<MadeIds, "name">;
    /** Columns that name the app as the workspace does: their other values are of other apps. */
    naming: ReadonlySet<string>;
  };
};

export type ReviewReader = {
  /** null for a row that `only` leaves out. */
  judge(read: ReadRow): JudgedRow | { reason: string } | null;
  check(row: JudgedRow): ParsedReview;
  /** Both. */
  parse(read: ReadRow): ParsedReview | null;
};

/** The reason of a complete row of the Play Console that has stars alone. */
export const starsWithoutReview = "stars without a review have no id";

/** @throws AppError `invalid_input` when the columns of a CSV can't hold reviews of the app */
export function createReviewReader(
  { columns }: Pick<ImportFile, "columns">,
  input: { app: Pick<App, "store" | "externalAppId"> & { name?: string } } & ReviewFileOptions,
): ReviewReader {
  const { app, only, found } = input;
  checkColumns(columns, input);
  const schema = reviewRowSchema(input);
  const warned = new Set<string>();
  let isHelped = columns !== null;
  /** For the first row of JSON that lacks a field: how to name it. */
  const describeMissing = ({ fields, read }: JudgedRow): string => {
    const missing = ["id", "rating", "date"].filter((field) => fields[field] === undefined);
    if (isHelped || missing.length === 0 || isOwnExport(read)) return "";
    isHelped = true;
    const names = Object.keys(read.values);
    const command = suggestColumns(names, { missing, isOther: namesAnApp });
    const ids = missing.includes("id") ? ", or --make-ids where it has no ids" : "";
    return `; the row has ${names.join(", ")}. Name them: ${command}${ids}`;
  };
  const reader: ReviewReader = {
    judge(read) {
      const isNamed = (column: string): boolean =>
        only !== undefined && plainName(only.column) === plainName(column);
      if (only && textOf(read.byName(plainName(only.column))).trim() !== only.value) return null;
      const compared = read.statements.filter(({ statement }) => !isNamed(statement.column));
      const judgement = judgeStatements(app, compared);
      if (judgement.kind === "foreign") return { reason: judgement.reason };
      const completed = completeFields(read, input);
      if ("reason" in completed) return completed;
      const unclear = judgement.kind === "unclear" && !only ? judgement.statement : null;
      const namedBy = judgement.kind === "own" ? judgement.column : null;
      const facts = { hasOwnId: false, isMade: false, isOwnExport: isOwnExport(read) };
      return { read, unclear, namedBy, ...facts, ...completed };
    },
    check(row) {
      const lone = findLoneTitle(row, app);
      const parsed = parseReviewRow(
        schema,
        lone ? { ...row.fields, title: undefined } : row.fields,
      );
      if ("reason" in parsed) return { reason: parsed.reason + describeMissing(row) };
      const notes = [...row.read.emptied.map(describeEmptied), ...(lone ? [lone] : [])];
      const first = notes.filter((note) => !warned.has(note));
      for (const note of first) warned.add(note);
      const warnings = [...(parsed.warning ? [parsed.warning] : []), ...first];
      const { hasOwnId, isMade, fields } = row;
      const warning = warnings.length > 0 ? { warning: warnings.join("; ") } : {};
      if (!isMade || !found) return { review: parsed.review, hasOwnId, ...warning };
      const { review, number } = found.madeIds.name(parsed.review);
      const earlier = number === 0 ? { earlierId: earlierMadeId(fields) } : {};
      return { review, hasOwnId, ...earlier, ...warning };
    },
    parse(read) {
      const row = reader.judge(read);
      if (row === null || "reason" in row) return row;
      const { unclear } = row;
      return unclear && found?.naming.has(unclear.column)
        ? { reason: `the row is of another app: ${unclear.column} is ${unclear.value}` }
        : reader.check(row);
    },
  };
  return reader;
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function describeEmptied(word: string): string {
  return `${word} is read as empty, here and in other rows`;
}

/**
 * On a store without titles, one that stands alone is the text, as in old files of the Play Console. It may be a name where
 * another column has words.
 *
 * @returns why such a title is left out
 */
function findLoneTitle(
  { read, fields: { title, text } }: JudgedRow,
  { store }: Pick<App, "store">,
): string | null {
  const isLone = (title ?? "") !== "" && (text ?? "") === "";
  if (!isLone || storeTraits[store].hasTitles || read.byName("reviewlink") !== undefined)
    return null;
  const column = read.unread.find((name) => hasWords(read.values[name]));
  return column === undefined
    ? null
    : `title, because ${column} may be the text: --columns "text=${column}"`;
}

/** Several, unlike a code, a link or a number. */
function hasWords(value: unknown): boolean {
  return typeof value === "string" && /\p{L}\s+\p{L}/u.test(value) && !isNothing(value);
}

/** @throws AppError `invalid_input` */
function checkColumns(
  columns: readonly string[] | null,
  { app, columnNames = {}, only, makesIds = false }: Parameters<typeof createReviewReader>[1],
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

/** Each of Starpost's exports has one of these columns. */
function isOwnExport({ byName }: Pick<ReadRow, "byName">): boolean {
  return byName("translatedfrom") !== undefined || byName("analysisversion") !== undefined;
}

type Completed = { fields: Record<string, unknown>; hasOwnId?: boolean; isMade?: boolean };

/** Adds fields that follow from several columns of a row. */
function completeFields(
  read: ReadRow,
  {
    app,
    makesIds = false,
    found,
  }: { app: Pick<App, "store"> } & Pick<ReviewFileOptions, "makesIds" | "found">,
): Completed | { reason: string } {
  const { byName } = read;
  const { reviewLink, time, ...fields } = read.fields;
  if (isOwnExport(read)) return completeOwn(fields, { byName, app });
  // Google's API for an account.
  if (byName("starrating") !== undefined && byName("lastmodifiedseconds") !== undefined)
    Object.assign(fields, splitTabbedTitle(textOf(fields["text"])));
  if (typeof time === "string" && /^\d\d:\d\d/.test(time) && textOf(fields["date"]).length === 10)
    fields["date"] = `${fields["date"]} ${time}`;
  if (fields["id"] !== undefined && !found?.hasRowNumbers) return { fields };
  if (reviewLink !== undefined) {
    const id = parseReviewLink(textOf(reviewLink));
    if (id === null) return { reason: "the review link names no review" };
    return { fields: { ...fields, id } };
  }
  // The export names no id for stars without a review; an invented id would count the user twice once there is one.
  if (byName("reviewlink") === "") return { reason: starsWithoutReview };
  return makesIds ? { fields: { ...fields, id: madeIdPrefix }, isMade: true } : { fields };
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
