// The audit log: what users and the service did. Entries outlive what they are about.
import sql, { raw, type Sql } from "sql-template-tag";
import { z } from "zod";
import { anyCasePattern } from "../../domain/review/letter-case.ts";
import { type Db, queryRows } from "../query.ts";

export type AuditEntry = {
  id: string;
  workspaceId: string | null;
  at: Date;
  /** The actor: `cli`, `system`, or a user's id. */
  actor: string;
  /** The action, e.g. `channel.deleted`. */
  action: string;
  /** The id of what it was done to. */
  subject: string;
  detail: Record<string, unknown>;
};

/** @param entry.keyId the API key that the actor used */
export async function insertAuditEntry(
  db: Db,
  entry: AuditEntry & { keyId?: string | undefined },
): Promise<void> {
  await queryRows(db, "insertAuditEntry")`insert into audit (id, workspace_id, at, actor, key_id,
    action, subject, detail)
    values (${entry.id}, ${entry.workspaceId}, ${entry.at}, ${entry.actor}, ${entry.keyId ?? null}, ${entry.action},
      ${entry.subject}, ${JSON.stringify(entry.detail)})`;
}

/** The result of work whose entry was written when it began. */
export async function addAuditDetail(
  db: Db,
  { id, detail }: { id: string; detail: Record<string, unknown> },
): Promise<void> {
  await queryRows(
    db,
    "addAuditDetail",
  )`update audit set detail = detail || ${JSON.stringify(detail)}::jsonb
    where id = ${id}`;
}

const columns = sql`id, workspace_id as "workspaceId", at, actor, action, subject, detail`;

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
  /** The name of a user, or `cli` or `system`, or the id of an account that is gone. */
  actor: string;
  /** Where the actor did it; `system` for Starpost itself, null for others, such as a recipient of e-mails. */
  door: "api" | "cli" | "dashboard" | "system" | null;
};

/**
 * The entries of one workspace about one subject or all, newest first; `before` is the id of the last of the page
 * before. With `search`, those in which the words are: in who, what or the details. With `actions`, those of `since` or later.
 */
export function listWorkspaceAudit(
  db: Db,
  query: {
    workspaceId: string;
    subject: string | null;
    before: string | null;
    limit: number;
    search?: string | undefined;
    actions?: readonly string[];
    since?: Date;
  },
): Promise<NamedAuditEntry[]> {
  const { workspaceId, subject, before, search = "", actions = null, since = null } = query;
  const statement = sql`select t.id, t.at, coalesce(u.name, t.actor) as actor, t.action, t.subject, t.detail,
      case when t.key_id is not null then 'api' when ${isUser("t")} then 'dashboard'
        when t.actor = 'cli' then 'cli' when t.actor in ('system', 'service') then 'system' end as door
    from audit t left join users u on u.id::text = t.actor
    where t.workspace_id = ${workspaceId} and (${subject}::text is null or t.subject = ${subject})
      and concat_ws(' ', u.name, u.email, t.actor, translate(t.action, '._', '  '), t.action,
        t.detail) ~ ${anyCasePattern(search)}
      and (${actions}::text[] is null or t.action = any(${actions}))
      and (${since}::timestamptz is null or t.at >= ${since})
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
  const found = await queryRows(db, name)<Entry>(statement);
  return found.map((row) => ({ ...row, detail: detailSchema.parse(row.detail) }));
}

/** Whether the actor of an entry `alias` is a user's id. */
const isUser = (alias: string): Sql =>
  raw(`${alias}.actor like '________-____-____-____-____________'`);

/** The last entry about an API key that says who answers for it. */
const answering = sql`where action in ('key.created', 'key.kept') order by at desc, id desc limit 1`;

/**
 * Whether the user who answers for the API key `k` is an owner no longer, and so may not make such a key. A key that the
 * operator made is answered for by the operator.
 */
export const isUnanswered = sql`exists (
    select from (select actor from (select * from audit where subject = k.id::text) e ${answering}) a
    where ${isUser("a")} and not exists (select from members m
      where m.workspace_id = k.workspace_id and m.user_id::text = a.actor and m.role = 'owner'))`;

/**
 * Who made each channel or API key, or kept it last after its maker had left. A channel that was made with a key has the
 * maker of the key.
 */
export function listMakers(
  db: Db,
  query: { workspaceId: string; subjects: readonly string[] },
): Promise<{ subject: string; id: string; name: string | null; hasLeft: boolean }[]> {
  return queryRows(db, "listMakers")`select t.subject, t.actor as id,
      case when ${isUser("t")} then u.name else t.actor end as name,
      ${isUser("t")} and (m.user_id is null or t.action like 'key.%' and m.role <> 'owner') as "hasLeft"
    from (
      select distinct on (e.subject) e.subject, e.workspace_id, e.action, coalesce(k.actor, e.actor) as actor
      from audit e left join lateral (
        select actor from (select * from audit where subject = e.key_id::text) of_key ${answering}) k on true
      where e.workspace_id = ${query.workspaceId} and e.subject = any(${query.subjects}::text[])
        and e.action in ('channel.created', 'channel.kept', 'key.created', 'key.kept')
      order by e.subject, e.at desc, e.id desc
    ) t left join users u on u.id::text = t.actor
      left join members m on m.workspace_id = t.workspace_id and m.user_id = u.id`;
}
