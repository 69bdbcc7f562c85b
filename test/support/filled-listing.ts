// A listing with many reviews and their rollups of topics, for tests of plans.
import type pg from "pg";
import type { App } from "../../src/domain/feed/listing.ts";

/**
 * A review every quarter of an hour. The three oldest hold what is rare: a topic, 1 star with a positive
 * sentiment, 1 star with `ads`, and a mixed one with `ads`. Everything else is frequent.
 */
export async function fillListing(
  client: pg.Client,
  { app: { listingId }, count }: { app: App; count: number },
): Promise<void> {
  await client.query(
    `insert into reviews (listing_id, id, store_review_id, author, rating, body, version, country,
       date, sentiment, sentiment_score, topics, language, first_seen_at, changed_at)
     select $1, gen_random_uuid(), n, 'riverstone', case when n > $2 - 3 then 1 else 2 + n % 4 end,
       'The tide table is right.', '4.' || n / 10000,
       (array['us', 'us', 'us', 'gb', 'de', 'fr', 'es', 'it', 'jp', 'br', 'ca', 'au'])[1 + n % 12], '2026-11-20'::timestamptz - n * interval '15 minutes',
       case n when $2 then 'positive' when $2 - 1 then 'mixed' when $2 - 2 then null
         else (array['positive', 'neutral', 'negative'])[1 + n % 3] end, 0,
       case when n > $2 - 3 then array['ads', 'refunds']
         when n % 2 = 0 then array['crash', 'sync'] else '{}' end,
       (array['en', 'de'])[1 + n % 2], now(), '2026-11-20'::timestamptz - n * interval '15 minutes'
     from generate_series(1, $2::integer) n`,
    [listingId, count],
  );
  await client.query(
    `insert into review_topics select listing_id, topic, rating, coalesce(sentiment, ''), date, id
     from reviews, unnest(topics) topic where listing_id = $1`,
    [listingId],
  );
  await client.query(
    "update listings set regions = '{au,br,ca,de,es,fr,gb,it,jp,us}' where id = $1",
    [listingId],
  );
}
