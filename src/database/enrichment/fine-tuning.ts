// Fine-tunings of the built-in sentiment: the weights in use, how the last run ended, the switches, and the reviews that
// are still analyzed by something older.
import sql, { type Sql } from "sql-template-tag";
import {
  allLanguages,
  type FineTuningRun,
  type FineTuningState,
} from "../../domain/fine-tuning.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { type Db, queryFirstRow, queryRows, queryValue, queryValues } from "../query.ts";

/** Fine-tunings in use, with their weights. */
export function loadFineTunedWeights(
  db: Db,
  version: number,
): Promise<{ language: string; number: number; weights: Buffer }[]> {
  const statement = sql`select language, number, weights from fine_tunings t where ${isInUse(version)}`;
  return queryRows(db, "loadFineTunedWeights", statement);
}

/** The same without weights: cheap enough for every ingest. */
export function listFineTuningsInUse(
  db: Db,
  version: number,
): Promise<{ language: string; number: number }[]> {
  const statement = sql`select language, number from fine_tunings t where ${isInUse(version)}`;
  return queryRows(db, "listFineTuningsInUse", statement);
}

type StateRow = Omit<FineTuningState, "shipped" | "inUse"> & {
  shippedAccuracy: number | null;
  shippedAuc: number | null;
  accuracy: number | null;
  auc: number | null;
};

export async function listFineTunings(db: Db, version: number): Promise<FineTuningState[]> {
  const statement = sql`select language, is_enabled as "isEnabled", ${isInUse(version)} as "isInUse", number,
      analysis_version as "analysisVersion", promoted_at as "takenAt", run_at as "triedAt",
      review_count as "reviewCount", row_count as "rowCount", held_out_count as "heldOutCount",
      shipped_accuracy as "shippedAccuracy", shipped_auc as "shippedAuc", accuracy, auc, outcome
    from fine_tunings t where language <> ${allLanguages} order by language collate "C"`;
  const found = await queryRows<StateRow>(db, "listFineTunings", statement);
  return found.map(({ shippedAccuracy, shippedAuc, accuracy, auc, ...state }) => ({
    ...state,
    shipped: toFigures(shippedAccuracy, shippedAuc),
    inUse: toFigures(accuracy, auc),
  }));
}

function toFigures(accuracy: number | null, auc: number | null): FineTuningState["inUse"] {
  return accuracy === null || auc === null ? null : { accuracy, auc };
}

/**
 * Saves a training run. False, without any change, when another process was faster: `basedOn` is the number
 * that was in use when the run began.
 */
export async function saveFineTuningRun(
  db: Db,
  save: { run: FineTuningRun; basedOn: number; now: Date },
): Promise<boolean> {
  const { run, basedOn, now } = save;
  const { change, shipped, inUse } = run;
  const statement = sql`insert into fine_tunings as t (language, analysis_version, number, weights,
      promoted_at, run_at, review_count, row_count, held_out_count, shipped_accuracy, shipped_auc,
      accuracy, auc, outcome)
    values (${run.language}, ${run.analysisVersion},
      case when ${change.kind} = 'promote' then 1 else 0 end,
      ${change.kind === "promote" ? change.weights : null},
      case when ${change.kind} = 'promote' then ${now}::timestamptz end, ${now}, ${run.reviewCount},
      ${run.rowCount}, ${run.heldOutCount}, ${shipped?.accuracy ?? null}, ${shipped?.auc ?? null},
      ${inUse?.accuracy ?? null}, ${inUse?.auc ?? null}, ${run.outcome})
    on conflict (language) do update set analysis_version = excluded.analysis_version,
      number = t.number + excluded.number,
      -- Weights for another engine mean nothing to this one.
      weights = case when ${change.kind} = 'keep' and t.analysis_version = excluded.analysis_version
        then t.weights else excluded.weights end,
      promoted_at = coalesce(excluded.promoted_at, t.promoted_at), run_at = excluded.run_at,
      review_count = excluded.review_count, row_count = excluded.row_count,
      held_out_count = excluded.held_out_count, shipped_accuracy = excluded.shipped_accuracy,
      shipped_auc = excluded.shipped_auc, accuracy = excluded.accuracy, auc = excluded.auc,
      outcome = excluded.outcome
    where t.number = ${basedOn}
    returning language`;
  const saved = await queryFirstRow<{ language: string }>(db, "saveFineTuningRun", statement);
  return saved !== null;
}

