// Reads a row of an import by the names of its columns: fields in Starpost's names, what it says about its app, and
// which cells hold a word for nothing. Rows with the same columns share one plan.
import { parseJson, valueAt } from "../lib/json.ts";
import { namesApp, rankOfStatement, readStoreName, type Statement } from "./app-naming.ts";
import { type FieldNames, indexNames, plainName } from "./import-names.ts";

type Fields = Readonly<Record<string, unknown>>;

export type ReadRow = {
  fields: Record<string, unknown>;
  /** By rank: ids before names. */
  statements: { name: string; statement: Statement }[];
  /** Cells that were read as empty, as `column: word`. */
  emptied: string[];
  /** The row's values by plain name. */
  byName(name: string): unknown;
};

type ReadFields = (row: Fields) => ReadRow;

type Plan = {
  columns: ReadonlyMap<string, string>;
  fields: readonly { field: string; columns: readonly string[] }[];
  statements: readonly { name: string; column: string }[];
};

/** Far more than a file has; rows of any keys must not fill the memory. */
const plansMax = 1_000;

/** @param columnNames columns that the user named, by field; in JSON also paths, like `answer.text` */
export function createFieldReader(
  table: FieldNames,
  columnNames: Readonly<Record<string, string>> = {},
): ReadFields {
  const planOf = createPlanner(table, columnNames);
  const paths = Object.entries(columnNames).flatMap(([field, name]): [string, string[]][] =>
    name.includes(".") ? [[field, name.split(".")]] : [],
  );
  return (row) => {
    const flat = flatten(row);
    const read = readByPlan(flat, planOf(Object.keys(flat)));
    for (const [field, path] of paths) {
      const value = valueAt(row, ...path);
      if (value !== null) read.fields[field] = value;
    }
    return read;
  };
}

/** Finds the fields that a file or row with these columns has. */
export function createFieldFinder(
  table: FieldNames,
  columnNames: Readonly<Record<string, string>> = {},
): (columns: readonly string[]) => { has(field: string): boolean } {
  const planOf = createPlanner(table, columnNames);
  return (columns) => {
    const { fields } = planOf(columns);
    return { has: (name) => fields.some(({ field }) => field === name) };
  };
}

function createPlanner(
  table: FieldNames,
  columnNames: Readonly<Record<string, string>>,
): (columns: readonly string[]) => Plan {
  const index = indexNames(table);
  const plans = new Map<string, Plan>();
  return (columns) => {
    const key = columns.join("\n");
    const known = plans.get(key);
    if (known) return known;
    const plan = makePlan(columns, { index, columnNames });
    if (plans.size >= plansMax) plans.clear();
    plans.set(key, plan);
    return plan;
  };
}

function makePlan(
  columns: readonly string[],
  names: { index: ReturnType<typeof indexNames>; columnNames: Readonly<Record<string, string>> },
): Plan {
  const mapped = new Map(
    Object.entries(names.columnNames).map(([field, name]) => [plainName(name), field]),
  );
  const found = new Map<string, { column: string; rank: number }[]>();
  const add = (field: string, one: { column: string; rank: number }) =>
    found.set(field, [...(found.get(field) ?? []), one]);
  for (const column of columns) {
    const field = mapped.get(plainName(column));
    if (field !== undefined) add(field, { column, rank: 0 });
    for (const one of field === undefined ? (names.index.get(plainName(column)) ?? []) : []) {
      if (!(one.field in names.columnNames)) add(one.field, { column, rank: one.rank });
    }
  }
  const byRank = <Item extends { rank: number }>(items: readonly Item[]): Item[] =>
    items.toSorted((one, other) => one.rank - other.rank);
  const statements = columns.flatMap((column) => {
    const rank = rankOfStatement(plainName(column));
    return rank === null ? [] : [{ name: plainName(column), column, rank }];
  });
  return {
    columns: new Map(columns.map((column) => [plainName(column), column])),
    fields: [...found].map(([field, items]) => ({
      field,
      columns: byRank(items).map(({ column }) => column),
    })),
    statements: byRank(statements),
  };
}

