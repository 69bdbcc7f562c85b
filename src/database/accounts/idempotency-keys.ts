// Requests of the API that named an Idempotency-Key, with their answers: one that is repeated is not carried out again.
import { changesRow, type Db, execute, queryFirstRow } from "../query.ts";

type Named = { apiKeyId: string; name: string };

/** A request that was carried out; `answer` is null until it was sent. It has no secret. */
type RememberedRequest = {
  requestHash: Buffer;
  status: number | null;
  answer: string | null;
};

/** Null for a name that is unknown, or was used before `since`. */
export function findIdempotencyKey(
  db: Db,
  { apiKeyId, name, since }: Named & { since: Date },
): Promise<RememberedRequest | null> {
  return queryFirstRow(db, "findIdempotencyKey")`select request_hash as "requestHash", status,
    answer from idempotency_keys where api_key_id = ${apiKeyId} and name = ${name} and used_at >= ${since}`;
}

const deletedMax = 1_000;

/** In the transaction of the request. False when another request with this name was carried out. */
export async function claimIdempotencyKey(
  db: Db,
  claim: Named & { requestHash: Buffer; now: Date; since: Date },
): Promise<boolean> {
  await execute(db, "deleteOldIdempotencyKeys")`delete from idempotency_keys
    where (api_key_id, name) in (
    select api_key_id, name from idempotency_keys where used_at < ${claim.since}
    order by used_at limit ${deletedMax} for update skip locked)`;
  return changesRow(db, "claimIdempotencyKey")`insert into idempotency_keys as k (api_key_id, name,
    request_hash, used_at) values (${claim.apiKeyId}, ${claim.name}, ${claim.requestHash}, ${claim.now})
    on conflict (api_key_id, name) do update
      set request_hash = excluded.request_hash, used_at = excluded.used_at, status = null, answer = null
      where k.used_at < ${claim.since}`;
}

export async function saveIdempotentAnswer(
  db: Db,
  answer: Named & { status: number; answer: string | null },
): Promise<void> {
  await execute(db, "saveIdempotentAnswer")`update idempotency_keys
    set status = ${answer.status}, answer = ${answer.answer}
    where api_key_id = ${answer.apiKeyId} and name = ${answer.name}`;
}
