// Whether a statement names the key of each distributed table that it reads or writes: by a parameter, or by a
// column that equals one. It reads the text of a statement like a person would, not like PostgreSQL: names of
// tables after `from`, `join`, `update`, `into`, `using`, and equations of their keys.
import { listingTables } from "../../src/database/cluster/distribution.ts";

type Mention = {
  table: string;
  alias: string;
  at: number;
  isInsert: boolean;
};

/** The tables that the statement names without their key. */
export function listUnkeyedTables(statement: string): string[] {
  const text = clean(statement);
  const unkeyed = listMentions(text).filter((mention) => !isKeyed(text, mention));
  return [...new Set(unkeyed.map(({ table }) => table))].sort();
}

function clean(statement: string): string {
  return statement
    .replace(/--.*$/gm, " ")
    .replace(/\/\*.*?\*\//gs, " ")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

// Feeds stay on the coordinator, but a statement names their listing like that of all others.
const tables = [...listingTables, "feeds"].join("|");
const key = "listing_id";
const noAlias =
  /^(where|on|set|cross|left|join|inner|order|group|limit|using|union|for|values|select|offset|natural|returning|full|right|default)$/;

function listMentions(text: string): Mention[] {
  const mention = new RegExp(
    `\\b(from|join|update|into|using|,) (${tables})\\b(?! as (?:not )?(?:materialized )?\\()(?: as)?(?: ([a-z_]+))?`,
    "g",
  );
  return [...text.matchAll(mention)].map((found) => {
    const [, verb, table = "", next = ""] = found;
    const alias = next === "" || noAlias.test(next) ? table : next;
    return { table, alias, at: found.index, isInsert: verb === "into" };
  });
}

function isKeyed(text: string, { table, alias, at, isInsert }: Mention): boolean {
  // Without an alias it can be only its own.
  if (!isInsert) return isFixed(text, { key, alias, at, prefix: `(?:${alias}\\.)?` }, new Set());
  const columns = /\(([^)]*)\)/.exec(text.slice(at))?.[1] ?? "";
  return columns.split(",").some((column) => column.trim() === key) && columns !== table;
}

/** Whether the key of that table is a parameter, or equals what is one. */
function isFixed(
  text: string,
  column: { key: string; alias: string; at: number; prefix: string },
  seen: ReadonlySet<string>,
): boolean {
  const { key, alias, at, prefix } = column;
  if (seen.has(alias)) return false;
  const scope = text.slice(at, endOfScope(text, at));
  const own = `(?<![.\\w])${prefix}${key}`;
  const values = [
    ...scope.matchAll(new RegExp(`${own} = (any\\(\\$\\d|\\(?\\$\\d|[a-z_]+\\.[a-z_]+)`, "g")),
    ...scope.matchAll(new RegExp(`(\\$\\d+|[a-z_]+\\.[a-z_]+) = ${own}\\b`, "g")),
  ].map(([, value = ""]) => value);
  return values.some((value) => {
    if (/^(any)?\(?\$/.test(value)) return true;
    const [other = "", column = ""] = value.split(".");
    return other !== alias && isSource(text, { alias: other, column }, new Set([...seen, alias]));
  });
}

/** Whether that column is one of parameters: of an `unnest`, equal to one that is, or passed on by a subquery. */
function isSource(
  text: string,
  { alias, column }: { alias: string; column: string },
  seen: ReadonlySet<string>,
): boolean {
  const isList = new RegExp(`unnest\\(\\$[^()]*\\)(?: with ordinality)?(?: as)? ${alias} \\(`);
  if (isList.test(text)) return true;
  const known = new Set([...seen, alias]);
  const isPassed = listBodies(text, alias).some((body) => {
    if (/^select \$\d+::uuid\b/.test(body)) return true;
    const named = [...body.matchAll(new RegExp(`[ ,(]([a-z_]+)\\.${column}(?:,| from)`, "g"))]
      .map(([, from = ""]) => from)
      .filter((from) => !known.has(from));
    if (named.some((from) => isSource(text, { alias: from, column }, known))) return true;
    return (
      /^select \*/.test(body) &&
      listMentions(body).some((one) => isKeyed(text, atIn(text, body, one)))
    );
  });
  return isPassed || isFixed(text, { key: column, alias, at: 0, prefix: `${alias}\\.` }, seen);
}

function atIn(text: string, body: string, mention: Mention): Mention {
  return { ...mention, at: text.indexOf(body) + mention.at };
}

/** The bodies of subqueries and common table expressions of that name. */
function listBodies(text: string, alias: string): string[] {
  const bodies: string[] = [];
  const called = text.matchAll(
    new RegExp(`\\b(?:from|join|using|,) ([a-z_]+) (?:as )?${alias}\\b`, "g"),
  );
  const names = [alias, ...[...called].map(([, name = ""]) => name)].join("|");
  for (let at = text.indexOf("("); at >= 0; at = text.indexOf("(", at + 1)) {
    const end = endOfScope(text, at + 1);
    const isNamed =
      new RegExp(`^\\) (?:as )?(?:${alias})\\b`).test(text.slice(end, end + 80)) ||
      new RegExp(`\\b(?:${names}) as (?:materialized )?$`).test(text.slice(0, at));
    if (isNamed) bodies.push(text.slice(at + 1, end).trim());
  }
  return bodies;
}

/** Where the parenthesis closes in which this place stands. */
function endOfScope(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    if (text[index] !== ")") continue;
    depth -= 1;
    if (depth < 0) return index;
  }
  return text.length;
}
