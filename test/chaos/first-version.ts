// A database as the first releases left it, at migration 003, with enough reviews for the later ones to take a moment.
import pg from "pg";
import { migrateAsFar } from "../../src/database/migrate.ts";

export const firstVersion = "first_version";

export async function fillFirstVersion(connectionString: string): Promise<void> {
  const client = new pg.Client(connectionString);
  await client.connect();
  try {
    await client.query("begin");
    const names = ["001-first-tables.sql", "002-provider-jobs.sql", "003-accounts.sql"];
    await migrateAsFar(client, names);
    await client.query("commit");
    await client.query(`insert into listings (id, store, external_app_id, created_at)
      values (gen_random_uuid(), 'appstore', '1', now())`);
    await client.query(`insert into reviews (listing_id, id, store_review_id, author, rating, body, version,
        country, date, first_seen_at, analysis_version, language, sentiment, topics)
      select l.id, gen_random_uuid(), n::text, 'Ida', 1 + n % 5, 'The tide table was right', '4.' || n % 9,
        'us', now() - n * interval '1 hour', now(), 1, 'en', 'positive', '{sync}'
      from listings l, generate_series(1, 10000) n`);
  } finally {
    await client.end();
  }
}
