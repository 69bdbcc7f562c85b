// Spreads a database over the servers of a Citus: tables get their places, as distribution.ts lists them. Each step is a
// transaction, and what is done is left alone: after an interruption it goes on from there.
import type pg from "pg";
import { AppError } from "../../domain/error.ts";
import type { Log } from "../../lib/log.ts";
import { advisoryLocks } from "../locks.ts";
import { isMigrated } from "../migrate.ts";
import { type Connection, createPool } from "../pool.ts";
import { inTransaction } from "../transaction.ts";
import { coordinatorTables, listingTables, referenceTables } from "./distribution.ts";

type DistributeOptions = {
  log: Log;
  /** Past a pooler. */
  connection: Connection;
  /** Into how many parts each table falls, which are spread over the servers. */
  shardCount: number;
  /** Called before each step. */
  onStep: (sentence: string) => void;
};

type Distribution = { servers: number; shards: number; tables: number };

/**
 * Needs a migrated database that no other process uses.
 * @throws AppError `conflict` when it can't be done now, with the reason
 */
export async function distribute(options: DistributeOptions): Promise<Distribution> {
  const { log, connection, onStep } = options;
  // One connection, which waits for an answer as long as it takes.
  const patience = { connectionCountMax: 1, answerMsMax: 0, name: applicationName };
  const pool = createPool({ log, connection, ...patience, onConnect: "set statement_timeout = 0" });
  const step: Step = async (sentence, work) => {
    onStep(sentence);
    await inTransaction(pool, async (db) => {
      await db.query("set local lock_timeout = 0");
      // A service that starts meanwhile waits here, like for migrations.
      await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.migration]);
      await refuseUsers(db);
      await work(db);
    });
  };
  try {
    const servers = await checkServers(pool);
    if (!(await isMigrated(pool)))
      refuse("the database is not of this version: run starpost migrate first");
    await begin(step);
    await placeTables(step, options.shardCount);
    await addMissingKeys(step);
    const tables = referenceTables.length + listingTables.length;
    return { servers, shards: options.shardCount, tables };
  } finally {
    await pool.end();
  }
}

type Step = (sentence: string, work: (db: pg.ClientBase) => Promise<void>) => Promise<void>;

const applicationName = "starpost-distribute";

// Reference tables that are kept up to date by the coordinator alone, and schema changes of partitions, need it.
const versionMin = 12;

async function checkServers(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  const version = rows[0]?.version;
  if (version === undefined) {
    refuse(
      "this database has no Citus: DATABASE_URL must name the coordinator of one, and the database there needs `create extension citus` on each server",
    );
  }
  if (Number.parseInt(version, 10) < versionMin) {
    refuse(`this Citus is version ${version}; Starpost needs ${versionMin} or newer`);
  }
  const nodes = await pool.query<{ isWorker: boolean; hasRows: boolean }>(
    `select groupid <> 0 as "isWorker", shouldhaveshards as "hasRows" from pg_dist_node
     where noderole = 'primary' and isactive`,
  );
  if (nodes.rows.every(({ isWorker }) => isWorker)) {
    refuse("this Citus doesn't know its coordinator: call citus_set_coordinator_host there");
  }
  const servers = nodes.rows.filter(({ hasRows }) => hasRows).length;
  if (servers === 0) refuse("this Citus has no workers: call citus_add_node for each");
  return servers;
}

async function refuseUsers(db: pg.ClientBase): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'starpost%'`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  refuse(`the database is in use (${names}): stop every process of the service first`);
}

async function refuseSqlUsers(db: pg.ClientBase): Promise<void> {
  const { rows } = await db.query("select from sql_users limit 1");
  if (rows.length > 0)
    refuse("a distributed database has no SQL users: remove them first (sql-user remove)");
}

function refuse(message: string): never {
  throw new AppError("conflict", message);
}

/** A foreign key between two tables prevents moving them one by one: they are noted, and go. */
async function begin(step: Step): Promise<void> {
  await step("Looking at the tables", async (db) => {
    const { rows } = await db.query("select from distribution where missing_keys is not null");
    if (rows.length > 0) return;
    if ((await listPlaced(db)).size > 0) refuse("this database is distributed already");
    // Their readers would be asked for on each server.
    await refuseSqlUsers(db);
    await db.query("drop schema starpost_v1 cascade");
    await db.query("update distribution set missing_keys = $1", [await dropKeys(db)]);
  });
}

/** Those of tables that Citus doesn't know are not added again. */
async function dropKeys(db: pg.ClientBase): Promise<string[]> {
  const { rows } = await db.query<{ name: string; owner: string; definition: string }>(
    `select quote_ident(k.conname) as name, k.conrelid::regclass::text as owner,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class target on target.oid = k.confrelid
     join pg_class origin on origin.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and target.relnamespace = current_schema()::regnamespace
       and (target.relname = any($1) or (origin.relname = any($2)) <> (target.relname = any($2)))
     order by k.oid`,
    [listingTables, coordinatorTables],
  );
  for (const { name, owner } of rows) {
    await db.query(`alter table ${owner} drop constraint ${name}`);
  }
  const moved = rows.filter(({ owner }) => !coordinatorTables.includes(owner));
  return moved.map(
    ({ name, owner, definition }) => `alter table ${owner} add constraint ${name} ${definition}`,
  );
}

async function placeTables(step: Step, shardCount: number): Promise<void> {
  for (const table of referenceTables) {
    await step(`${table}: a copy on each server`, async (db) => {
      if ((await listPlaced(db)).has(table)) return;
      await db.query("select create_reference_table($1)", [table]);
    });
  }
  const [first] = listingTables;
  for (const table of listingTables) {
    await step(`${table}: by listing`, async (db) => {
      if ((await listPlaced(db)).has(table)) return;
      // Tables that refer to copies on each server are made one connection after the other.
      await db.query("set local citus.multi_shard_modify_mode = 'sequential'");
      const shared =
        table === first ? "colocate_with => 'none', shard_count => $2" : "colocate_with => $2";
      await db.query(`select create_distributed_table($1, 'listing_id', ${shared})`, [
        table,
        table === first ? shardCount : first,
      ]);
    });
  }
}

async function listPlaced(db: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
     where d.partmethod = 'h' or d.partmethod = 'n' and d.repmodel = 't'`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function addMissingKeys(step: Step): Promise<void> {
  await step("Foreign keys", async (db) => {
    const { rows } = await db.query<{ keys: string[] | null }>(
      "select missing_keys as keys from distribution",
    );
    for (const key of rows[0]?.keys ?? []) await db.query(key);
    await db.query("update distribution set missing_keys = null, is_distributed = true");
  });
}
