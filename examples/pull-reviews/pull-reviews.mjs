// Copies all reviews of a workspace into a table of your own, again and again: node pull-reviews.mjs | psql mydb
// Prints SQL that inserts what is new and updates what changed. Needs Node 18, no packages.
const {
  STARPOST_URL = "http://127.0.0.1:8080",
  STARPOST_KEY = "",
  STARPOST_FROM = "",
} = process.env;

console.log(`create table if not exists starpost_reviews (
  id uuid primary key, store text not null, external_app_id text not null, rating int not null,
  title text, text text not null, version text, country text, language_of_translation text,
  sentiment text, topics text[] not null, reviewed_at timestamptz not null
);`);

let cursor = null;
do {
  const query = new URLSearchParams({ limit: "100" });
  if (STARPOST_FROM) query.set("from", STARPOST_FROM);
  if (cursor) query.set("cursor", cursor);
  const page = await get(`/api/v1/reviews?${query}`);
  for (const review of page.reviews) console.log(upsert(review));
  cursor = page.nextCursor;
} while (cursor);

async function get(path) {
  const headers = { authorization: `Bearer ${STARPOST_KEY}` };
  const response = await fetch(STARPOST_URL + path, { headers });
  if (response.status === 429) {
    // 60 requests a minute: the answer says how long to wait.
    const seconds = Number(response.headers.get("retry-after"));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return get(path);
  }
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

function upsert(review) {
  const { id, store, externalAppId, rating, title, text, version, country } = review;
  const fixed = [id, store, externalAppId, rating, title, text, version, country];
  const values = [...fixed, review.translatedFrom, review.sentiment?.label].map(quote);
  const topics = `array[${review.topics.map(quote).join(", ")}]::text[]`;
  return `insert into starpost_reviews values (${[...values, topics, quote(review.date)].join(", ")})
on conflict (id) do update set rating = excluded.rating, title = excluded.title, text = excluded.text,
  version = excluded.version, sentiment = excluded.sentiment, topics = excluded.topics,
  reviewed_at = excluded.reviewed_at;`;
}

function quote(value) {
  return value === null || value === undefined
    ? "null"
    : `'${String(value).replaceAll("'", "''")}'`;
}
