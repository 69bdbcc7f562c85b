// Notes who did what, in the transaction that does it.
import type { DatabaseTransaction } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { uuidV7 } from "../lib/uuid.ts";

/** What a person did to a thing; the thing's id is the subject. */
export type AuditEntry = {
  action: string;
  subject: string;
  workspaceId: string;
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
