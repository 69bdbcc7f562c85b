// Reviews whose analysis is older than the engine, or missing, and the engine versions for which no such review is left.
import sql, { type Sql } from "sql-template-tag";
import { lowestUuid } from "../../lib/uuid.ts";
import { selectLine } from "../collecting/apps.ts";
import { type Db, queryCount, queryFirstRow, queryRows, queryValues } from "../query.ts";

/** Whether a complete run over all reviews has used this version of the engine. */
export async function isAnalyzedWith(db: Db, version: number): Promise<boolean> {
  const found = await queryFirstRow(db, "isAnalyzedWith")`select from analysis_runs
    where analysis_version = ${version}`;
  return found !== null;
}

export async function saveAnalysisRun(db: Db, run: { version: number; now: Date }): Promise<void> {
  await queryRows(db, "saveAnalysisRun")`insert into analysis_runs (analysis_version, finished_at)
    values (${run.version}, ${run.now}) on conflict do nothing`;
}

type Backlog = { listingId: string; version: number };

const writeBacklog = ({ listingId, version }: Backlog): Sql => sql`from reviews r
  where r.listing_id = ${listingId} and coalesce(r.analysis_version, 0) < ${version}`;

/** Listings that may have a backlog, each with its line: those of one workspace's apps, or all; in order. */
export function listListingsToAnalyze(
  db: Db,
  workspaceId: string | null,
): Promise<{ listingId: string; line: string | null }[]> {
  return queryRows(db, "listListingsToAnalyze")`select id as "listingId",
    (${selectLine(sql`l.id`)}) as line from listings l
    where removed_at is null and (${workspaceId}::uuid is null
      or exists (select from apps where listing_id = l.id and workspace_id = ${workspaceId}))
    order by id`;
}

/** For one listing at a time, so that no statement runs for long. */
export async function countAnalysisBacklog(db: Db, query: Backlog): Promise<number> {
  return queryCount(db, "countAnalysisBacklog")`select count(*)
    ${writeBacklog(query)}`;
}

/** One batch of a listing's backlog in the order of the ids; start with null. */
export function listBacklogIds(
  db: Db,
  batch: Backlog & { afterId: string | null; limit: number },
): Promise<string[]> {
  return queryValues(db, "listBacklogIds")<string>`select r.id ${writeBacklog(batch)}
    and r.id > ${batch.afterId ?? lowestUuid} order by r.id limit ${batch.limit}`;
}
