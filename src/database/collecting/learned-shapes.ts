// Learned shapes of store payloads: one row for each shape that differs from the release's.
import type { LearnedShape } from "../../domain/feed/learned-shape.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { insertAuditEntry } from "../accounts/audit.ts";
import { changesRow, type Db, queryRows } from "../query.ts";

/**
 * Replaces the learned shape of that name, unless it is no longer the one that was read; without `replaces`, whatever it
 * is. The audit log has every state that users notice. Returns whether it was saved.
 *
 * @param learned.replaces the row that was read; null: there was none
 */
export async function saveLearnedShape(
  db: Db,
  learned: LearnedShape & { actor: string; replaces?: LearnedShape | null },
): Promise<boolean> {
  const { name, state, roundCount, reason, since, actor, replaces } = learned;
  const isSaved = await changesRow(
    db,
    "saveLearnedShape",
  )`insert into learned_shapes (name, shape, state, round_count,
    reason, since)
    values (${name}, ${JSON.stringify(learned.shape)}, ${state}, ${roundCount}, ${reason}, ${since})
    on conflict (name) do update set shape = excluded.shape, state = excluded.state,
      round_count = excluded.round_count, reason = excluded.reason, since = excluded.since
    where ${replaces === undefined} or (learned_shapes.state = ${replaces?.state ?? null}
      and learned_shapes.since = ${replaces?.since ?? null}
      and learned_shapes.round_count = ${replaces?.roundCount ?? null})`;
  if (!isSaved || state === "shadow") return isSaved;
  await insertAuditEntry(db, {
    ...{ id: uuidV7(since), workspaceId: null, at: since, actor },
    action: "shape.changed",
    subject: name,
    detail: { state, reason },
  });
  return true;
}

export function listLearnedShapes(db: Db): Promise<LearnedShape[]> {
  return queryRows(db, "listLearnedShapes")<LearnedShape>`select name, shape, state,
    round_count as "roundCount", reason, since from learned_shapes order by name`;
}
