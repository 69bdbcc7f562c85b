// Counts the statements that this process sends to PostgreSQL while something runs.
import pg from "pg";

/** Statements of a pool, also those inside of transactions. Nothing else may use the database meanwhile. */
export async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { prototype } = pg.Client;
  const { query } = prototype;
  // Every way to run a statement ends here, whether the text or an object with it is handed in.
  prototype.query = function countQuery(this: pg.Client, ...params: unknown[]): never {
    sent.push(describeStatement(params[0]));
    return Reflect.apply(query, this, params) as never;
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}

function describeStatement(statement: unknown): string {
  if (typeof statement === "string") return statement;
  const { name, text } = Object(statement) as { name?: string; text?: string };
  return name || (text ?? "");
}
