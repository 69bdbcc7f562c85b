// Notes who did what, in the transaction that does it.
import type { Statements } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { uuidV7 } from "../lib/uuid.ts";

/** What a person did to a thing; the thing's id is the subject. */
export type Act = {
  action: string;
  subject: string;
  workspaceId: string;
  detail?: Record<string, unknown>;
};

export async function recordAct(
  by: { clock: Clock; actor: string },
  tx: Pick<Statements, "insertAudit">,
  act: Act,
): Promise<void> {
  const at = by.clock.now();
  const { action, subject, workspaceId, detail = {} } = act;
  await tx.insertAudit({
    id: uuidV7(at),
    workspaceId,
    at,
    actor: by.actor,
    action,
    subject,
    detail,
  });
}
