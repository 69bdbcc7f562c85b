// Rows of the outbox: deliveries with their final ids and bodies, beside the reviews that they are about. Each is put
// into its bucket and committed there before its row goes: a move that is broken off is repeated, and what is there
// already is left alone. Whoever moves holds the rows of the listing, so that they are moved in their order.
import type { NewDelivery } from "../../domain/delivery.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { readBuckets } from "../delivery/buckets.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { queueValues } from "./delivery-values.ts";

/** A delivery as JSON. */
export type OutboxDelivery = Omit<NewDelivery, "body" | "heldUntil"> & {
  /** JSON is text, and so is a body. */
  body: string;
  heldUntil: string | null;
};

// A row is moved as a whole: small enough for one statement, and for a process that holds several.
const deliveriesMax = 512;
const bodyBytesMax = 1_048_576;
/** So many rows are read, moved and deleted at once. */
const rowsMax = 8;

export async function insertOutboxRows(
  db: Db,
  insert: { listingId: string; deliveries: readonly NewDelivery[]; now: Date },
): Promise<void> {
  for (const part of inParts(insert.deliveries)) {
    await queryRows(
      db,
      "insertIntoOutbox",
      `insert into outbox (listing_id, id, queued_at, created_at, payload)
       values ($1, $2, clock_timestamp(), $3, $4)`,
      [insert.listingId, uuidV7(insert.now), insert.now, JSON.stringify(part.map(toOutbox))],
    );
  }
}

function inParts(deliveries: readonly NewDelivery[]): NewDelivery[][] {
  const parts: NewDelivery[][] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    const last = parts.at(-1);
    bytes += delivery.body.length;
    if (last && last.length < deliveriesMax && bytes <= bodyBytesMax) {
      last.push(delivery);
    } else {
      parts.push([delivery]);
      bytes = delivery.body.length;
    }
  }
  return parts;
}

function toOutbox(delivery: NewDelivery): OutboxDelivery {
  const { body, heldUntil, ...rest } = delivery;
  return { ...rest, body: body.toString("utf8"), heldUntil: heldUntil?.toISOString() ?? null };
}

function fromOutbox({ body, heldUntil, ...rest }: OutboxDelivery): NewDelivery {
  const held = heldUntil === null ? {} : { heldUntil: new Date(heldUntil) };
  return { ...rest, body: Buffer.from(body, "utf8"), ...held };
}

/** Pairs of these channels and reviews of which a `review.created` waits to be moved. */
export function listAnnouncedInOutbox(
  db: Db,
  query: { listingId: string; channelIds: readonly string[]; reviewIds: readonly string[] },
): Promise<{ channelId: string; reviewId: string }[]> {
  return queryRows(
    db,
    "listAnnouncedInOutbox",
    `select d ->> 'channelId' as "channelId", d ->> 'reviewId' as "reviewId"
     from outbox o cross join lateral jsonb_array_elements(o.payload) d
     where o.listing_id = $1 and d ->> 'event' = 'review.created'
       and d ->> 'channelId' = any($2::text[]) and d ->> 'reviewId' = any($3::text[])`,
    [query.listingId, query.channelIds, query.reviewIds],
  );
}

/**
 * Moves the oldest rows of a listing. `db` is a transaction; with another `target` each bucket is committed on its own
 * server, before the rows go. Says whether there may be more.
 * @throws AppError `unavailable` when some can't be moved: all of the rows stay
 */
export async function moveOutboxRows(
  db: Db,
  { listingId, target }: { listingId: string; target: Db },
): Promise<boolean> {
  const rows = await queryRows<{ id: string; createdAt: Date; payload: OutboxDelivery[] }>(
    db,
    "lockOutbox",
    `select id, created_at as "createdAt", payload from outbox where listing_id = $1
     order by queued_at, id limit ${rowsMax} for update`,
    [listingId],
  );
  if (rows.length === 0) return false;
  const { group } = await readBuckets(db);
  const failures = new Map<number, unknown>();
  for (const { createdAt: now, payload } of rows) {
    for (const [bucket, deliveries] of group(payload.map(fromOutbox), (one) => one.channelId)) {
      // The others need not wait for a server that is gone, and what comes later for its channels stays behind.
      if (failures.has(bucket)) continue;
      try {
        await queueValues(target, { bucket, deliveries, now, areAnnounced: true });
      } catch (error) {
        failures.set(bucket, error);
      }
    }
  }
  for (const error of failures.values()) throw error;
  await execute(
    db,
    "deleteFromOutbox",
    "delete from outbox where listing_id = $1 and id = any($2::uuid[])",
    [listingId, rows.map(({ id }) => id)],
  );
  return rows.length === rowsMax;
}
