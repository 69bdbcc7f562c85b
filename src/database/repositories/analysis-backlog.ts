// Reviews that were not analysed by what is in use now: by an older engine, by none yet, or with another
// adaptation to their language. What a provider said stays until the engine itself is newer.

import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { isFineTuningInUseSql } from "./fine-tuning-sql.ts";

// The version is the statement's second parameter.
const backlog = `from reviews r
  left join adaptations a on a.language = r.language and ${isFineTuningInUseSql("$2")}
  where (coalesce(r.analysis_version, 0) < $2
    or (r.analysed_by is null and coalesce(r.adaptation, 0) <> coalesce(a.number, 0)))`;

/** Listings that a backlog is looked for in: of one workspace's apps, or all; in order. */
export async function listListingsToAnalyze(db: Db, workspaceId: string | null): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    "listListingsToAnalyze",
    `select id from listings l
     where $1::uuid is null
       or exists (select from apps where listing_id = l.id and workspace_id = $1)
     order by id`,
    [workspaceId],
  );
  return found.map(({ id }) => id);
}

/** One listing at a time, so that no statement takes longer than a listing does. */
export async function countAnalysisBacklog(
  db: Db,
  wanted: { listingId: string; version: number },
): Promise<number> {
  const counted = await queryFirstRow<{ count: number }>(
    db,
    "countAnalysisBacklog",
    `select count(*) ${backlog} and r.listing_id = $1`,
    [wanted.listingId, wanted.version],
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
    `select r.id ${backlog} and r.listing_id = $1 and ($3::uuid is null or r.id > $3)
     order by r.id limit $4`,
    [batch.listingId, batch.version, batch.afterId, batch.limit],
  );
  return found.map(({ id }) => id);
}
