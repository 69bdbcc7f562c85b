// What statements say besides where tables are spread over servers (`distribution.ts`). Citus sends a statement to one
// server when each of its tables is fixed to one key by a constant; on one server that would only mislead the planner. So
// it stands in comments, and a statement with such begins with one:
//
// - `/*distributed*/`: what stands between `/*distributed` and `*/` further on is part of the statement there.
// - `/*listings $2*/`: it reads the listings of that array, or that one. Each table by listing that it names is replaced by
//   its rows of them: of one listing on the server where they are, of several on the coordinator.

import type pg from "pg";
import sql, { type Sql } from "sql-template-tag";
import type { Parameter } from "../sql.ts";
import { coordinatorTables, keyOfTable } from "./distribution.ts";

type Db = Pick<pg.ClientBase, "query">;
type Statement = { name: string; text: string; values: unknown[] };

export const distributed: Sql = sql`/*distributed*/ `;

/** @param listingIds of type `uuid[]`, also used by the statement itself */
export const ofListings = (listingIds: Parameter): Sql => sql`/*listings ${listingIds}*/ `;

/** Where tables are spread, the caller asks for each listing by itself. */
export const ofEachListing = (listingIds: Parameter): Sql => sql`/*listings ${listingIds} each*/ `;

export type DistributionRow = { bucketCount: number; isDistributed: boolean };

// It changes only while no process runs, see `distribute.ts`: read once for each pool and connection.
const known = new WeakMap<Db, Promise<DistributionRow>>();

/** How the database is spread. Its errors are the driver's: what runs statements asks this in between. */
export function readDistribution(db: Db): Promise<DistributionRow> {
  const before = known.get(db);
  if (before) return before;
  const read = readRow(db);
  known.set(db, read);
  read.catch(() => known.delete(db));
  return read;
}

async function readRow(db: Db): Promise<DistributionRow> {
  const text = `select bucket_count as "bucketCount", is_distributed as "isDistributed" from distribution`;
  const found = await db.query<DistributionRow>({ name: "readDistribution", text, values: [] });
  if (!found.rows[0]) throw new Error("the table distribution has no row");
  return found.rows[0];
}

/** The statement as this database needs it. */
export async function forDatabase(db: Db, statement: Statement): Promise<Statement> {
  if (!statement.text.startsWith("/*")) return statement;
  return (await readDistribution(db)).isDistributed ? toDistributed(statement) : statement;
}

const listingTables = Object.keys(keyOfTable).filter(
  (table) => keyOfTable[table] === "listing_id" && !coordinatorTables.includes(table),
);
const tablePattern = new RegExp(`\\b(?:from|join) (${listingTables.join("|")})\\b`, "g");

/** @throws Error for several listings where each is asked for by itself, which is a bug */
export function toDistributed({ name, text, values }: Statement): Statement {
  const header = /^\/\*(?:listings \$(\d+)( each)?|distributed)\*\/\s*/.exec(text);
  if (!header) return { name, text, values };
  const body = withDistributedParts(text.slice(header[0].length));
  if (header[1] === undefined) return { name, text: body, values };
  const listings = values[Number(header[1]) - 1];
  const isOne = Array.isArray(listings) && new Set(listings).size <= 1;
  if (!isOne && header[2]) throw new Error(`${name || text} asks for several listings`);
  const parameter = `$${header[1]}::uuid[]`;
  const rows = isOne
    ? { how: "not materialized", which: `= (${parameter})[1]` }
    : { how: "materialized", which: `= any(${parameter})` };
  const tables = new Set([...body.matchAll(tablePattern)].map(([, table]) => table));
  if (tables.size === 0) return { name, text: body, values };
  const shadows = [...tables].map(
    (table) => `${table} as ${rows.how} (select * from ${table} where listing_id ${rows.which})`,
  );
  const rest = /^with\s/i.test(body) ? `, ${body.slice("with".length)}` : ` ${body}`;
  // Of one and of several are two statements, and a name is for one text.
  return {
    name: name === "" || isOne ? name : `${name}-several`,
    text: `with ${shadows.join(", ")}${rest}`,
    values,
  };
}

/** What stands in comments for several servers is a part of the text. */
function withDistributedParts(text: string): string {
  return text.replace(/\/\*distributed ([\s\S]*?)\*\//g, "$1");
}
