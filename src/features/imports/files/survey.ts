// Looks through a file before it is imported: how its columns are read, what is not read, and what has to be asked, because a
// wrong guess would make one review of several people's, or one app of several.
import type { App } from "../../../domain/feed/listing.ts";
import type { Statement } from "./app-naming.ts";
import { isNothing, type ReadRow } from "./field-reader.ts";
import { readCountry, readLanguage, writtenTime } from "./import-fields.ts";
import { unreadableFile } from "./import-file.ts";
import { plainName } from "./import-names.ts";
import { MadeIds } from "./made-ids.ts";
import type { JudgedRow, ReviewFileOptions, ReviewReader } from "./parse-review.ts";

export type Reading = {
  rows: number;
  /** By field, the columns that it is read from. */
  fields: Record<string, string[]>;
  /** Columns that name the app of a row. */
  app: string[];
  /** Columns with values that are not read; `values` is null for more than 20. */
  notRead: { column: string; values: number | null }[];
  /** Dates with a time and without a zone, which are read in this one; null without any. */
  assumed: { zone: string; rows: number } | null;
  /** Words that were read as nothing. */
  emptied: { cell: string; rows: number }[];
  /** Rows whose id was made of their content, and those of them whose content another row has. */
  madeIds: number;
  alike: number;
  /** Rows with the id of another row: versions of one review, or the same again. */
  merged: number;
  questions: Question[];
};

/** `app`: is it this app in all rows? `ids`: are these ids? `alike`: are these rows reviews of their own? */
export type Question = {
  kind: "app" | "ids" | "alike";
  column: string | null;
  /** The values of a column that may name the app, the most frequent first. */
  values?: string[];
  sentence: string;
};

const valuesMax = 20;
const columnsMax = 200;
/** In memory while the file is looked through. */
const idsMax = 1_000_000;
const cellsMax = 50;
/** Fewer rows show no pattern. */
const patternRowsMin = 3;

type SurveyOptions = ReviewFileOptions & { isOneApp?: boolean | undefined };
type SurveyedApp = {
  app: App;
  reader: ReviewReader;
  madeIds: MadeIds;
  /** Values that can't be compared with the app, by column; and the columns that name it as the workspace does. */
  unclear: Map<string, Set<string>>;
  naming: Set<string>;
  ids: Set<string>;
};

export class Survey {
  readonly #options: SurveyOptions;
  readonly #apps = new Map<string, SurveyedApp>();
  readonly #columns = new Map<string, Map<string, number>>();
  readonly #appColumns = new Set<string>();
  /** By column; null for those with too many. */
  readonly #values = new Map<string, Map<string, number> | null>();
  readonly #emptied = new Map<string, number>();
  #rowCount = 0;
  #localCount = 0;
  /** Rows without an id, and rows whose ids may be their numbers. */
  readonly #made = { without: { rows: 0, alike: 0 }, counting: { rows: 0, alike: 0 } };
  #mergedCount = 0;
  #isOwnExport = false;
  #isCounting = true;

  constructor(options: SurveyOptions) {
    this.#options = options;
  }

  foundIn(app: App): NonNullable<ReviewFileOptions["found"]> | undefined {
    const surveyed = this.#apps.get(app.id);
    return surveyed && { ...surveyed, hasRowNumbers: this.hasRowNumbers && this.#makesIds };
  }

  get #makesIds(): boolean {
    return this.#options.makesIds === true;
  }

  /** The facts about the rows of an app, whose reader is opened for the first of them. */
  of(app: App, openReader: () => ReviewReader): SurveyedApp {
    const known = this.#apps.get(app.id);
    if (known) return known;
    const surveyed = {
      ...{ app, reader: openReader(), madeIds: new MadeIds(app), ids: new Set<string>() },
      ...{ unclear: new Map<string, Set<string>>(), naming: new Set<string>() },
    };
    this.#apps.set(app.id, surveyed);
    return surveyed;
  }

