// When channels send their digests.
import type { Channel } from "../../domain/channel.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { channelColumns } from "./channels.ts";

/** The longest overdue first. */
export function listDueDigests(db: Db, query: { now: Date; limit: number }): Promise<Channel[]> {
  return queryRows(
    db,
    "listDueDigests",
    `select ${channelColumns} from channels where digest_due_at <= $1 order by digest_due_at, id limit $2`,
    [query.now, query.limit],
  );
}

/** Of all channels; null while none has digests. */
export async function findNextDigestDue(db: Db): Promise<Date | null> {
  const found = await queryFirstRow<{ dueAt: Date | null }>(
    db,
    "findNextDigestDue",
    `select min(digest_due_at) as "dueAt" from channels where digest_due_at is not null`,
    [],
  );
  return found?.dueAt ?? null;
}

/** False when somebody else has done so, or the channel is gone or has another schedule by now. */
export async function advanceDigest(
  db: Db,
  step: { channelId: string; from: Date; to: Date },
): Promise<boolean> {
  const count = await execute(
    db,
    "advanceDigest",
    "update channels set digest_due_at = $3 where id = $1 and digest_due_at = $2",
    [step.channelId, step.from, step.to],
  );
  return count === 1;
}
