// Feeds of many apps as they are after weeks of collecting: each due at some moment of its own interval.
import type pg from "pg";
import type { IntervalBounds } from "../../src/domain/feed/feed-interval.ts";

export const start = new Date("2026-11-21T00:00:00Z");

/** How many of a thousand apps get a review within that many hours. Reviews of real stores lie about like that. */
const classes = [
  { perMille: 2, gapHours: 1 },
  { perMille: 8, gapHours: 6 },
  { perMille: 40, gapHours: 48 },
  { perMille: 150, gapHours: 14 * 24 },
  { perMille: 800, gapHours: 90 * 24 },
] as const;

export type FilledFeeds = {
  feeds: number;
  /** A second, to read each by its own interval, and to read all of them every base interval. */
  crawlsNeeded: number;
  crawlsAtOneInterval: number;
};

/** Hours between two reviews of an app. @param number of the app, from 1 */
export function gapHoursOf(number: number): number {
  let place = number % 1_000;
  for (const { perMille, gapHours } of classes) {
    if (place < perMille) return gapHours;
    place -= perMille;
  }
  throw new Error("the classes of apps do not add up to a thousand");
}

export async function fillFeeds(
  admin: Pick<pg.Client, "query">,
  { feedCount, ...bounds }: { feedCount: number } & IntervalBounds,
): Promise<FilledFeeds> {
  await admin.query(
    `insert into listings (id, store, external_app_id, created_at)
     select gen_random_uuid(), 'appstore', n::text, $1 from generate_series(1, $2::integer) n`,
    [start, feedCount],
  );
  const gaps = Array.from({ length: 1_000 }, (_, place) => gapHoursOf(place));
  await admin.query(
    `insert into feeds (listing_id, kind, region, store, is_official, outcome, baseline_at, watermark, good_at,
       checked_at, next_due_at, interval_minutes, full_crawl_at, full_crawl_due_at, page_count, review_count,
       full_page_count)
     select l.id, 'reviews', 'us', 'appstore', false, 'ok', $1, $1, due - wait, due - wait, due, minutes,
       full_at, full_at + greatest(interval '1 day', 7 * wait), 1, 50, 1
     from (
       select id, random() as phase, random() as full_phase, least(greatest($3::integer,
         (($2::integer[])[1 + external_app_id::integer % 1000] * 15)), $4::integer) as minutes
       from listings
     ) l
     cross join lateral (select minutes * interval '1 minute' as wait) w
     cross join lateral (select $1::timestamptz + phase * wait as due) d
     cross join lateral (
       select $1::timestamptz - full_phase * greatest(interval '1 day', 7 * wait) as full_at
     ) f`,
    [start, gaps, bounds.intervalMinutes, bounds.intervalMinutesMax],
  );
  await admin.query("vacuum analyze listings, feeds");
  const { rows } = await admin.query(
    "select sum(1.0 / (interval_minutes * 60)) as rate from feeds",
  );
  return {
    feeds: feedCount,
    crawlsNeeded: round(Number(rows[0].rate)),
    crawlsAtOneInterval: round(feedCount / (bounds.intervalMinutes * 60)),
  };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
