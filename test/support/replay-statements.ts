// Runs statements that `check-statements.ts` recorded on a database that is spread over servers, each in a transaction
// that is undone, and says what its plan asks of them.
import fs from "node:fs";
import pg from "pg";
import { z } from "zod";

const recordedSchema = z.object({
  name: z.string(),
  text: z.string(),
  values: z.array(z.unknown()),
  unkeyed: z.array(z.string()),
});

export type RecordedStatement = z.infer<typeof recordedSchema>;

export type Replayed = {
  /** Why it can't be run there at all. */
  refusal: string | null;
  /** The number of shards that each part of the plan asks; empty for what stays on the coordinator. */
  taskCounts: number[];
  /** Whether rows go through the coordinator to the shards. */
  isPulled: boolean;
};

/** Each text once, in the order of their names. */
export function readStatements(file: string): RecordedStatement[] {
  const lines = fs.readFileSync(file, "utf8").trim().split("\n");
  const byText = new Map(
    lines.map((line) => {
      const statement = recordedSchema.parse(JSON.parse(line));
      return [statement.text, statement] as const;
    }),
  );
  return [...byText.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A table that a test made for itself. */
function isOfTest(error: Error): boolean {
  return error instanceof pg.DatabaseError && error.code === "42P01";
}

/** Its recorded parameters are not in this database. Rows on their way through Citus lose the code of the error. */
function lacksRow(error: Error): boolean {
  const code = error instanceof pg.DatabaseError ? (error.code ?? "") : "";
  return /^23/.test(code) || /violates (foreign key|not-null) constraint/.test(error.message);
}

/** Statements about roles: SQL users are refused on such a database before any of these is run. */
function isOfSqlUser({ text }: RecordedStatement): boolean {
  return /^(?:(?:create|alter|drop) role|drop owned|grant|revoke|select pg_terminate_backend)\b/.test(
    text,
  );
}

/** null for a test's own, and for those of SQL users. */
export async function replay(
  client: pg.Client,
  statement: RecordedStatement,
): Promise<Replayed | null> {
  if (isOfSqlUser(statement)) return null;
  const { text } = statement;
  const values = statement.values.map(revive);
  const run = async (prefix: string): Promise<pg.QueryResult | Error> => {
    await client.query("begin");
    try {
      return await client.query(`${prefix}${text}`, values);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      await client.query("rollback");
    }
  };
  const ran = await run("");
  if (ran instanceof Error && isOfTest(ran)) return null;
  if (ran instanceof Error && !lacksRow(ran)) {
    return { refusal: ran.message, taskCounts: [], isPulled: false };
  }
  const explained = await run("explain ");
  // Some of what it runs it can't explain: rows that go through the coordinator.
  if (explained instanceof Error) return { refusal: null, taskCounts: [], isPulled: true };
  const plan = explained.rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  const taskCounts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  return { refusal: null, taskCounts, isPulled: /INSERT \.\.\. SELECT/.test(plan) };
}

// JSON has no bytes.
const bytesSchema = z.object({ type: z.literal("Buffer"), data: z.array(z.number()) });

function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  const bytes = bytesSchema.safeParse(value);
  return bytes.success ? Buffer.from(bytes.data.data) : value;
}
