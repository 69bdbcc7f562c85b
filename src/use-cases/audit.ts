// Writes to the audit log who did what, in the transaction that does it.
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { uuidV7 } from "../lib/uuid.ts";

/** Who acts, with which API key, and when; `id` for an entry that gets more detail later. */
export type Actor = { clock: Clock; actor: string; keyId?: string; id?: string };

/** What an action needs: a transaction, and the named reads before it. */
export type ActDeps<Reads extends keyof Database = never> = Actor & {
  database: Pick<Database, "transaction" | Reads>;
};

/** @param subject a thing of a workspace, or the id of a user or of what belongs to the whole installation */
export async function recordAudit(
  { clock, actor, keyId, ...entry }: Actor,
  tx: Pick<DatabaseTransaction, "insertAuditEntry">,
  action: string,
  subject: { id: string; workspaceId: string | null } | string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const { id, workspaceId } =
    typeof subject === "string" ? { id: subject, workspaceId: null } : subject;
  const at = clock.now();
  await tx.insertAuditEntry({
    id: entry.id ?? uuidV7(at),
    workspaceId,
    at,
    actor,
    keyId,
    action,
    subject: id,
    detail,
  });
}
