// The cost of an app with a long history for others that share its listing: how long another transaction waits while
// the first import makes a private copy, and while the app is removed.
import type pg from "pg";
import type { Database } from "../../src/database/database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { ensurePrivateListing } from "../../src/use-cases/apps/private-listing.ts";
import { deleteRemovedListings } from "../../src/use-cases/apps/removed-listings.ts";
import { removeApp } from "../../test/support/acts.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";

type LargeListing = {
  reviews: number;
  /** Each with the longest wait of another transaction on the listing, in ms. */
  copy: { seconds: number; longestWaitMs: number };
  removal: { answerMs: number; seconds: number; longestWaitMs: number };
  /** A listing that no other workspace follows. */
  moveMs: number;
};

export async function measureLargeListing(
  { database, admin }: { database: Database; admin: pg.Client },
  reviewCount: number,
): Promise<LargeListing> {
  const externalAppId = "77001";
  const follow = async () => {
    const { id: workspaceId } = await aWorkspace(database);
    return anApp(database, { workspaceId, externalAppId, countries: ["us"] });
  };
  const [importing, staying] = [await follow(), await follow()];
  const { listingId } = staying;
  await fill(admin, { listingId, reviewCount });
  const deps = { clock: systemClock, database, actor: "bench" };
  const copied = await timeBeside(database, listingId, async () => {
    await ensurePrivateListing(deps, importing.id);
  });
  let answerMs = 0;
  const removed = await timeBeside(database, listingId, async () => {
    const startedAt = performance.now();
    await removeApp(deps, { id: importing.id, workspaceId: null });
    answerMs = Math.round(performance.now() - startedAt);
    await deleteRemovedListings(database);
  });
  const startedAt = performance.now();
  await ensurePrivateListing(deps, staying.id);
  const moveMs = Math.round(performance.now() - startedAt);
  return { reviews: reviewCount, copy: copied, removal: { answerMs, ...removed }, moveMs };
}

/** Two topics each, in SQL: ingest would take minutes. */
async function fill(
  admin: pg.Client,
  { listingId, reviewCount }: { listingId: string; reviewCount: number },
): Promise<void> {
  await admin.query(
    `insert into reviews (listing_id, id, store_review_id, author, rating, title, body, version, country, date,
       analysis_version, language, sentiment, sentiment_score, clause_min, clause_max, topics, first_seen_at, changed_at)
     select $1, gen_random_uuid(), n::text, 'author ' || n % 1000, n % 5 + 1, 'Title',
       repeat('The tide table is right. ', n % 10 + 1), '4.' || n % 40, 'us',
       now() - make_interval(mins => n % 2000000), 1, 'en', 'neutral', 0, 0, 0, '{ads,crash}', now(),
       (select changed_at from listings where id = $1)
     from generate_series(1, $2::int) n`,
    [listingId, reviewCount],
  );
  await admin.query(
    `insert into review_topics (listing_id, topic, rating, sentiment, date, review_id)
     select listing_id, unnest(topics), rating, sentiment, date, id from reviews where listing_id = $1`,
    [listingId],
  );
  await admin.query("update listings set regions = '{us}' where id = $1", [listingId]);
  await admin.query("vacuum analyze reviews, review_topics");
}

/** The time of the work, and the longest that a transaction which locks the listing took beside it. */
async function timeBeside(
  database: Database,
  listingId: string,
  work: () => Promise<void>,
): Promise<{ seconds: number; longestWaitMs: number }> {
  const startedAt = performance.now();
  let isOver = false;
  let longestWaitMs = 0;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const beganAt = performance.now();
      await database.transaction((tx) => tx.lockListing(listingId));
      longestWaitMs = Math.max(longestWaitMs, performance.now() - beganAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const watching = watch();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { seconds, longestWaitMs: Math.round(longestWaitMs) };
}
