// Writes to the audit log who did what, in the transaction that does it.
import type { DatabaseTransaction } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { uuidV7 } from "../lib/uuid.ts";

/** An action on an object; the subject is the thing's id. */
export type AuditEntry = {
  action: string;
  subject: string;
  /** null: about a user or the whole installation. */
  workspaceId: string | null;
  detail?: Record<string, unknown>;
};

export async function recordAudit(
  by: { clock: Clock; actor: string },
  tx: Pick<DatabaseTransaction, "insertAuditEntry">,
  act: AuditEntry,
): Promise<void> {
  const at = by.clock.now();
  const { action, subject, workspaceId, detail = {} } = act;
  await tx.insertAuditEntry({
    id: uuidV7(at),
    workspaceId,
    at,
    actor: by.actor,
    action,
    subject,
    detail,
  });
}
