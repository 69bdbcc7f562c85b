// The audit log: what users and the service did. Entries outlive what they are about.
import sql, { type Sql } from "sql-template-tag";
import { z } from "zod";
import { type Db, queryRows } from "../query.ts";

export type AuditEntry = {
  id: string;
  workspaceId: string | null;
  at: Date;
  /** The actor: `cli`, `service`, or a user's id. */
  actor: string;
  /** The action, e.g. `channel.deleted`. */
  action: string;
  /** The id of what it was done to. */
  subject: string;
  detail: Record<string, unknown>;
};

export async function insertAuditEntry(db: Db, entry: AuditEntry): Promise<void> {
  const statement = sql`insert into audit (id, workspace_id, at, actor, action, subject, detail)
    values (${entry.id}, ${entry.workspaceId}, ${entry.at}, ${entry.actor}, ${entry.action},
      ${entry.subject}, ${JSON.stringify(entry.detail)})`;
  await queryRows(db, "insertAuditEntry", statement);
}

const columns = sql`id, workspace_id as "workspaceId", at, actor, action, subject, detail`;

export function listAuditEntries(db: Db, subject: string): Promise<AuditEntry[]> {
  const statement = sql`select ${columns} from audit where subject = ${subject} order by at, id`;
  return listEntries(db, "listAuditEntries", statement);
}

/** Newest first. */
export function listRecentAuditEntries(
  db: Db,
  query: { workspaceId: string | null; limit: number },
): Promise<AuditEntry[]> {
  const statement = sql`select ${columns} from audit
    where ${query.workspaceId}::uuid is null or workspace_id = ${query.workspaceId}
    order by at desc, id desc limit ${query.limit}`;
  return listEntries(db, "listRecentAuditEntries", statement);
}

type NamedAuditEntry = Pick<AuditEntry, "id" | "at" | "action" | "subject" | "detail"> & {
  /** The name of a user, or `cli` or `service`, or the id of an account that is gone. */
  actor: string;
};

/**
 * The entries of one workspace about one subject or all, newest first; `before` is the id of the last of the page
 * before.
 */
export function listWorkspaceAudit(
  db: Db,
  query: { workspaceId: string; subject: string | null; before: string | null; limit: number },
): Promise<NamedAuditEntry[]> {
  const { workspaceId, subject, before } = query;
  const statement = sql`select t.id, t.at, coalesce(u.name, t.actor) as actor, t.action, t.subject, t.detail
    from audit t left join users u on u.id::text = t.actor
    where t.workspace_id = ${workspaceId} and (${subject}::text is null or t.subject = ${subject})
      and (${before}::uuid is null or (t.at, t.id) < (select b.at, b.id from audit b where b.id = ${before}))
    order by t.at desc, t.id desc limit ${query.limit}`;
  return listEntries(db, "listWorkspaceAudit", statement);
}

const detailSchema = z.record(z.string(), z.unknown()).catch({});

async function listEntries<Entry extends Pick<AuditEntry, "detail">>(
  db: Db,
  name: string,
  statement: Sql,
): Promise<Entry[]> {
  const found = await queryRows<Entry>(db, name, statement);
  return found.map((row) => ({ ...row, detail: detailSchema.parse(row.detail) }));
}

/** Who made each channel or API key, or kept it last after its maker had left. */
export function listMakers(
  db: Db,
  query: { workspaceId: string; subjects: readonly string[] },
): Promise<{ subject: string; id: string; name: string | null; hasLeft: boolean }[]> {
  const statement = sql`select distinct on (t.subject) t.subject, t.actor as id,
      case when t.actor like '________-____-____-____-____________' then u.name else t.actor end as name,
      t.actor like '________-____-____-____-____________' and m.user_id is null as "hasLeft"
    from audit t left join users u on u.id::text = t.actor
      left join members m on m.workspace_id = t.workspace_id and m.user_id = u.id
    where t.workspace_id = ${query.workspaceId} and t.subject = any(${query.subjects}::text[])
      and t.action in ('channel.created', 'channel.kept', 'key.created', 'key.kept')
    order by t.subject, t.at desc, t.id desc`;
  return queryRows(db, "listMakers", statement);
}
