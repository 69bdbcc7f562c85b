// Reviews whose analysis is older than the engine, or missing, and the engine versions for which no such review is left.
import sql, { type Sql } from "sql-template-tag";
import { lowestUuid } from "../../lib/uuid.ts";
import { selectLine } from "../collecting/apps.ts";
import { type Db, queryFirstRow, queryRows, queryValue, queryValues } from "../query.ts";

/** Whether a complete run over all reviews has used this version of the engine. */
export async function isAnalyzedWith(db: Db, version: number): Promise<boolean> {
  const statement = sql`select from analysis_runs where analysis_version = ${version}`;
  return (await queryFirstRow(db, "isAnalyzedWith", statement)) !== null;
}

export async function saveAnalysisRun(db: Db, run: { version: number; now: Date }): Promise<void> {
  const statement = sql`insert into analysis_runs (analysis_version, finished_at)
    values (${run.version}, ${run.now}) on conflict do nothing`;
  await queryRows(db, "saveAnalysisRun", statement);
}

type Backlog = { listingId: string; version: number };

const writeBacklog = ({ listingId, version }: Backlog): Sql => sql`from reviews r
  where r.listing_id = ${listingId} and coalesce(r.analysis_version, 0) < ${version}`;

/** Listings that may have a backlog, each with its line: those of one workspace's apps, or all; in order. */
export function listListingsToAnalyze(
  db: Db,
  workspaceId: string | null,
): Promise<{ listingId: string; line: string | null }[]> {
  const statement = sql`select id as "listingId", (${selectLine(sql`l.id`)}) as line from listings l
    where removed_at is null and (${workspaceId}::uuid is null
      or exists (select from apps where listing_id = l.id and workspace_id = ${workspaceId}))
    order by id`;
  return queryRows(db, "listListingsToAnalyze", statement);
}

/** For one listing at a time, so that no statement runs for long. */
export async function countAnalysisBacklog(db: Db, query: Backlog): Promise<number> {
  const statement = sql`select count(*) ${writeBacklog(query)}`;
  return (await queryValue<number>(db, "countAnalysisBacklog", statement)) ?? 0;
}

/** One batch of a listing's backlog in the order of the ids; start with null. */
export function listBacklogIds(
  db: Db,
  batch: Backlog & { afterId: string | null; limit: number },
): Promise<string[]> {
  const statement = sql`select r.id ${writeBacklog(batch)} and r.id > ${batch.afterId ?? lowestUuid}
    order by r.id limit ${batch.limit}`;
  return queryValues<string>(db, "listBacklogIds", statement);
}
