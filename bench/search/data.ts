// Apps with generated reviews in English over two years, and rare words in some of them.
import type pg from "pg";
import { createRandom } from "../../simulator/random.ts";
import type { Database } from "../../src/database/database.ts";
import type { App } from "../../src/domain/listing.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { generateOne } from "../collect/generated-rows.ts";
import { newestDay } from "../read-api/data.ts";

const now = new Date(`${newestDay}T00:00:00Z`);
const textCount = 20_000;
/** Of each rare word, over all apps. */
export const matchCount = 5;
const syllables = "zu ki vo qua xe nyo pfi rhu gla wim".split(" ");

/** Invented, and in no generated text. */
export const rareWords: readonly string[] = syllables.flatMap((one, at) =>
  syllables.slice(at + 1).map((other) => `${one}${other}${one}`),
);

/** `reviewCount` reviews for each app. */
export async function fillApps(
  { database, admin }: { database: Database; admin: pg.Client },
  { appCount, reviewCount }: { appCount: number; reviewCount: number },
): Promise<{ workspaceId: string; apps: App[] }> {
  const workspaceId = uuidV7(now);
  const workspace = { name: "Bench", plan: "studio", createdAt: now } as const;
  await database.insertWorkspace({ id: workspaceId, ...workspace });
  await admin.query("create temp table texts (n integer primary key, title text, body text)");
  const random = createRandom(7);
  const generated = Array.from({ length: textCount }, () => generateOne(random, "en"));
  await admin.query(
    `insert into texts select n - 1, title, body
     from unnest($1::text[], $2::text[]) with ordinality as t (title, body, n)`,
    [generated.map(({ title }) => title), generated.map(({ text }) => text)],
  );
  const rare = placeRareWords({ appCount, reviewCount });
  await admin.query(
    "create temp table rare (app integer, n integer, word text, primary key (app, n))",
  );
  await admin.query(
    `insert into rare select * from unnest($1::integer[], $2::integer[], $3::text[])
     on conflict do nothing`,
    [rare.map(({ app }) => app), rare.map(({ at }) => at), rare.map(({ word }) => word)],
  );
  const apps: App[] = [];
  for (let index = 0; index < appCount; index += 1) {
    const app = await addApp(database, { workspaceId, name: `app-${index}` });
    await admin.query(insertReviews, [app.listingId, reviewCount, newestDay, index]);
    apps.push(app);
  }
  await admin.query("vacuum analyze");
  return { workspaceId, apps };
}

/** In the older half of the reviews. */
function placeRareWords({ appCount, reviewCount }: { appCount: number; reviewCount: number }) {
  const half = Math.floor(reviewCount / 2);
  return rareWords.flatMap((word, index) =>
    Array.from({ length: matchCount }, (_, time) => ({
      word,
      app: (time * 37 + index) % appCount,
      at: half + ((index * 110_017 + time * 97_003) % half),
    })),
  );
}

// The texts of one app are in another order than those of the next.
const insertReviews = `
  insert into reviews (listing_id, id, store_review_id, author, rating, title, body, version, country, date,
    analysis_version, language, sentiment, sentiment_score, topics, first_seen_at, changed_at)
  select $1, gen_random_uuid(), n.n, 'reader ' || n.n % 5000, 1 + n.n % 5, t.title,
    t.body || coalesce(' ' || w.word, ''), '4.' || n.n % 9, 'us',
    $3::date::timestamptz - n.n * (interval '728 days' / $2::integer), 1, 'en', 'positive', 0.5, '{crash}', $3::date, $3::date
  from generate_series(0, $2::integer - 1) as n (n)
  join texts t on t.n = (n.n::bigint * 7919 + $4::integer * 31) % ${textCount}
  left join rare w on w.app = $4::integer and w.n = n.n`;

export async function addApp(
  database: Database,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<App> {
  const listing = { id: uuidV7(now), externalAppId: name, workspaceId: null };
  const { id: listingId } = await database.ensureListing({ ...listing, store: "appstore", now });
  const id = uuidV7(now);
  const regions = { countries: ["us"], languages: ["en"] };
  await database.insertApp({ id, workspaceId, listingId, name, ...regions, addedAt: now });
  const app = await database.findApp({ id, workspaceId });
  if (!app) throw new Error("the new app is missing");
  return app;
}
