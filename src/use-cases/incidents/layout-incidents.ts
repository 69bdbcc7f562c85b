// An operator's view of changes of a store's layout, and decisions about them.
import type { DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { type SuspicionKind, suspicionKinds } from "../../domain/page-quarantine.ts";
import { isStoreId, type StoreId } from "../../domain/store-id.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { type ActDeps, recordAudit } from "../audit.ts";

type IncidentRef = { store: StoreId; kind: SuspicionKind };

/**
 * `appstore/dates_shifted`, as lists show it.
 * @throws AppError `invalid_input`
 */
export function parseIncident(text: string): IncidentRef {
  const [store = "", kind = ""] = text.split("/");
  const known = suspicionKinds.find((one) => one === kind);
  if (isStoreId(store) && known) return { store, kind: known };
  const message = "an incident is a store and a kind, like appstore/dates_shifted";
  throw new AppError("invalid_input", message);
}

/**
 * From now on pages of that kind count, for a week.
 * @throws AppError `not_found`
 */
export function acceptIncident(deps: ActDeps, incident: IncidentRef): Promise<void> {
  const now = deps.clock.now();
  return decide(deps, incident, {
    action: "incident.accepted",
    apply: (tx) => tx.acceptLayoutIncident({ ...incident, now }),
  });
}

/**
 * Forgets the incident and the pages that are held back: the next reading of each feed begins anew.
 * @throws AppError `not_found`
 */
export function rejectIncident(deps: ActDeps, incident: IncidentRef): Promise<void> {
  return decide(deps, incident, {
    action: "incident.rejected",
    apply: (tx) => tx.rejectLayoutIncident(incident),
  });
}

function decide(
  deps: ActDeps,
  { store, kind }: IncidentRef,
  decision: { action: string; apply: (tx: DatabaseTransaction) => Promise<boolean> },
): Promise<void> {
  const subject = `${store}/${kind}`;
  return deps.database.transaction(async (tx) => {
    if (!(await decision.apply(tx))) throw notFound("incident", subject);
    await recordAudit(deps, tx, decision.action, subject);
  });
}
