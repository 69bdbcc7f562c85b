// Reviews and their earlier versions, written in bulk by the ingest transaction alone.
import type { SentimentLabel } from "../../domain/analysis.ts";
import { type Review, type ReviewVersion, regionOf } from "../../domain/review.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, queryRows } from "../query.ts";
import { raiseListingVersion } from "./listings.ts";

type ReviewRow = Omit<Review, "analysis" | "translation" | "reply"> & {
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
  fineTuning: number | null;
  analysisProvider: string | null;
  translatedText: string | null;
  translatedFrom: string | null;
};

const columns = `id, store_review_id as "storeReviewId", author, rating, title, body as text, version,
  country, language_hint as "languageHint", date, is_date_assumed as "isDateAssumed", votes, reply_text as "replyText",
  reply_at as "replyAt", analysis_version as "analysisVersion", language, sentiment,
  sentiment_score as "sentimentScore", clause_min as "clauseMin", clause_max as "clauseMax", topics,
  topic_scores as "topicScores",
  fine_tuning as "fineTuning", analysis_provider as "analysisProvider",
  translated_text as "translatedText", translated_from as "translatedFrom",
  first_seen_at as "firstSeenAt", edited_at as "editedAt"`;

/** Those of these reviews that are stored, in no order. */
export async function loadReviews(
  db: Db,
  query: { listingId: string; ids: readonly string[] },
): Promise<Review[]> {
  const found = await queryRows<ReviewRow>(
    db,
    // Without a name it is planned each time. A plan from when the table was small would read all of it
    // for every batch of a backfill.
    "",
    // One lookup of the index for each id. With all ids in one condition, the server scans the index from
    // the first to the last, past nearly every review of a large app.
    `select ${columns} from unnest($2::uuid[]) as ids (review_id)
     cross join lateral (
       select * from reviews where listing_id = $1 and id = ids.review_id offset 0
     ) found`,
    [query.listingId, query.ids],
  );
  return found.map(toReview);
}

/** One batch of a listing's reviews in the order of their ids; start with null. */
export async function listReviewsById(
  db: Db,
  batch: { listingId: string; afterId: string | null; limit: number },
): Promise<Review[]> {
  const found = await queryRows<ReviewRow>(
    db,
    "listReviewsById",
    `select ${columns} from reviews where listing_id = $1 and ($2::uuid is null or id > $2)
     order by id limit $3`,
    [batch.listingId, batch.afterId, batch.limit],
  );
  return found.map(toReview);
}

export async function insertReviews(
  db: Db,
  insert: { listingId: string; reviews: readonly Review[] },
): Promise<void> {
  if (insert.reviews.length === 0) return;
  await raiseVersion(db, insert);
  await queryRows(
    db,
    "insertReviews",
    `insert into reviews (changed_at, listing_id, ${unnestedColumns})
     select ${changedAt}, n.* from (${selectUnnested}) n`,
    [insert.listingId, ...toArrays(insert.reviews)],
  );
}

/** Overwrites reviews by their id; call `insertReviewVersions` first. */
export async function updateReviews(
  db: Db,
  update: { listingId: string; reviews: readonly Review[] },
): Promise<void> {
  if (update.reviews.length === 0) return;
  await raiseVersion(db, update);
  await queryRows(
    db,
    "updateReviews",
    `update reviews r set changed_at = ${changedAt},
       ${unnestedNames.map((name) => `${name} = n.${name}`).join(", ")}
     from (${selectUnnested}) n (listing_id, ${unnestedColumns})
     where r.listing_id = n.listing_id and r.id = n.id`,
    [update.listingId, ...toArrays(update.reviews)],
  );
}

/** The moment that `raiseListingVersion` set in this transaction. */
const changedAt = "(select l.changed_at from listings l where l.id = $1)";

async function raiseVersion(
  db: Db,
  written: { listingId: string; reviews: readonly Review[] },
): Promise<void> {
  const regions = [...new Set(written.reviews.map(regionOf))];
  await raiseListingVersion(db, { listingId: written.listingId, regions });
}