  /** @param index of the row in the file */
  add(row: JudgedRow, { app, index }: { app: SurveyedApp; index: number }): void {
    const { read, unclear, namedBy } = row;
    this.#rowCount += 1;
    this.#isOwnExport ||= row.isOwnExport;
    if (unclear) addValue(app.unclear, unclear);
    if (namedBy !== null) app.naming.add(namedBy);
    this.#addColumns(read);
    for (const cell of read.emptied) this.#addCell(cell);
    if (writtenTime(row.fields["date"]) === "local") this.#localCount += 1;
    this.#isCounting &&= isNumberOf(row.fields["id"], index);
    this.#addId(row, app);
  }

  #addColumns({ values, columns, statements }: ReadRow): void {
    for (const field in columns) {
      const column = columns[field] ?? "";
      const counts = this.#columns.get(field) ?? new Map<string, number>();
      if (counts.size === 0) this.#columns.set(field, counts);
      counts.set(column, (counts.get(column) ?? 0) + 1);
    }
    for (const { statement } of statements) this.#appColumns.add(statement.column);
    for (const column in values) {
      const known = this.#values.get(column);
      if (known === null || (known === undefined && this.#values.size >= columnsMax)) continue;
      const value = values[column];
      if ((value ?? "") === "" || isNothing(value)) continue;
      const counts = known ?? new Map<string, number>();
      const text = typeof value === "object" ? null : String(value).slice(0, 200);
      if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
      this.#values.set(column, text === null || counts.size > valuesMax ? null : counts);
    }
  }

  #addCell(cell: string): void {
    if (this.#emptied.has(cell) || this.#emptied.size < cellsMax)
      this.#emptied.set(cell, (this.#emptied.get(cell) ?? 0) + 1);
  }

  #addId(row: JudgedRow, { reader, madeIds, ids }: SurveyedApp): void {
    if (this.#options.makesIds && (row.isMade || this.#isCounting)) {
      const parsed = reader.check({ ...row, fields: { ...row.fields, id: "made" } });
      if ("reason" in parsed) return;
      const made = this.#made[row.isMade ? "without" : "counting"];
      made.rows += 1;
      if (madeIds.count(parsed.review).isAlike) made.alike += 1;
      return;
    }
    const { id } = row.fields;
    if ((typeof id !== "string" && typeof id !== "number") || ids.size >= idsMax) return;
    if (ids.has(String(id))) this.#mergedCount += 1;
    ids.add(String(id));
  }

  /** Whether the ids are the numbers of the rows, which identify nothing. */
  get hasRowNumbers(): boolean {
    const isKnown = this.#isOwnExport || this.#options.columnNames?.["id"] !== undefined;
    return this.#isCounting && this.#rowCount >= patternRowsMin && !isKnown;
  }

