// Reviews and their earlier versions, written in bulk by the ingest transaction alone.
import sql, { raw, type Sql } from "sql-template-tag";
import type { SentimentLabel } from "../../domain/review/analysis.ts";
import {
  type Review,
  type ReviewVersion,
  regionOf,
  reviewLimits,
} from "../../domain/review/review.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { constantKey } from "../cluster/coordinator.ts";
import { raiseListingVersion } from "../collecting/listings.ts";
import { type Db, execute, queryRows, queryValues } from "../query.ts";
import { type Parameter, parameter, type UnnestedColumns, unnest } from "../sql.ts";

/** A review before and after a change; null before it was first seen. */
export type RollupChange = { before: Review | null; after: Review };

export type ReviewRow = Omit<
  Review,
  | "analysis"
  | "translation"
  | "reply"
  | "device"
  | "osVersion"
  | "submittedAt"
  | "isListed"
  | "removedAt"
> & {
  device: string | null;
  osVersion: string | null;
  submittedAt: Date | null;
  isListed: boolean;
  removedAt: Date | null;
  replyText: string | null;
  replyAt: Date | null;
  analysisVersion: number | null;
  language: string | null;
  sentiment: SentimentLabel | null;
  sentimentScore: number | null;
  clauseMin: number | null;
  clauseMax: number | null;
  topics: string[];
  topicScores: number[] | null;
  analysisProvider: string | null;
  translatedText: string | null;
  translatedFrom: string | null;
};

export const reviewColumns = sql`id, store_review_id as "storeReviewId", author, rating, title, body as text, version,
  country, language_hint as "languageHint", date, is_date_assumed as "isDateAssumed", votes, reply_text as "replyText",
  reply_at as "replyAt", analysis_version as "analysisVersion", language, sentiment,
  sentiment_score as "sentimentScore", clause_min as "clauseMin", clause_max as "clauseMax", topics,
  topic_scores as "topicScores",
  analysis_provider as "analysisProvider",
  translated_text as "translatedText", translated_from as "translatedFrom",
  first_seen_at as "firstSeenAt", edited_at as "editedAt", device, os_version as "osVersion",
  submitted_at as "submittedAt", is_listed as "isListed", removed_at as "removedAt"`;

// Topics and their scores are one text with commas, because unnest would flatten an array of arrays.
const unnested: UnnestedColumns<Review> = {
  id: ["uuid", (review) => review.id],
  store_review_id: ["text", (review) => review.storeReviewId],
  author: ["text", (review) => review.author],
  rating: ["smallint", (review) => review.rating],
  title: ["text", (review) => review.title],
  body: ["text", (review) => review.text],
  version: ["text", (review) => review.version],
  country: ["text", (review) => review.country],
  language_hint: ["text", (review) => review.languageHint],
  date: ["timestamptz", (review) => review.date],
  is_date_assumed: ["boolean", (review) => review.isDateAssumed],
  votes: ["integer", (review) => review.votes],
  reply_text: ["text", (review) => review.reply?.text ?? null],
  reply_at: ["timestamptz", (review) => review.reply?.at ?? null],
  analysis_version: ["integer", (review) => review.analysis?.version ?? null],
  language: ["text", (review) => review.analysis?.language ?? null],
  sentiment: ["text", (review) => review.analysis?.sentiment?.label ?? null],
  sentiment_score: ["real", (review) => review.analysis?.sentiment?.score ?? null],
  clause_min: ["real", (review) => review.analysis?.sentiment?.clauseMin ?? null],
  clause_max: ["real", (review) => review.analysis?.sentiment?.clauseMax ?? null],
  topics: ["text", (review) => (review.analysis?.topics ?? []).join(",")],
  topic_scores: ["text", (review) => review.analysis?.topicScores?.join(",") ?? null],
  analysis_provider: ["text", (review) => review.analysis?.provider ?? null],
  translated_text: ["text", (review) => review.translation?.text ?? null],
  translated_from: ["text", (review) => review.translation?.from ?? null],
  first_seen_at: ["timestamptz", (review) => review.firstSeenAt],
  edited_at: ["timestamptz", (review) => review.editedAt],
  device: ["text", (review) => review.device ?? null],
  os_version: ["text", (review) => review.osVersion ?? null],
  submitted_at: ["timestamptz", (review) => review.submittedAt ?? null],
  is_listed: ["boolean", (review) => review.isListed ?? false],
  removed_at: ["timestamptz", (review) => review.removedAt ?? null],
};

const unnestedNames = Object.keys(unnested);
const unnestedColumns = raw(unnestedNames.join(", "));
const listColumns: Readonly<Record<string, string>> = {
  topics: "string_to_array(u.topics, ',')",
  topic_scores: "string_to_array(u.topic_scores, ',')::real[]",
};
const selectedColumns = raw(
  unnestedNames.map((name) => listColumns[name] ?? `u.${name}`).join(", "),
);

