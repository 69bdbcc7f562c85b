// API keys by their SHA-256: the key itself is never stored.
import sql from "sql-template-tag";
import type { ApiKey, KeyScope, Plan } from "../../domain/people/workspace.ts";
import type { Day } from "../../lib/timestamp.ts";
import { changesRow, type Db, queryFirstRow, queryRows, queryValues } from "../query.ts";
import { unnest } from "../sql.ts";
import { withinTransaction } from "../transaction.ts";
import { isUnanswered } from "./audit.ts";

const columns = sql`id, workspace_id as "workspaceId", name, prefix, scope, created_at as "createdAt",
  last_used_at as "lastUsedAt", last_used_address as "lastUsedAddress", ends_at as "endsAt",
  revoked_at as "revokedAt"`;

export async function insertApiKey(
  db: Db,
  key: Pick<ApiKey, "id" | "workspaceId" | "name" | "prefix" | "scope" | "createdAt"> & {
    hash: Buffer;
    /** Never by default. */
    endsAt?: Date | null;
  },
): Promise<void> {
  await queryRows(db, "insertApiKey")`insert into api_keys (id, workspace_id, name, prefix, scope,
      hash, created_at, ends_at)
    values (${key.id}, ${key.workspaceId}, ${key.name}, ${key.prefix}, ${key.scope}, ${key.hash},
      ${key.createdAt}, ${key.endsAt ?? null})`;
}

/** Newest last; revoked keys stay in the list. */
export function listApiKeys(db: Db, scope: { workspaceId: string | null }): Promise<ApiKey[]> {
  return queryRows(db, "listApiKeys")`select ${columns} from api_keys
    where ${scope.workspaceId}::uuid is null or workspace_id = ${scope.workspaceId} order by id`;
}

/** The workspace of a key, and what the key may do there. */
export type ApiKeyOwner = {
  keyId: string;
  name: string;
  scope: KeyScope;
  workspaceId: string;
  plan: Plan;
};

/** null for an unknown, revoked or ended key, and for one that changes the set-up whose maker has left. */
export function findApiKeyOwner(
  db: Db,
  query: { hash: Buffer; now: Date },
): Promise<ApiKeyOwner | null> {
  return queryFirstRow(db, "findApiKeyOwner")`select k.id as "keyId", k.name, k.scope,
    w.id as "workspaceId", w.plan from api_keys k join workspaces w on w.id = k.workspace_id
    where k.hash = ${query.hash} and k.revoked_at is null
      and (k.ends_at is null or k.ends_at > ${query.now})
      and (k.scope <> 'manage' or not ${isUnanswered})`;
}

/**
 * Records when and how often keys were used, many at once: never a write per request. `requestCount` was
 * counted since the last record and is added to the day of `usedAt`. Returns the keys that are locked by a change at this
 * moment: nothing is recorded for them.
 */
export async function recordApiKeyUsage(
  db: Db,
  uses: readonly { keyId: string; usedAt: Date; address: string; requestCount: number }[],
): Promise<{ busyIds: string[] }> {
  const used = unnest("u", uses, {
    id: ["uuid", ({ keyId }) => keyId],
    used_at: ["timestamptz", ({ usedAt }) => usedAt],
    address: ["text", ({ address }) => address],
    request_count: ["integer", ({ requestCount }) => requestCount],
  });
  return withinTransaction(db, async (tx) => {
    // A key can have been deleted meanwhile, or is being changed: the keys of others don't wait for it.
    const free = await queryValues(tx, "lockUsedKeys")<string>`select k.id from api_keys k
      join ${used} on u.id = k.id order by k.id for no key update of k skip locked`;
    await queryRows(tx, "markKeysUsed")`update api_keys k
        set last_used_at = greatest(k.last_used_at, u.used_at), last_used_address = u.address
      from ${used} where k.id = u.id and k.id = any(${free}::uuid[])`;
    await queryRows(tx, "addKeyDays")`insert into key_days as d (key_id, day, request_count)
      select u.id, (u.used_at at time zone 'UTC')::date, u.request_count
      from ${used} where u.id = any(${free}::uuid[]) order by u.id
      on conflict (key_id, day) do update set request_count = d.request_count + excluded.request_count`;
    const busyIds = await queryValues(tx, "listBusyKeys")<string>`select k.id from api_keys k
      join ${used} on u.id = k.id where k.id <> all(${free}::uuid[])`;
    return { busyIds };
  });
}

/** Requests by day since `from`, of all keys of a workspace. */
export function listApiKeyUsage(
  db: Db,
  query: { workspaceId: string; from: Day },
): Promise<{ keyId: string; day: Day; requestCount: number }[]> {
  return queryRows(db, "listApiKeyUsage")`select d.key_id as "keyId", d.day,
    d.request_count as "requestCount" from api_keys k join key_days d on d.key_id = k.id
    where k.workspace_id = ${query.workspaceId} and d.day >= ${query.from}::date order by d.key_id, d.day`;
}

export function revokeApiKey(db: Db, revoked: { id: string; now: Date }): Promise<boolean> {
  return changesRow(db, "revokeApiKey")`update api_keys set revoked_at = ${revoked.now}
      where id = ${revoked.id} and revoked_at is null`;
}
