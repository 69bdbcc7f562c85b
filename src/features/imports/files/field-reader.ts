// Reads a row of an import by the names of its columns: fields in Starpost's names, what it says about its app, and
// which cells hold a word for nothing. Rows with the same columns share one plan.
import { parseJson, valueAt } from "../../../lib/json.ts";
import { namesApp, rankOfStatement, readStoreName, type Statement } from "./app-naming.ts";
import { type FieldNames, indexNames, plainName, sourcesOfOwnNames } from "./import-names.ts";

type Fields = Readonly<Record<string, unknown>>;

export type ReadRow = {
  fields: Record<string, unknown>;
  /** The column that each field is from. */
  columns: Readonly<Record<string, string>>;
  /** By rank: ids before names. */
  statements: { name: string; statement: Statement }[];
  /** Cells that were read as empty, as `column: word`. */
  emptied: string[];
  /** The columns that hold no field and name no app. */
  unread: readonly string[];
  /** The row's values by the name of their column. */
  values: Fields;
  /** The row's values by plain name. */
  byName(name: string): unknown;
};

type ReadFields = (row: Fields) => ReadRow;

type Plan = {
  columns: ReadonlyMap<string, string>;
  unread: readonly string[];
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
      if (value === null) continue;
      read.fields[field] = value;
      read.columns[field] = path.join(".");
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
  const plain = new Map(columns.map((column) => [plainName(column), column]));
  const own = sourcesOfOwnNames.find((source) => source.columns.every((name) => plain.has(name)));
  const named = Object.entries({ ...own?.names, ...names.columnNames });
  const mapped = new Map(named.map(([field, name]) => [plainName(name), field]));
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
  const read = new Set([...found.values()].flat().map(({ column }) => column));
  for (const { column } of statements) read.add(column);
  return {
    columns: plain,
    unread: columns.filter((column) => !read.has(column)),
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

function readByPlan(flat: Fields, plan: Plan): ReadRow & { columns: Record<string, string> } {
  const emptied: string[] = [];
  const fields: Record<string, unknown> = {};
  const used: Record<string, string> = {};
  for (const { field, columns } of plan.fields) {
    for (const column of columns) {
      const value = flat[column];
      // In JSON null differs from a missing field.
      if (value === null) fields[field] ??= null;
      if ((value ?? "") === "" || (field === "id" && isStoreWord(column, value))) continue;
      if (field === "version" && /^unknown$/i.test(String(value))) {
        emptied.push(`${column}: ${String(value)}`);
        continue;
      }
      const copies = [...columns, ...plan.unread];
      if (isNothing(value) && (!spokenFields.has(field) || hasOtherNothing(flat, column, copies))) {
        emptied.push(`${column}: ${String(value)}`);
        continue;
      }
      fields[field] = value;
      used[field] = column;
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
  const { unread } = plan;
  return { fields, columns: used, statements, emptied, unread, values: flat, byName };
}

/** In files of other products it is the store, or the app. */
function isStoreWord(column: string, value: unknown): boolean {
  if (typeof value !== "string") return false;
  const name = plainName(column);
  return namesApp(name, value) || (name === "storeid" && readStoreName(value) !== null);
}

export function isNothing(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= nothingLengthMax && nothingWord.test(value.trim())
  );
}

/** @param copies columns in which the same word may be a copy */
function hasOtherNothing(flat: Fields, column: string, copies: readonly string[]): boolean {
  const word = String(flat[column]).toLowerCase();
  return Object.entries(flat).some(
    ([name, value]) =>
      name !== column &&
      isNothing(value) &&
      !(copies.includes(name) && String(value).toLowerCase() === word),
  );
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
  ...["rating", "userprofile", "responses"],
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