/** Rows with the listing and all columns of these reviews. */
function selectUnnested(listingId: Parameter, reviews: readonly Review[]): Sql {
  return sql`select ${listingId}::uuid, ${selectedColumns} from ${unnest("u", reviews, unnested)}`;
}

export function toReview(row: ReviewRow): Review {
  const {
    replyText,
    replyAt,
    analysisVersion,
    language,
    sentiment,
    sentimentScore,
    clauseMin,
    clauseMax,
    topics,
    topicScores,
    analysisProvider,
    translatedText,
    translatedFrom,
    device,
    osVersion,
    submittedAt,
    isListed,
    removedAt,
    ...plain
  } = row;
  return {
    ...plain,
    ...(device === null ? {} : { device }),
    ...(osVersion === null ? {} : { osVersion }),
    ...(submittedAt === null ? {} : { submittedAt }),
    ...(isListed ? { isListed } : {}),
    ...(removedAt === null ? {} : { removedAt }),
    reply: replyText === null ? null : { text: replyText, at: replyAt },
    analysis:
      analysisVersion === null || language === null
        ? null
        : {
            version: analysisVersion,
            language,
            topics,
            ...(topicScores === null ? {} : { topicScores }),
            ...(analysisProvider === null ? {} : { provider: analysisProvider }),
            sentiment:
              sentiment === null
                ? null
                : {
                    label: sentiment,
                    score: sentimentScore ?? 0,
                    clauseMin: clauseMin ?? 0,
                    clauseMax: clauseMax ?? 0,
                  },
          },
    translation:
      translatedText === null || translatedFrom === null
        ? null
        : { text: translatedText, from: translatedFrom },
  };
}

/** Which of these reviews are stored, in no order. */
export async function loadReviews(
  db: Db,
  query: { listingId: string; ids: readonly string[] },
): Promise<Review[]> {
  // Without a name it is planned each time. A plan from when the table was small would read all of it for every batch of
  // a backfill.
  const found = await queryRows(db, "")<ReviewRow>`select ${reviewColumns}
    from ${await reviewsByIds({ db, listingId: parameter(query.listingId), ids: query.ids })}`;
  return found.map(toReview);
}

/**
 * The source of an unnamed statement: reviews of a listing by their ids.
 *
 * One lookup of the index for each id: with all ids in one condition, the server scans the index from the first
 * to the last, past nearly every review of a large app. The listing is a row of its own, because of a value that
 * is in no statistics yet the server believes that it has zero reviews, and takes an index without the id.
 */
export async function reviewsByIds(query: {
  db: Db;
  listingId: Parameter;
  ids: readonly string[];
}): Promise<Sql> {
  const { db, listingId, ids } = query;
  return sql`(select ${listingId}::uuid as listing_id offset 0) only_listing
     cross join unnest(${ids}::uuid[]) as ids (review_id)
     cross join lateral (
       select * from reviews r
       where r.listing_id = only_listing.listing_id and r.id = ids.review_id
         ${await constantKey(db, sql`r.listing_id = ${listingId}`)} offset 0
     ) found`;
}

/** One batch of a listing's reviews in the order of their ids; start with null. */
export async function listReviewsById(
  db: Db,
  batch: { listingId: string; afterId: string | null; limit: number },
): Promise<Review[]> {
  const found = await queryRows(db, "listReviewsById")<ReviewRow>`select ${reviewColumns}
      from reviews where listing_id = ${batch.listingId} and id > ${batch.afterId ?? lowestUuid}
    order by id limit ${batch.limit}`;
  return found.map(toReview);
}

export async function insertReviews(
  db: Db,
  insert: { listingId: string; reviews: readonly Review[] },
): Promise<void> {
  if (insert.reviews.length === 0) return;
  const { changedAt } = await raiseVersion(db, insert);
  const rows = selectUnnested(parameter(insert.listingId), insert.reviews);
  await queryRows(db, "insertReviews")`insert into reviews (changed_at, listing_id,
    ${unnestedColumns}) select ${changedAt}::timestamptz, n.* from (${rows}) n`;
}

/** Overwrites reviews by their id; call `insertReviewVersions` first. */
export async function updateReviews(
  db: Db,
  update: { listingId: string; reviews: readonly Review[] },
): Promise<void> {
  if (update.reviews.length === 0) return;
  const { changedAt } = await raiseVersion(db, update);
  const listingId = parameter(update.listingId);
  const assigned = raw(unnestedNames.map((name) => `${name} = n.${name}`).join(", "));
  const rows = selectUnnested(listingId, update.reviews);
  const isConstant = await constantKey(db, sql`r.listing_id = ${listingId}`);
  // Planned each time, and with the listing in a row, like `reviewsByIds`.
  await queryRows(db, "")`update reviews r set changed_at = ${changedAt}::timestamptz, ${assigned}
    from (${rows} offset 0) n (listing_id, ${unnestedColumns})
    where r.listing_id = n.listing_id and r.id = n.id ${isConstant}`;
}

