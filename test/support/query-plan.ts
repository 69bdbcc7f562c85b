// The number of rows that PostgreSQL reads for a statement, counted from the plan that it executed.
import type pg from "pg";
import type { Db } from "../../src/database/query.ts";

type PlanNode = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Index Name"?: string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
};

export type PlanReader = {
  db: Db;
  /** Rows of these tables; without any, also what is read again of what was found. */
  readCount(tables?: readonly string[]): number;
  /** How often something was looked for in these tables. */
  lookupCount(tables: readonly string[]): number;
  /** The names of the used indexes. */
  indexNames(): string[];
  /** Tables and partitions of which something was looked for. */
  tableNames(): string[];
};

/**
 * A connection that explains each statement instead of returning rows; `readCount` is for the last one. Plans are
 * made anew for each call, or kept from the first call of a statement, as a connection of a pool keeps them.
 */
export function openPlanReader(
  client: pg.ClientBase,
  { keepsPlans = false }: { keepsPlans?: boolean } = {},
): PlanReader {
  let plan: PlanNode | null = null;
  const prepared = new Set<string>();
  type Query = { name: string; text: string; values: unknown[] };
  const query = async ({ name, text, values }: Query) => {
    if (answered.has(name)) return client.query(text, values);
    // Prepared, so that plan_cache_mode decides between the plan for these values and that for all.
    const isKept = keepsPlans && name !== "";
    const statement = isKept ? `"explained ${name}"` : "explained";
    if (!prepared.has(statement)) await client.query(`prepare ${statement} as ${text}`);
    if (isKept) prepared.add(statement);
    // A statement without a name is always planned for its values.
    const { rows: modes } = await client.query("show plan_cache_mode");
    try {
      if (name === "") await client.query("set plan_cache_mode = force_custom_plan");
      const literals = values.map((value) => toLiteral(client, value)).join(", ");
      const { rows } = await client.query(
        `explain (analyze, format json, timing off, buffers off) execute ${statement} (${literals})`,
      );
      plan = rows[0]["QUERY PLAN"][0].Plan;
    } finally {
      await client.query(`set plan_cache_mode = ${modes[0].plan_cache_mode}`);
      if (!isKept) await client.query("deallocate explained");
    }
    return { rows: [] };
  };
  // Implements the one form of query that statements use.
  const db = { query } as unknown as Db;
  const explained = (): PlanNode => {
    if (plan === null) throw new Error("nothing was explained");
    return plan;
  };
  return {
    db,
    readCount: (tables) => countRead(explained(), tables),
    lookupCount: (tables) => countLookups(explained(), tables),
    indexNames: () => listIndexes(explained()),
    tableNames: () => [...new Set(listTables(explained()))],
  };
}

// The statements before the examined one, whose results it needs.
const answered: ReadonlySet<string> = new Set(["isDistributed", "raiseListingVersion"]);

/** Rows that scans returned and rows that they filtered out. */
function countRead(node: PlanNode, tables?: readonly string[]): number {
  const inner = (node.Plans ?? []).reduce((sum, child) => sum + countRead(child, tables), 0);
  if (!node["Node Type"].includes("Scan") || node["Node Type"] === "Subquery Scan") return inner;
  if (tables && !tables.includes(tableOf(node))) return inner;
  const perLoop =
    node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  return inner + perLoop * node["Actual Loops"];
}

function countLookups(node: PlanNode, tables: readonly string[]): number {
  const inner = (node.Plans ?? []).reduce((sum, child) => sum + countLookups(child, tables), 0);
  return inner + (tables.includes(tableOf(node)) ? node["Actual Loops"] : 0);
}

function tableOf(node: PlanNode): string {
  return node["Relation Name"] ?? "";
}

function listIndexes(node: PlanNode): string[] {
  const inner = (node.Plans ?? []).flatMap(listIndexes);
  const name = node["Index Name"];
  // Partitions that are pruned at run time never run.
  return name && node["Actual Loops"] > 0 ? [name, ...inner] : inner;
}

function listTables(node: PlanNode): string[] {
  const inner = (node.Plans ?? []).flatMap(listTables);
  const name = node["Relation Name"];
  return name && node["Actual Loops"] > 0 ? [name, ...inner] : inner;
}

function toLiteral(client: pg.ClientBase, value: unknown): string {
  if (value === null) return "null";
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  if (Array.isArray(value)) return client.escapeLiteral(`{${value.map(toElement).join(",")}}`);
  return typeof value === "number" ? String(value) : client.escapeLiteral(String(value));
}

function toElement(value: unknown): string {
  return value === null ? "null" : `"${String(value).replace(/["\\]/g, "\\$&")}"`;
}