/** R, pandas, Python, JavaScript, databases and their programs write such words for a missing value. */
const nothingWord =
  /^(?:NA|<NA>|\\N|-+|[<([#]?(?:[Nn]one|NONE|nan|NaN|NaT|[Nn]\/[Aa]|[Nn]ull|NULL|nil|undefined)[>)\]!]?)$/;
const nothingLengthMax = 12;
/** Where such a word can be meant: a text, a name, Namibia. */
const spokenFields = new Set(["text", "author", "country"]);

function readByPlan(flat: Fields, plan: Plan): ReadRow {
  const emptied: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const { field, columns } of plan.fields) {
    for (const column of columns) {
      const value = flat[column];
      // In JSON null differs from a missing field.
      if (value === null) fields[field] ??= null;
      if ((value ?? "") === "" || (field === "id" && isStoreWord(column, value))) continue;
      if (isNothing(value) && (!spokenFields.has(field) || hasOtherNothing(flat, column))) {
        emptied.push(`${column}: ${String(value)}`);
        continue;
      }
      fields[field] = value;
      break;
    }
  }
  const statements = plan.statements.flatMap(({ name, column }) => {
    const value = flat[column] ?? "";
    const isSaid = typeof value === "string" || typeof value === "number";
    if (!isSaid || value === "" || isNothing(value)) return [];
    return [{ name, statement: { column, value: String(value).trim() } }];
  });
  const byName = (name: string): unknown => {
    const column = plan.columns.get(name);
    return column === undefined ? undefined : flat[column];
  };
  return { fields, statements, emptied, byName };
}

/** In files of other products it is the store, or the app. */
function isStoreWord(column: string, value: unknown): boolean {
  const name = plainName(column);
  const text = String(value);
  return namesApp(name, text) || (name === "storeid" && readStoreName(text) !== null);
}

function isNothing(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= nothingLengthMax && nothingWord.test(value.trim())
  );
}

function hasOtherNothing(flat: Fields, column: string): boolean {
  return Object.entries(flat).some(([name, value]) => name !== column && isNothing(value));
}

/** Objects whose values count as the row's own. */
const wrappers = new Set([
  "attributes",
  "comments",
  "usercomment",
  "node",
  "source",
  "fields",
  "review",
]);
/** Objects whose values count under the object's name: `author.name`. */
const parts = new Set([
  ...["app", "application"],
  ...["author", "user", "reviewer", "response", "reply", "answer", "lastmodified"],
  ...["developerresponse", "developerreply", "developercomment"],
]);
const depthMax = 4;

function flatten(row: Fields): Fields {
  const isFlat = Object.entries(row).every(
    ([, value]) =>
      typeof value !== "object" && !(typeof value === "string" && value.startsWith("{")),
  );
  if (isFlat) return row;
  const flat: Record<string, unknown> = {};
  addValues(flat, { row, prefix: "", depth: 0 });
  return flat;
}

function addValues(
  flat: Record<string, unknown>,
  { row, prefix, depth }: { row: object; prefix: string; depth: number },
): void {
  for (const [key, raw] of Object.entries(row)) {
    const name = plainName(key);
    const value = unwrap(parts.has(name) ? parsePython(raw) : raw);
    const isWrapper = wrappers.has(name);
    if (typeof value !== "object" || value === null || depth === depthMax) {
      flat[prefix + key] ??= value;
    } else if (isWrapper || parts.has(name)) {
      const inside = { prefix: isWrapper ? prefix : `${prefix}${key} `, depth: depth + 1 };
      const items: unknown[] = Array.isArray(value) ? value : [value];
      for (const item of items) {
        if (typeof item === "object" && item !== null) addValues(flat, { row: item, ...inside });
      }
    } else {
      flat[prefix + key] ??= value;
    }
  }
}

/** The value in an object that says its type: MongoDB writes `{"$date": …}`, the App Store's feed `{"label": …}`. */
function unwrap(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const [[key, inner] = ["", null], ...others] = Object.entries(value);
  if (/^\$(oid|date|number\w+)$/.test(key) && others.length === 0) return unwrap(inner);
  const isLabel = key === "label" && others.every(([name]) => name === "attributes");
  return isLabel ? inner : value;
}

/** pandas writes a dictionary into a cell as Python does. */
function parsePython(value: unknown): unknown {
  if (typeof value !== "string" || !/^\{['"]/.test(value)) return value;
  const token = /'((?:[^'\\]|\\.)*)(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)|\b(None|True|False)\b/g;
  const json = value.replace(
    token,
    (found, quoted: string | undefined, word: string | undefined) => {
      if (word !== undefined) return word === "None" ? "null" : word.toLowerCase();
      if (quoted === undefined) return found;
      return JSON.stringify(quoted.replaceAll("\\n", "\n").replace(/\\(.)/g, "$1"));
    },
  );
  return parseJson(json) ?? value;
}