/** @param change.language or `everyLanguage` */
export async function setFineTuningEnabled(
  db: Db,
  change: { language: string; isEnabled: boolean },
): Promise<void> {
  const statement = sql`insert into fine_tunings (language, is_enabled)
    values (${change.language}, ${change.isEnabled})
    on conflict (language) do update set is_enabled = excluded.is_enabled`;
  await queryRows(db, "setFineTuningEnabled", statement);
}

/** As if no language had been trained yet; weights that are in use stay. */
export async function makeFineTuningDue(db: Db): Promise<void> {
  const statement = sql`update fine_tunings set run_at = null where language <> ${allLanguages}`;
  await queryRows(db, "makeFineTuningDue", statement);
}

export async function isFineTuningAllowed(db: Db): Promise<boolean> {
  const statement = sql`select language from fine_tunings where language = ${allLanguages}
      and not is_enabled`;
  const off = await queryFirstRow(db, "isFineTuningAllowed", statement);
  return off === null;
}

/** The newest listings that have reviews. */
export function listTrainingListings(db: Db, limit: number): Promise<string[]> {
  const statement = sql`select id from listings
    -- It has regions as soon as it has a review. Nothing is learned from private reviews: the weights serve everyone.
    where removed_at is null and workspace_id is null and regions <> '{}'
    order by id desc limit ${limit}`;
  return queryValues<string>(db, "listTrainingListings", statement);
}

/** The newest reviews of a listing with 1, 2, 4 or 5 stars, with their detected language. */
export function listTrainingReviews(
  db: Db,
  query: { listingId: string; unitsMax: number; limit: number },
): Promise<{ language: string; title: string | null; text: string; rating: number }[]> {
  const statement = sql`select language, title, left(body, ${query.unitsMax}) as text, rating
    from reviews
    where listing_id = ${query.listingId} and rating <> 3 and body <> ''
      and coalesce(language, 'und') <> 'und'
    order by date desc, id desc limit ${query.limit}`;
  return queryRows(db, "listTrainingReviews", statement);
}

/** The model version that the last complete run over all reviews used; null before the first run. */
export function findAnalyzedModelVersion(db: Db): Promise<string | null> {
  const statement = sql`select outcome as "modelVersion" from fine_tunings
    where language = ${allLanguages}`;
  return queryValue<string>(db, "findAnalyzedModelVersion", statement);
}

export async function saveAnalyzedModelVersion(db: Db, modelVersion: string): Promise<void> {
  const statement = sql`insert into fine_tunings (language, outcome)
    values (${allLanguages}, ${modelVersion})
    on conflict (language) do update set outcome = excluded.outcome`;
  await queryRows(db, "saveAnalyzedModelVersion", statement);
}

// Reviews that were not analyzed by what is in use now: by an older engine, by none yet, or with another
// fine-tuning of their language. A provider's analysis stays until the engine itself is newer.

type Backlog = { listingId: string; version: number };

const writeBacklog = ({ listingId, version }: Backlog): Sql => sql`from reviews r
  left join fine_tunings t on t.language = r.language and ${isInUse(version)}
  where r.listing_id = ${listingId} and (coalesce(r.analysis_version, 0) < ${version}
    or (r.analysis_provider is null and coalesce(r.fine_tuning, 0) <> coalesce(t.number, 0)))`;

/** Listings that may have a backlog: those of one workspace's apps, or all; in order. */
export function listListingsToAnalyze(db: Db, workspaceId: string | null): Promise<string[]> {
  const statement = sql`select id from listings l
    where removed_at is null and (${workspaceId}::uuid is null
      or exists (select from apps where listing_id = l.id and workspace_id = ${workspaceId}))
    order by id`;
  return queryValues<string>(db, "listListingsToAnalyze", statement);
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

/** Whether an engine of that version analyzes the language of the fine-tuning `t` with it. */
function isInUse(version: number): Sql {
  return sql`(t.weights is not null and t.is_enabled and t.analysis_version = ${version}
    and not exists
      (select from fine_tunings e where e.language = ${allLanguages} and not e.is_enabled))`;
}
