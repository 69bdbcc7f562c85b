// Keeps a copy of all reviews of a workspace in a table of your own: node pull-reviews.mjs | psql mydb
// Prints one transaction of SQL that inserts what is new and updates what changed since STARPOST_SINCE, and notes
// where the next run begins. Needs Node 20.19, no packages.
const {
  STARPOST_URL = "http://127.0.0.1:8080",
  STARPOST_KEY = "",
  STARPOST_SINCE = "",
  STARPOST_FROM = "",
} = process.env;
// The first time: everything.
const since = STARPOST_SINCE || "2008-01-01T00:00:00Z";

console.log(`begin;
set local client_min_messages = warning;
create table if not exists starpost_pulled (until text primary key);
create table if not exists starpost_reviews (
  id uuid primary key, store text not null, external_app_id text not null, rating int not null,
  title text, text text not null, version text, country text, language_of_translation text,
  sentiment text, topics text[] not null, reviewed_at timestamptz not null
);`);

/** Each column with its value, written once: a column that changes here changes in the copy. */
const columns = {
  id: (review) => quote(review.id),
  store: (review) => quote(review.store),
  external_app_id: (review) => quote(review.externalAppId),
  rating: (review) => quote(review.rating),
  title: (review) => quote(review.title),
  text: (review) => quote(review.text),
  version: (review) => quote(review.version),
  country: (review) => quote(review.country),
  language_of_translation: (review) => quote(review.translatedFrom),
  sentiment: (review) => quote(review.sentiment?.label),
  topics: (review) => `array[${review.topics.map(quote).join(", ")}]::text[]`,
  reviewed_at: (review) => quote(review.date),
};
const names = Object.keys(columns);
const changes = names.map((name) => `${name} = excluded.${name}`).join(", ");

let cursor = null;
let until = since;
do {
  const query = new URLSearchParams({ limit: "100", updatedSince: since });
  if (STARPOST_FROM) query.set("from", STARPOST_FROM);
  if (cursor) query.set("cursor", cursor);
  const { headers, page } = await get(`/api/v1/reviews?${query}`);
  for (const review of page.reviews) console.log(upsert(review));
  cursor = page.nextCursor;
  until = headers.get("updated-until");
} while (cursor);
// Nothing is missing up to this moment. Without the last page there is no commit, and psql keeps nothing of it.
console.log(`delete from starpost_pulled;
insert into starpost_pulled values (${quote(until)});
commit;`);

async function get(path) {
  const headers = { authorization: `Bearer ${STARPOST_KEY}` };
  const base = STARPOST_URL.replace(/(\/api\/v1)?\/*$/, "");
  const response = await fetch(base + path, { headers });
  if (response.status === 429) {
    // 60 requests a minute: the answer says how long to wait.
    const seconds = Number(response.headers.get("retry-after"));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return get(path);
  }
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return { headers: response.headers, page: await response.json() };
}

function upsert(review) {
  const values = Object.values(columns).map((read) => read(review));
  return `insert into starpost_reviews (${names.join(", ")}) values (${values.join(", ")})
on conflict (id) do update set ${changes};`;
}

function quote(value) {
  return value === null || value === undefined
    ? "null"
    : `'${String(value).replaceAll("'", "''")}'`;
}
