// Learned shapes of store payloads: one row for each shape that differs from the release's.
import { type LearnedShape, shapePrefixes } from "../../domain/learned-shape.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { insertAuditEntry } from "../accounts/audit.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/** Replaces the learned shape of that name. The audit log has every state that users notice. */
export async function saveLearnedShape(
  db: Db,
  learned: LearnedShape & { actor: string },
): Promise<void> {
  const { name, state, roundCount, reason, since, actor } = learned;
  await execute(db, "saveLearnedShape")`insert into learned_shapes (name, shape, state, round_count,
    reason, since)
    values (${name}, ${JSON.stringify(learned.shape)}, ${state}, ${roundCount}, ${reason}, ${since})
    on conflict (name) do update set shape = excluded.shape, state = excluded.state,
      round_count = excluded.round_count, reason = excluded.reason, since = excluded.since`;
  if (state === "shadow") return;
  await insertAuditEntry(db, {
    ...{ id: uuidV7(since), workspaceId: null, at: since, actor },
    action: "shape.changed",
    subject: name,
    detail: { state, reason },
  });
}

/** Whether the store's pages have moved for sure, and the new place is being tried or awaits an operator. */
export async function isShapeTried(db: Db, store: StoreId): Promise<boolean> {
  const found = await queryFirstRow(db, "isShapeTried")`select from learned_shapes
    where state in ('shadow', 'proposed') and starts_with(name, ${shapePrefixes[store]})`;
  return found !== null;
}

export function listLearnedShapes(db: Db): Promise<LearnedShape[]> {
  return queryRows(db, "listLearnedShapes")<LearnedShape>`select name, shape, state,
    round_count as "roundCount", reason, since from learned_shapes order by name`;
}