async function raiseVersion(
  db: Db,
  written: { listingId: string; reviews: readonly Review[] },
): Promise<{ changedAt: string | null }> {
  const regions = [...new Set(written.reviews.map(regionOf))];
  return raiseListingVersion(db, { listingId: written.listingId, regions });
}

/** Saves the present content of these reviews, and its analysis, as a version with the next number of each. */
export async function insertReviewVersions(
  db: Db,
  insert: { listingId: string; reviewIds: readonly string[]; now: Date },
): Promise<void> {
  if (insert.reviewIds.length === 0) return;
  const listingId = parameter(insert.listingId);
  const isConstant = await constantKey(db, sql`v.listing_id = ${listingId}`);
  const numbers = await queryValues(db, "")<number>`insert into review_versions
      (listing_id, review_id, number, rating, title, body, version, date, replaced_at, sentiment, topics,
        topic_scores)
    select found.listing_id, id,
      (select coalesce(max(v.number), 0) + 1 from review_versions v
       where v.listing_id = found.listing_id and v.review_id = found.id ${isConstant}),
      rating, title, body, version, date, ${insert.now}, sentiment,
      case when analysis_version is not null then topics end, topic_scores
    from ${await reviewsByIds({ db, listingId, ids: insert.reviewIds })} returning number`;
  if (!numbers.some((number) => number > reviewLimits.versionsMax)) return;
  await queryRows(db, "dropOldVersions")`delete from review_versions v
    using (select review_id, max(number) as last from review_versions
      where listing_id = ${insert.listingId} and review_id = any(${insert.reviewIds}::uuid[]) group by 1) n
    where v.listing_id = ${insert.listingId} and v.review_id = n.review_id
      and v.number <= n.last - ${reviewLimits.versionsMax}`;
}

/** Earlier versions of reviews, each with its number, in place of all that these reviews had. */
export async function replaceReviewVersions(
  db: Db,
  replace: { listingId: string; versions: readonly (ReviewVersion & { reviewId: string })[] },
): Promise<void> {
  const { listingId, versions } = replace;
  if (versions.length === 0) return;
  const reviewIds = [...new Set(versions.map(({ reviewId }) => reviewId))];
  await queryRows(db, "deleteReplacedVersions")`delete from review_versions
      where listing_id = ${listingId} and review_id = any(${reviewIds}::uuid[])`;
  const rows = unnest("given", versions, {
    review_id: ["uuid", ({ reviewId }) => reviewId],
    number: ["integer", ({ number }) => number],
    rating: ["smallint", ({ rating }) => rating],
    title: ["text", ({ title }) => title],
    body: ["text", ({ text }) => text],
    version: ["text", ({ version }) => version],
    date: ["timestamptz", ({ date }) => date],
    replaced_at: ["timestamptz", ({ replacedAt }) => replacedAt],
  });
  await queryRows(db, "replaceReviewVersions")`insert into review_versions
      (listing_id, review_id, number, rating, title, body, version, date, replaced_at)
    select ${listingId}, * from ${rows}`;
}

/** Earlier versions of these reviews, oldest first. */
export function loadReviewVersions(
  db: Db,
  query: { listingId: string; reviewIds: readonly string[] },
): Promise<(ReviewVersion & { reviewId: string })[]> {
  return queryRows(db, "loadReviewVersions")`select review_id as "reviewId", number, rating, title,
      body as text, version, date, replaced_at as "replacedAt"
    from review_versions where listing_id = ${query.listingId}
      and review_id = any(${query.reviewIds}::uuid[])
    order by review_id, number`;
}

// Reviews that a list of all reviews no longer has: marked, and kept.

/**
 * Marks those of a listing that such a list had once, dated in between and not among the shown ones. Nothing is marked
 * where there are more than `countMax`. Returns how many were.
 */
export async function markRemovedReviews(
  db: Db,
  mark: {
    listingId: string;
    above: Date | null;
    below: Date | null;
    shownIds: readonly string[];
    countMax: number;
    now: Date;
  },
): Promise<number> {
  const { listingId, countMax } = mark;
  const gone = await queryValues(db, "listRemovedReviews")<string>`select id from reviews
    where listing_id = ${listingId} and is_listed and removed_at is null and not is_date_assumed
      and (${mark.above}::timestamptz is null or date > ${mark.above})
        and (${mark.below}::timestamptz is null or date < ${mark.below})
      and id <> all(${mark.shownIds}::uuid[])
    limit ${countMax + 1}`;
  if (gone.length === 0 || gone.length > countMax) return 0;
  const { changedAt } = await raiseListingVersion(db, { listingId });
  return execute(db, "markRemovedReviews")`update reviews
    set removed_at = ${mark.now}, changed_at = ${changedAt}::timestamptz
    where listing_id = ${listingId} and id = any(${gone}::uuid[])`;
}
