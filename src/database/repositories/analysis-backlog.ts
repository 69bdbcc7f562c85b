// Reviews that were not analyzed by what is in use now: by an older engine, by none yet, or with another
// fine-tuning of their language. A provider's analysis stays until the engine itself is newer.
import { lowestUuid } from "../../lib/uuid.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { isFineTuningInUseSql } from "./fine-tuning-sql.ts";

// The version is the statement's second parameter.
const backlog = `from reviews r
  left join fine_tunings t on t.language = r.language and ${isFineTuningInUseSql("$2")}
  where (coalesce(r.analysis_version, 0) < $2
    or (r.analysis_provider is null and coalesce(r.fine_tuning, 0) <> coalesce(t.number, 0)))`;

/** Listings that may have a backlog: those of one workspace's apps, or all; in order. */
export async function listListingsToAnalyze(db: Db, workspaceId: string | null): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    "listListingsToAnalyze",
    `select id from listings l
     where removed_at is null and ($1::uuid is null
       or exists (select from apps where listing_id = l.id and workspace_id = $1))
     order by id`,
    [workspaceId],
  );
  return found.map(({ id }) => id);
}

/** For one listing at a time, so that no statement runs for long. */
export async function countAnalysisBacklog(
  db: Db,
  query: { listingId: string; version: number },
): Promise<number> {
  const counted = await queryFirstRow<{ count: number }>(
    db,
    "countAnalysisBacklog",
    `select count(*) ${backlog} and r.listing_id = $1`,
    [query.listingId, query.version],
  );
  return counted?.count ?? 0;
}

/** One batch of a listing's backlog in the order of the ids; start with null. */
export async function listBacklogIds(
  db: Db,
  batch: { listingId: string; version: number; afterId: string | null; limit: number },
): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    "listBacklogIds",
    `select r.id ${backlog} and r.listing_id = $1 and r.id > $3
     order by r.id limit $4`,
    [batch.listingId, batch.version, batch.afterId ?? lowestUuid, batch.limit],
  );
  return found.map(({ id }) => id);
}