  /** @throws AppError `invalid_input` when the rows are of several apps that can't be compared with theirs */
  finish(): Reading {
    if (!this.#options.isOneApp) for (const app of this.#apps.values()) refuseSeveral(app);
    const read = new Set([...this.#columns.values()].flatMap((counts) => [...counts.keys()]));
    const made = this.#made[this.hasRowNumbers ? "counting" : "without"];
    const others = this.#isOwnExport
      ? []
      : [...this.#values].filter(([column]) => !read.has(column) && !this.#appColumns.has(column));
    const zone = this.#options.timeZone ?? "UTC";
    return {
      rows: this.#rowCount,
      fields: Object.fromEntries(
        [...this.#columns].map(([field, counts]) => [field, byCount(counts)]),
      ),
      app: [...this.#appColumns],
      notRead: others.map(([column, values]) => ({ column, values: values?.size ?? null })),
      assumed: this.#localCount > 0 ? { zone, rows: this.#localCount } : null,
      emptied: [...this.#emptied].map(([cell, rows]) => ({ cell, rows })),
      madeIds: made.rows,
      alike: made.alike,
      merged: this.#mergedCount,
      questions: [...this.#findAppQuestions(others), ...this.#findIdQuestions(made.alike)],
    };
  }

  #findAppQuestions(others: readonly [string, Map<string, number> | null][]): Question[] {
    const { isOneApp, only } = this.#options;
    if (isOneApp || this.#apps.size > 1) return [];
    return others.flatMap(([column, values]): Question[] => {
      if (values === null || column === only?.column) return [];
      if (!dividesRows(plainName(column), values, this.#rowCount)) return [];
      const names = byCount(values);
      const shown = `${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`;
      const sentence = `${column} has ${names.length} values (${shown}): is it the app? Import the rows of one by --only "${column}=${names[0]}", or all rows, if they are of one app, by --one-app`;
      return [{ kind: "app", column, values: names, sentence }];
    });
  }

  #findIdQuestions(alikeCount: number): Question[] {
    if (this.#options.makesIds) {
      if (alikeCount === 0 || this.#columns.has("author")) return [];
      const sentence = `no column has the author, and ${alikeCount} of ${this.#rowCount} rows have the date, words and stars of another row: each of them is imported as a review of its own`;
      return [{ kind: "alike", column: null, sentence }];
    }
    const column = this.#columns.get("id")?.keys().next().value;
    if (!this.hasRowNumbers || column === undefined) return [];
    const sentence = `${column} counts the rows, which identifies no review: make ids of author, date, words and stars by --make-ids, or use the numbers, if the source keeps them, by --columns "id=${column}"`;
    return [{ kind: "ids", column, sentence }];
  }
}

function addValue(values: Map<string, Set<string>>, { column, value }: Statement): void {
  const known = values.get(column) ?? new Set();
  values.set(column, known.size <= valuesMax ? known.add(value) : known);
}

function byCount(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** From 0 or 1 up, as tables of programs and databases number their rows. */
function isNumberOf(id: unknown, index: number): boolean {
  const number = Number(id);
  return (
    (typeof id === "string" || typeof id === "number") && (number === index || number === index + 1)
  );
}

/** As many values as an export has apps, which name something, and none that says something of a review. */
function dividesRows(name: string, values: ReadonlyMap<string, number>, rowCount: number): boolean {
  const names = [...values.keys()];
  if (names.length < 2 || names.length > valuesMax || rowCount < patternRowsMin) return false;
  if (names.length === rowCount || describesReview.test(name)) return false;
  return names.every((text) => /\p{L}/u.test(text)) && !names.every(isPlainWord);
}

/** Columns of other things with few values. */
const describesReview =
  /sentiment|emotion|mood|polarity|stat(us|e)$|type|kind|topic|categor|label|tag|device|model|manufacturer|^os|android|ios|country|region|territor|locale|lang|gender|age$|edited|hidden|verified|priority|assign|agent|team|channel|month|weekday|day$|quarter|version|build|release|plan$|avatar|image|photo|url|link|format|sort|page|crawl|scrap|import/;

function isPlainWord(text: string): boolean {
  const word = text.trim();
  return (
    /^(true|false|yes|no|y|n|t|f|on|off|positive|negative|neutral|mixed|good|bad)$/i.test(word) ||
    /^\d/.test(word) ||
    (/^[a-z]{2,3}([-_][a-z]{2})?$/i.test(word) && readCountry(word) !== null) ||
    (/^[a-z]{2}([-_][a-z]{2,4})?$/i.test(word) && readLanguage(word) !== null)
  );
}

/** @throws AppError `invalid_input` */
function refuseSeveral({ unclear, naming }: SurveyedApp): void {
  for (const [column, values] of unclear) {
    if (values.size === 1 || naming.has(column)) continue;
    const [first = "", ...more] = values;
    const shown = [first, ...more].slice(0, 5).join(", ");
    throw unreadableFile(
      `its rows are of several apps: ${column} is ${shown}${values.size > 5 ? " …" : ""}. Choose those of the app: --only "${column}=${first}", or import them into the apps that they name: --all-apps`,
    );
  }
}
