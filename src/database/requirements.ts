// The requirements of the database server, checked by every start, every command, the health check and `starpost doctor`. A
// refusal has the statement that mends it.
import type pg from "pg";
import { AppError } from "../domain/error.ts";
import { ofDatabase } from "./query.ts";
import { inTransaction } from "./transaction.ts";

type Facts = {
  version: string;
  encoding: string;
  /** Where tables are made; null where the role may use none of its schemas. */
  schema: string | null;
  /** Whether it may make tables in its schema, and the schema of the SQL views. */
  isCreator: boolean;
  /** The owner of the tables, unless that is this role or one of its groups. */
  foreignOwner: string | null;
  isStandby: boolean;
  isReadOnly: boolean;
  /** The place of the setting that made it so, in the words of pg_settings. */
  readOnlyBy: string;
  /** Names as PostgreSQL writes them in statements. */
  role: string;
  database: string;
};

type Query = Pick<pg.ClientBase, "query">;

// 15 brought `unique nulls not distinct`, which listings need.
const serverVersionMin = 15;

/**
 * @param options.writes false for work that only reads, which a read-only database allows
 * @throws AppError `unavailable` with a sentence for operators
 */
export async function requireUsable(db: Query, options: { writes: boolean }): Promise<void> {
  const facts = await readFacts(db);
  const fault = findFault(facts);
  if (fault !== null) throw new AppError("unavailable", fault);
  const writeFault = options.writes ? findWriteFault(facts) : null;
  if (writeFault !== null) throw readOnlyError(writeFault);
}

/** The code is PostgreSQL's own for it. */
function readOnlyError(fault: string): AppError {
  const cause = Object.assign(new Error(fault), { code: "25006" });
  return new AppError("unavailable", fault, { cause });
}

function findFault(facts: Facts): string | null {
  const { version, encoding, schema, isCreator, foreignOwner, role, database } = facts;
  if (Number.parseInt(version, 10) < serverVersionMin) {
    return `this PostgreSQL is version ${version}; Starpost needs ${serverVersionMin} or newer`;
  }
  // Others compare bytes or have no place for most texts: a search finds nothing, lengths are wrong, or saving fails.
  if (encoding !== "UTF8") {
    return `the database has the encoding ${encoding}; Starpost needs UTF8. Make another one, move what is stored by starpost backup and restore, and name it in DATABASE_URL: create database starpost_utf8 owner ${role} template template0 encoding 'UTF8' locale 'C'`;
  }
  if (schema === null || !isCreator) {
    const where = schema ?? "public";
    return `the role ${role} may not make schemas in the database ${database}, or tables in the schema ${where}: run there as a superuser: grant create on database ${database} to ${role}; grant usage, create on schema ${where} to ${role}`;
  }
  if (foreignOwner !== null) {
    return `the tables belong to the role ${foreignOwner}: name it in DATABASE_URL, or run as a superuser in the database ${database}: reassign owned by ${foreignOwner} to ${role}`;
  }
  return null;
}

function findWriteFault({
  isStandby,
  isReadOnly,
  readOnlyBy,
  role,
  database,
}: Facts): string | null {
  if (isStandby) {
    return "the database is read-only: this server is a standby. Name the primary in DATABASE_URL, or all servers with target_session_attrs=read-write";
  }
  if (!isReadOnly) return null;
  const places: Readonly<Record<string, string>> = {
    database: `database ${database}`,
    user: `role ${role}`,
    "database user": `role ${role} in database ${database}`,
  };
  const place = places[readOnlyBy];
  const mending =
    place === undefined
      ? "reset it in the settings of the server"
      : `begin read write; alter ${place} reset default_transaction_read_only; commit`;
  return `the database is read-only (default_transaction_read_only is on), as some providers set it when the storage is full. Make room, then: ${mending}`;
}

async function readFacts(db: Query): Promise<Facts> {
  const { rows } = await db.query<Facts>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      quote_ident(current_schema()) as schema, coalesce(has_schema_privilege(current_schema(), 'create')
        and has_database_privilege(current_database(), 'create'), false) as "isCreator",
      (select format('%I', pg_get_userbyid(c.relowner)) from pg_class c
        where c.oid = to_regclass('migrations') and not pg_has_role(c.relowner, 'usage')) as "foreignOwner",
      pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
      (select source from pg_settings where name = 'default_transaction_read_only') as "readOnlyBy",
      format('%I', current_user) as role, format('%I', current_database()) as database`,
  );
  const [facts] = rows;
  if (!facts) throw new Error("PostgreSQL did not say what it is");
  return facts;
}

/**
 * Asks what neither a read-only database nor a full disk can answer: rows that are written to a temporary file of the server,
 * which ends with the transaction. A row of a table would be found room for in a page that is there.
 * @throws AppError `unavailable`
 */
export async function requireWritable(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (db) => {
    const fault = findWriteFault(await ofDatabase(readFacts(db)));
    if (fault !== null) throw readOnlyError(fault);
    await ofDatabase(db.query("set local work_mem = '64kB'"));
    await ofDatabase(db.query("select count(*) from generate_series(1, 10000)"));
  });
}
