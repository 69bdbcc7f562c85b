// The data of the benchmark: apps of different sizes over the same two years, generated inside PostgreSQL, with a
// workspace that follows them and enough keys to stay within the rate limit, and another one that follows half of
// the storefronts.
import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import type { Database } from "../../src/database/database.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { addDays } from "../../src/lib/timestamp.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";

/** The day of the newest review; all data lies in the 104 weeks before it. */
export const newestDay = "2026-11-15";
const weekCount = 104;
export const oldestDay = addDays(newestDay, -7 * weekCount);

export type BenchData = {
  workspaceId: string;
  keys: string[];
  big: App;
  /** Large enough that it has a row for every region, topic and week, like the big one. */
  middle: App;
  small: App;
};

/** The apps have reviews of these. */
const storefronts = "us gb de fr es it jp br ca au".split(" ");
const half = storefronts.filter((_, index) => index % 2 === 0);

export async function createBenchData(
  database: Database,
  client: pg.Client,
  input: { bigCount: number; middleCount?: number; smallCount: number; keyCount: number },
): Promise<BenchData & { half: BenchData }> {
  const now = new Date(`${newestDay}T00:00:00Z`);
  const insertWorkspace = async (countries: string[], keyCount: number): Promise<BenchData> => {
    const workspaceId = uuidV7(now);
    const workspace = { name: "Bench", plan: "studio", createdAt: now } as const;
    await database.insertWorkspace({ id: workspaceId, ...workspace });
    const keys = await insertKeys(client, { workspaceId, count: keyCount, now });
    const insert = (name: string): Promise<App> =>
      insertApp(database, { workspaceId, name, countries, now });
    const [big, middle, small] = [
      await insert("big"),
      await insert("middle"),
      await insert("small"),
    ];
    return { workspaceId, keys, big, middle, small };
  };
  const all = await insertWorkspace(storefronts, input.keyCount);
  const ofHalf = await insertWorkspace(half, Math.ceil(input.keyCount / 10));
  // The small app comes last, so that its rows are not stored more densely than those of the big one.
  await insertReviews(client, { listingId: all.big.listingId, count: input.bigCount });
  const { middleCount = 0 } = input;
  if (middleCount > 0) {
    await insertReviews(client, { listingId: all.middle.listingId, count: middleCount });
  }
  await insertReviews(client, { listingId: all.small.listingId, count: input.smallCount });
  await client.query("vacuum analyze");
  return { ...all, half: ofHalf };
}

async function insertKeys(
  client: pg.Client,
  input: { workspaceId: string; count: number; now: Date },
): Promise<string[]> {
  const keys = Array.from({ length: input.count }, () => `sp_${randomBytes(24).toString("hex")}`);
  await client.query(
    `insert into api_keys (id, workspace_id, name, prefix, hash, scope, created_at)
     select gen_random_uuid(), $1, 'bench', 'sp_bench', hash, 'read', $2 from unnest($3::bytea[]) hash`,
    [input.workspaceId, input.now, keys.map((key) => createHash("sha256").update(key).digest())],
  );
  return keys;
}

export async function insertApp(
  database: Database,
  input: { workspaceId: string; name: string; countries: string[]; now: Date },
): Promise<App> {
  const { workspaceId, name, countries, now } = input;
  const listing = { id: uuidV7(now), externalAppId: name, workspaceId: null };
  const { id: listingId } = await database.ensureListing({ ...listing, store: "appstore", now });
  const id = uuidV7(now);
  const regions = { countries, languages: ["en"] };
  await database.insertApp({ id, workspaceId, listingId, name, ...regions, addedAt: now });
  const app = await database.findApp({ id, workspaceId });
  if (!app) throw new Error("the new app is missing");
  return app;
}

const words =
  "tide table harbour chart swell crash login sync price screen update slow love great bad works again never today map wind buoy alarm widget battery offline refund support".split(
    " ",
  );
const topicNames =
  "ads battery bugs content crash design login notifications offline performance pricing privacy search support sync translation updates usability widgets".split(
    " ",
  );

/** Options of `fillReviews` besides the listing and the number of reviews. */
export function reviewTexts(countries: readonly string[]): unknown[] {
  return [newestDay, weekCount * 7 * 86_400, words, topicNames, countries];
}

