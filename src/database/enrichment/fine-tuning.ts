// Fine-tunings of the built-in sentiment: the weights in use, how the last run ended, the switches, and the reviews that
// are still analyzed by something older.
import {
  allLanguages,
  type FineTuningRun,
  type FineTuningState,
} from "../../domain/fine-tuning.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";

/** Fine-tunings in use, with their weights. */
export function loadFineTunedWeights(
  db: Db,
  version: number,
): Promise<{ language: string; number: number; weights: Buffer }[]> {
  return queryRows(
    db,
    "loadFineTunedWeights",
    `select language, number, weights from fine_tunings t where ${isFineTuningInUseSql("$1")}`,
    [version],
  );
}

/** The same without weights: cheap enough for every ingest. */
export function listFineTuningsInUse(
  db: Db,
  version: number,
): Promise<{ language: string; number: number }[]> {
  return queryRows(
    db,
    "listFineTuningsInUse",
    `select language, number from fine_tunings t where ${isFineTuningInUseSql("$1")}`,
    [version],
  );
}

type StateRow = Omit<FineTuningState, "shipped" | "inUse"> & {
  shippedAccuracy: number | null;
  shippedAuc: number | null;
  accuracy: number | null;
  auc: number | null;
};

export async function listFineTunings(db: Db, version: number): Promise<FineTuningState[]> {
  const found = await queryRows<StateRow>(
    db,
    "listFineTunings",
    `select language, is_enabled as "isEnabled", ${isFineTuningInUseSql("$1")} as "isInUse", number,
       analysis_version as "analysisVersion", promoted_at as "takenAt", run_at as "triedAt",
       review_count as "reviewCount", row_count as "rowCount", held_out_count as "heldOutCount",
       shipped_accuracy as "shippedAccuracy", shipped_auc as "shippedAuc", accuracy, auc, outcome
     from fine_tunings t where language <> '${allLanguages}' order by language collate "C"`,
    [version],
  );
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
  const saved = await queryFirstRow<{ language: string }>(
    db,
    "saveFineTuningRun",
    `insert into fine_tunings as t (language, analysis_version, number, weights, promoted_at, run_at,
       review_count, row_count, held_out_count, shipped_accuracy, shipped_auc, accuracy, auc, outcome)
     values ($1, $2, case when $3 = 'promote' then 1 else 0 end, $4,
       case when $3 = 'promote' then $5::timestamptz end, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (language) do update set analysis_version = excluded.analysis_version,
       number = t.number + excluded.number,
       -- Weights for another engine mean nothing to this one.
       weights = case when $3 = 'keep' and t.analysis_version = excluded.analysis_version
         then t.weights else excluded.weights end,
       promoted_at = coalesce(excluded.promoted_at, t.promoted_at), run_at = excluded.run_at,
       review_count = excluded.review_count, row_count = excluded.row_count,
       held_out_count = excluded.held_out_count, shipped_accuracy = excluded.shipped_accuracy,
       shipped_auc = excluded.shipped_auc, accuracy = excluded.accuracy, auc = excluded.auc,
       outcome = excluded.outcome
     where t.number = $14
     returning language`,
    [
      run.language,
      run.analysisVersion,
      change.kind,
      change.kind === "promote" ? change.weights : null,
      now,
      run.reviewCount,
      run.rowCount,
      run.heldOutCount,
      shipped?.accuracy ?? null,
      shipped?.auc ?? null,
      inUse?.accuracy ?? null,
      inUse?.auc ?? null,
      run.outcome,
      basedOn,
    ],
  );
  return saved !== null;
}

/** @param change.language or `everyLanguage` */
export async function setFineTuningEnabled(
  db: Db,
  change: { language: string; isEnabled: boolean },
): Promise<void> {
  await queryRows(
    db,
    "setFineTuningEnabled",
    `insert into fine_tunings (language, is_enabled) values ($1, $2)
     on conflict (language) do update set is_enabled = excluded.is_enabled`,
    [change.language, change.isEnabled],
  );
}

/** As if no language had been trained yet; weights that are in use stay. */
export async function makeFineTuningDue(db: Db): Promise<void> {
  await queryRows(
    db,
    "makeFineTuningDue",
    "update fine_tunings set run_at = null where language <> $1",
    [allLanguages],
  );
}

export async function isFineTuningAllowed(db: Db): Promise<boolean> {
  const off = await queryFirstRow(
    db,
    "isFineTuningAllowed",
    "select language from fine_tunings where language = $1 and not is_enabled",
    [allLanguages],
  );
  return off === null;
}

/** The newest listings that have reviews. */
export async function listTrainingListings(db: Db, limit: number): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    "listTrainingListings",
    `select id from listings
     -- It has regions as soon as it has a review. Nothing is learned from private reviews: the weights serve everyone.
     where removed_at is null and workspace_id is null and regions <> '{}'
     order by id desc limit $1`,
    [limit],
  );
  return found.map(({ id }) => id);
}

/** The newest reviews of a listing with 1, 2, 4 or 5 stars, with their detected language. */
export function listTrainingReviews(
  db: Db,
  query: { listingId: string; unitsMax: number; limit: number },
): Promise<{ language: string; title: string | null; text: string; rating: number }[]> {
  return queryRows(
    db,
    "listTrainingReviews",
    `select language, title, left(body, $2) as text, rating from reviews
     where listing_id = $1 and rating <> 3 and body <> '' and coalesce(language, 'und') <> 'und'
     order by date desc, id desc limit $3`,
    [query.listingId, query.unitsMax, query.limit],
  );
}

/** The model version that the last complete run over all reviews used; null before the first run. */
export async function findAnalyzedModelVersion(db: Db): Promise<string | null> {
  const found = await queryFirstRow<{ modelVersion: string | null }>(
    db,
    "findAnalyzedModelVersion",
    'select outcome as "modelVersion" from fine_tunings where language = $1',
    [allLanguages],
  );
  return found?.modelVersion ?? null;
}

export async function saveAnalyzedModelVersion(db: Db, modelVersion: string): Promise<void> {
  await queryRows(
    db,
    "saveAnalyzedModelVersion",
    `insert into fine_tunings (language, outcome) values ($1, $2)
     on conflict (language) do update set outcome = excluded.outcome`,
    [allLanguages, modelVersion],
  );
}

// Reviews that were not analyzed by what is in use now: by an older engine, by none yet, or with another
// fine-tuning of their language. A provider's analysis stays until the engine itself is newer.

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

// Which fine-tunings are in use, as a condition for several statements.

/** Whether an engine of that version analyzes the language of the fine-tuning `t` with it. */
function isFineTuningInUseSql(versionParameter: string): string {
  return `(t.weights is not null and t.is_enabled and t.analysis_version = ${versionParameter}
    and not exists
      (select from fine_tunings e where e.language = '${allLanguages}' and not e.is_enabled))`;
}