/** Saves the present content of these reviews as a version with the next number of each. */
export async function insertReviewVersions(
  db: Db,
  insert: { listingId: string; reviewIds: readonly string[]; now: Date },
): Promise<void> {
  if (insert.reviewIds.length === 0) return;
  await queryRows(
    db,
    "insertReviewVersions",
    `insert into review_versions
       (listing_id, review_id, number, rating, title, body, version, date, replaced_at)
     select listing_id, id,
       (select coalesce(max(v.number), 0) + 1 from review_versions v
        where v.listing_id = r.listing_id and v.review_id = r.id),
       rating, title, body, version, date, $3
     from reviews r where listing_id = $1 and id = any($2::uuid[])`,
    [insert.listingId, insert.reviewIds, insert.now],
  );
}

/** Earlier versions of these reviews, oldest first. */
export function loadReviewVersions(
  db: Db,
  query: { listingId: string; reviewIds: readonly string[] },
): Promise<(ReviewVersion & { reviewId: string })[]> {
  return queryRows(
    db,
    "loadReviewVersions",
    `select review_id as "reviewId", number, rating, title, body as text, version, date,
       replaced_at as "replacedAt"
     from review_versions where listing_id = $1 and review_id = any($2::uuid[])
     order by review_id, number`,
    [query.listingId, query.reviewIds],
  );
}

// One line per column: its name, its type in unnest, and its value. Topics and their scores are one text
// with commas, because unnest would flatten an array of arrays.
const unnested: readonly [
  name: string,
  type: string,
  value: (review: Review) => string | number | boolean | Date | null,
][] = [
  ["id", "uuid", (review) => review.id],
  ["store_review_id", "text", (review) => review.storeReviewId],
  ["author", "text", (review) => review.author],
  ["rating", "smallint", (review) => review.rating],
  ["title", "text", (review) => review.title],
  ["body", "text", (review) => review.text],
  ["version", "text", (review) => review.version],
  ["country", "text", (review) => review.country],
  ["language_hint", "text", (review) => review.languageHint],
  ["date", "timestamptz", (review) => review.date],
  ["is_date_assumed", "boolean", (review) => review.isDateAssumed],
  ["votes", "integer", (review) => review.votes],
  ["reply_text", "text", (review) => review.reply?.text ?? null],
  ["reply_at", "timestamptz", (review) => review.reply?.at ?? null],
  ["analysis_version", "integer", (review) => review.analysis?.version ?? null],
  ["language", "text", (review) => review.analysis?.language ?? null],
  ["sentiment", "text", (review) => review.analysis?.sentiment?.label ?? null],
  ["sentiment_score", "real", (review) => review.analysis?.sentiment?.score ?? null],
  ["clause_min", "real", (review) => review.analysis?.sentiment?.clauseMin ?? null],
  ["clause_max", "real", (review) => review.analysis?.sentiment?.clauseMax ?? null],
  ["topics", "text", (review) => (review.analysis?.topics ?? []).join(",")],
  ["topic_scores", "text", (review) => review.analysis?.topicScores?.join(",") ?? null],
  ["fine_tuning", "integer", (review) => review.analysis?.fineTuning ?? null],
  ["analysis_provider", "text", (review) => review.analysis?.provider ?? null],
  ["translated_text", "text", (review) => review.translation?.text ?? null],
  ["translated_from", "text", (review) => review.translation?.from ?? null],
  ["first_seen_at", "timestamptz", (review) => review.firstSeenAt],
  ["edited_at", "timestamptz", (review) => review.editedAt],
];

const unnestedNames = unnested.map(([name]) => name);
const unnestedColumns = unnestedNames.join(", ");
const listColumns: Readonly<Record<string, string>> = {
  topics: "string_to_array(u.topics, ',')",
  topic_scores: "string_to_array(u.topic_scores, ',')::real[]",
};
const selectUnnested = `select $1::uuid, ${unnestedNames
  .map((name) => listColumns[name] ?? `u.${name}`)
  .join(", ")} from unnest(${unnested
  .map(([, type], index) => `$${index + 2}::${type}[]`)
  .join(", ")}) as u (${unnestedColumns})`;

function toArrays(reviews: readonly Review[]): string[] {
  return unnested.map(([, , value]) => toArrayText(reviews.map(value)));
}

function toReview(row: ReviewRow): Review {
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
    fineTuning,
    analysisProvider,
    translatedText,
    translatedFrom,
    ...plain
  } = row;
  return {
    ...plain,
    reply: replyText === null ? null : { text: replyText, at: replyAt },
    analysis:
      analysisVersion === null || language === null
        ? null
        : {
            version: analysisVersion,
            language,
            topics,
            ...(topicScores === null ? {} : { topicScores }),
            ...(fineTuning === null ? {} : { fineTuning }),
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