/** Texts of 40 to 400 characters. One topic is rare: on 60 reviews, whatever the size of the app. */
async function insertReviews(
  client: pg.Client,
  input: { listingId: string; count: number },
): Promise<void> {
  await client.query(fillReviews, [input.listingId, input.count, ...reviewTexts(storefronts)]);
  for (const statement of rollUp) await client.query(statement, [input.listingId]);
}

export const fillReviews = `
  insert into reviews (listing_id, id, store_review_id, author, rating, title, body, version, country,
    date, analysis_version, language, sentiment, sentiment_score, clause_min, clause_max, topics,
    first_seen_at, changed_at)
  select $1, gen_random_uuid(), n, 'reader ' || n % 5000, rating, 'Title ' || n % 700,
    (select string_agg(($5::text[])[1 + (n * 7 + i * i * 13 + n / 31) % array_length($5::text[], 1)], ' ')
     from generate_series(1, 8 + n % 60) i),
    '4.' || n % 9, ($7::text[])[1 + (n * 3 + n / 7) % array_length($7::text[], 1)],
    $3::date::timestamptz - trunc(n::numeric * $4::integer / $2::integer) * interval '1 second',
    1, 'en', sentiment, 0.5, -0.25, 0.5,
    case when n % ($2::integer / 60) = 77 then array['widgets'] when n % 10 < 4 then '{}'::text[]
      when n % 10 < 8 then array[($6::text[])[1 + (n / 10) % 18]]
      else array[($6::text[])[1 + (n / 10) % 9], ($6::text[])[10 + (n / 10) % 9]] end,
    $3::date, $3::date::timestamptz + n * interval '1 microsecond'
  from (
    select n, (array[1, 1, 2, 3, 4, 4, 5, 5, 5, 5])[1 + (n * 7 + n / 10) % 10] as rating,
      (array['positive', 'positive', 'negative', 'neutral', 'positive', 'negative', 'mixed',
        'positive', 'negative'])[1 + n % 9] as sentiment
    from generate_series(0, $2::integer - 1) n
  ) generated`;

const topicCounts = [
  ...["positive_reviews", "neutral_reviews", "negative_reviews", "mixed_reviews"],
  ...["positive", "negative", "stars_lost"],
];

export const rollUp = [
  `insert into review_topics (listing_id, topic, rating, sentiment, date, review_id)
   select listing_id, topic, rating, coalesce(sentiment, ''), date, id
   from reviews, unnest(topics) topic where listing_id = $1`,
  `insert into topic_days (listing_id, region, day, topic, total, ${topicCounts.join(", ")})
   select listing_id, region, date::date, topic, count(*),
     ${["positive", "neutral", "negative", "mixed", "positive", "negative"]
       .map((label) => `count(*) filter (where sentiment = '${label}')`)
       .join(", ")}, coalesce(sum(5 - rating) filter (where sentiment = 'negative'), 0)
   from reviews, unnest(topics) topic, unnest(array['', country]) region
   where listing_id = $1 group by 1, 2, 3, 4`,
  `insert into topic_weeks (listing_id, region, week, topic, total, ${topicCounts.join(", ")})
   select listing_id, region, date_trunc('week', day)::date, topic, sum(total),
     ${topicCounts.map((name) => `sum(${name})`).join(", ")} from topic_days
   where listing_id = $1 group by 1, 2, 3, 4`,
  `insert into review_days (listing_id, region, day, total, stars_1, stars_2, stars_3, stars_4, stars_5,
     positive, neutral, negative, mixed)
   select listing_id, region, date::date, count(*), ${[1, 2, 3, 4, 5]
     .map((stars) => `count(*) filter (where rating = ${stars})`)
     .join(", ")}, ${["positive", "neutral", "negative", "mixed"]
     .map((label) => `count(*) filter (where sentiment = '${label}')`)
     .join(", ")}
   from reviews, unnest(array['', country]) region where listing_id = $1 group by 1, 2, 3`,
  `insert into review_weeks select listing_id, region, date_trunc('week', day::timestamp)::date, sum(total),
     ${[1, 2, 3, 4, 5].map((stars) => `sum(stars_${stars})`).join(", ")},
     sum(positive), sum(neutral), sum(negative), sum(mixed)
   from review_days where listing_id = $1 group by 1, 2, 3`,
  `update listings set version = 1, regions = array(
     select distinct country from reviews where listing_id = $1 order by 1
   ) where id = $1`,
];
