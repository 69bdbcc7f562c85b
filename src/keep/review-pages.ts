// Pages of reviews for those who read them: newest first, one index range per app, merged. The cost is
// apps × page, at any depth and any number of reviews.
import { addDays, type Day } from "../lib/timestamp.ts";
import type { SentimentLabel } from "../reviews/analysis.ts";
import type { Review } from "../reviews/review.ts";
import type { StoreId } from "../reviews/store-id.ts";
import { type Db, rows } from "./db.ts";

/** Where a review stands in the order of pages: by date, then id, both descending. */
export type ReviewPosition = {
  /** Microseconds since 1970: PostgreSQL keeps them, a Date would lose them and skip reviews. */
  dateMicros: bigint;
  id: string;
};

export type ReviewFilters = {
  workspaceId: string;
  /** null: all of the workspace. */
  appId: string | null;
  stores: readonly StoreId[];
  /** UTC days, both inclusive; null is open. */
  from: Day | null;
  to: Day | null;
  rating: number | null;
  sentiment: SentimentLabel | null;
  topic: string | null;
};

/** A review as readers see it; `sentiment` is null and `topics` empty while it is not analysed. */
export type ReadReview = Pick<
  Review,
  "id" | "author" | "rating" | "title" | "text" | "version" | "country" | "date"
> & {
  store: StoreId;
  externalAppId: string;
  translatedText: string | null;
  translatedFrom: string | null;
  sentiment: SentimentLabel | null;
  sentimentScore: number | null;
  topics: string[];
  position: ReviewPosition;
};

/** Reviews that match, the newest first, those after `after` in that order. */
export async function listReviewPage(
  db: Db,
  page: { filters: ReviewFilters; after: ReviewPosition | null; limit: number },
): Promise<ReadReview[]> {
  const { filters } = page;
  const bound = upperBound(filters.to, page.after);
  const values: unknown[] = [
    filters.workspaceId,
    filters.stores,
    filters.from === null ? "-infinity" : startOf(filters.from),
    bound.date,
    bound.id,
    page.limit,
  ];
  // One named statement per set of filters: a plan that holds for "filter or not" is no index range.
  const statement = buildStatement(filters, (value) => `$${values.push(value)}`);
  const found = await rows<PageRow>(db, statement.name, statement.text, values);
  return found.map(toReadReview);
}

type PageRow = Omit<ReadReview, "position"> & { dateMicros: string };

const columns = `r.id, r.author, r.rating, r.title, r.body as text, r.version, r.country, r.date,
  (extract(epoch from r.date) * 1000000)::bigint::text as "dateMicros",
  r.translated_text as "translatedText", r.translated_from as "translatedFrom",
  r.sentiment, r.sentiment_score as "sentimentScore", r.topics`;

function buildStatement(
  filters: ReviewFilters,
  parameter: (value: unknown) => string,
): { name: string; text: string } {
  const parts: string[] = [];
  const where = (part: string, condition: string, value: unknown): string => {
    if (value === null) return "";
    parts.push(part);
    return ` and ${condition} ${parameter(value)}`;
  };
  const app = where("App", "a.id =", filters.appId);
  const range =
    where("Rating", "r.rating =", filters.rating) +
    where("Sentiment", "r.sentiment =", filters.sentiment);
  const source =
    filters.topic === null ? selectRange(range) : selectTopic(range, parameter(filters.topic));
  const name = `listReviewPage${parts.join("")}${filters.topic === null ? "" : "Topic"}`;
  const text = `select p.*, l.store, l.external_app_id as "externalAppId"
    from apps a join listings l on l.id = a.listing_id cross join lateral (${source}) p
    where a.workspace_id = $1 and l.store = any($2::text[])${app}
    order by p.date desc, p.id desc limit $6`;
  return { name, text };
}

function selectRange(filter: string): string {
  return `select ${columns} from reviews r
    where r.listing_id = a.listing_id and r.date >= $3::timestamptz
      and (r.date, r.id) < ($4::timestamptz, $5::uuid)${filter}
    order by r.date desc, r.id desc limit $6`;
}

// Walks the days on which the topic occurs, newest first, so that a rare topic does not read all
// reviews. Each day has one upper bound only: a second one would make the index start at the newest.
function selectTopic(filter: string, topic: string): string {
  const start = "d.day::timestamp at time zone 'UTC'";
  const end = "(d.day + 1)::timestamp at time zone 'UTC'";
  return `select r.* from topic_days d cross join lateral (
      select ${columns} from reviews r
      where r.listing_id = d.listing_id and r.date >= greatest($3::timestamptz, ${start})
        and (r.date, r.id) < (least($4::timestamptz, ${end}),
          case when $4::timestamptz < ${end} then $5::uuid else '${lowestId}'::uuid end)
        and r.topics @> array[${topic}::text]${filter}
      order by r.date desc, r.id desc limit $6
    ) r
    where d.listing_id = a.listing_id and d.topic = ${topic}::text
      and d.day >= ($3::timestamptz at time zone 'UTC')::date
      and d.day <= ($4::timestamptz at time zone 'UTC')::date
    order by d.day desc, r.date desc, r.id desc limit $6`;
}

const lowestId = "00000000-0000-0000-0000-000000000000";

/** The position that every row stands after: the earlier of the cursor and the end of `to`. */
function upperBound(to: Day | null, after: ReviewPosition | null): { date: string; id: string } {
  const end = to === null ? null : startOf(addDays(to, 1));
  if (after === null) return { date: end ?? "infinity", id: lowestId };
  const date = toMicrosText(after.dateMicros);
  return end !== null && end <= date ? { date: end, id: lowestId } : { date, id: after.id };
}

function startOf(day: Day): string {
  return `${day}T00:00:00.000000Z`;
}

function toMicrosText(dateMicros: bigint): string {
  // Reviews are of 2008 or later, so the remainder is never negative.
  const micros = String(dateMicros % 1_000n).padStart(3, "0");
  return `${new Date(Number(dateMicros / 1_000n)).toISOString().slice(0, -1)}${micros}Z`;
}

function toReadReview({ dateMicros, ...row }: PageRow): ReadReview {
  return { ...row, position: { dateMicros: BigInt(dateMicros), id: row.id } };
}
