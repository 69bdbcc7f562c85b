// Searches for words in one large app as they are, and two indexes that would answer them instead: their size, their cost for
// each new review by the service's own ingest, and how fast they find rare and frequent words in languages with and without
// spaces between words. docs/adr/0070-searches-stay-bounded.md has the figures.
import type pg from "pg";
import { createRandom, type Random } from "../../simulator/random.ts";
import type { Listing } from "../../src/domain/feed/listing.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { anApp, aWorkspace } from "../../test/support/factories.ts";
import { generateOne, languages } from "../collect/generated-rows.ts";
import { openDatabaseTime } from "../cpu-time.ts";
import { type BenchDatabase, openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { type Figure, medianOf, printFigures } from "../read-api/report.ts";

const options = readOptions(
  { name: "search", about: "Searches of one app, without an index of words and with two of them." },
  {
    reviews: [1_000_000, "reviews of the app"],
    ingested: [4_000, "new reviews that each variant takes in"],
    rounds: [5, "how often each search is asked"],
  },
);

/** In ten reviews each, the oldest of the app. */
const rareWords = { Latin: "zeppelin", Cyrillic: "дирижабль", Japanese: "飛行船", Thai: "เรือเหาะ" };
const rareText = ` ${rareWords.Latin} ${rareWords.Cyrillic} この${rareWords.Japanese}は速い แอป${rareWords.Thai}ดี`;
const frequentWord = "update";

// Phrase books have few words. Four of an invented vocabulary, frequent ones more often, make an index as wide as that of
// real texts.
const vocabularySize = 50_000;

const searched = `coalesce(title, '') || ' ' || body || ' ' || author || ' ' || coalesce(translated_text, '')`;

type Variant = { name: string; create: string[]; condition: ((word: string) => string) | null };

const variants: Variant[] = [
  { name: "no index", create: [], condition: null },
  {
    name: "words",
    create: [`create index probe on reviews using gin (to_tsvector('simple', ${searched}))`],
    condition: (word) => `to_tsvector('simple', ${searched}) @@ to_tsquery('simple', '${word}:*')`,
  },
  {
    name: "trigrams",
    create: [
      "create extension if not exists pg_trgm",
      `create index probe on reviews using gin ((${searched}) gin_trgm_ops)`,
    ],
    condition: (word) => `(${searched}) ilike '%${word}%'`,
  },
];

const resources = new ResourceStack();
try {
  await main();
} finally {
  await resources.closeAll();
}

async function main(): Promise<void> {
  // Without checkpoints no page is written to the WAL as a whole: the figures are the least that an index costs.
  const checkpoints = { max_wal_size: "20GB", checkpoint_timeout: "1h" };
  const settings = { shared_buffers: "1GB", maintenance_work_mem: "512MB", ...checkpoints };
  const bench = await openBenchDatabase(resources, { settings });
  const { id: workspaceId } = await aWorkspace(bench.database);
  const app = await anApp(bench.database, { workspaceId, store: "googleplay", isPrivate: true });
  const listing = await bench.database.findListing(app.listingId);
  if (!listing) throw new Error("the new listing is missing");
  await fill(bench.admin, listing);
  const figures: Figure[] = [];
  const note = (part: string, what: string, value: number, unit: string): void => {
    figures.push({ part, what, value, unit, limit: "" });
    process.stderr.write(`${part}: ${what}: ${value.toPrecision(3)} ${unit}\n`);
  };
  await measureService({ bench, workspaceId, note });
  for (const variant of variants) await measureVariant({ bench, listing, variant, note });
  printFigures(figures, { reviews: options.reviews });
}

type Note = (part: string, what: string, value: number, unit: string) => void;

/** Pages of the API and of the feed, and a whole search by pages, as callers get them. */
async function measureService(input: {
  bench: BenchDatabase;
  workspaceId: string;
  note: Note;
}): Promise<void> {
  const { bench, workspaceId, note } = input;
  const { database } = bench;
  const apps = await database.listFollowedApps({ workspaceId, ids: null });
  const pages = { "a page of the API": 1_000, "a page of the feed": 10_000 };
  for (const [what, scanMax] of Object.entries(pages)) {
    for (const word of [frequentWord, rareWords.Latin]) {
      const query = { workspaceId, apps, filters: { q: word }, limit: 50, after: null };
      const ms = await timeOf(() => database.listReviewKeys({ ...query, scanMax }));
      note("no index", `${what}, ${word === frequentWord ? "frequent" : "rare"} word`, ms, "ms");
    }
  }
  for (const scanMax of [1_000, 10_000]) {
    const startMs = performance.now();
    let [pageCount, found] = [0, 0];
    const query = { workspaceId, apps, filters: { q: rareWords.Latin }, limit: 50, scanMax };
    for (let after: Parameters<typeof database.listReviewKeys>[0]["after"] = null; ; ) {
      const page = await database.listReviewKeys({ ...query, after });
      pageCount += 1;
      found += page.keys.length;
      after = page.last;
      if (after === null) break;
    }
    if (found !== 10) throw new Error(`the search found ${found} of 10 reviews`);
    const what = `all ${pageCount} pages of ${scanMax}, rare word`;
    note("no index", what, performance.now() - startMs, "ms");
  }
}

async function measureVariant(input: {
  bench: BenchDatabase;
  listing: Listing;
  variant: Variant;
  note: Note;
}): Promise<void> {
  const { bench, listing, variant, note } = input;
  const { admin } = bench;
  const buildStartMs = performance.now();
  for (const text of variant.create) await admin.query(text);
  if (variant.condition) {
    note(variant.name, "making it", (performance.now() - buildStartMs) / 1_000, "s");
    const { rows } = await admin.query("select pg_relation_size('probe')::float as bytes");
    note(variant.name, "size for each review", rows[0].bytes / options.reviews, "bytes");
    await admin.query("analyze reviews");
    await measureFinding({ admin, listing, variant, note });
  }
  await measureIngest({ bench, listing, variant, note });
  if (variant.condition) await admin.query("drop index probe");
}

async function measureFinding(input: {
  admin: pg.Client;
  listing: Listing;
  variant: Variant;
  note: Note;
}): Promise<void> {
  const { admin, listing, variant, note } = input;
  const words = { ...rareWords, frequent: frequentWord };
  for (const [name, word] of Object.entries(words)) {
    const order = "order by date desc, id desc limit 50";
    const those = `select id, date from reviews where listing_id = '${listing.id}'
      and ${variant.condition?.(word)}`;
    // The planner takes most words for frequent ones and looks through the newest reviews: for rare ones the index decides.
    const isRare = name !== "frequent";
    const text = isRare
      ? `with found as materialized (${those}) select id from found ${order}`
      : `${those} ${order}`;
    let found = 0;
    const ms = await timeOf(async () => {
      found = (await admin.query(text)).rows.length;
    });
    note(variant.name, `${name} word (found ${found})`, ms, "ms");
  }
}

/** New reviews in pages of fifty, by the service's own ingest with its analysis. */
async function measureIngest(input: {
  bench: BenchDatabase;
  listing: Listing;
  variant: Variant;
  note: Note;
}): Promise<void> {
  const { bench, listing, variant, note } = input;
  const { admin, database } = bench;
  const ingest = createIngest({ clock: systemClock, database });
  const random = createRandom(variants.indexOf(variant) + 100);
  const databaseTime = await openDatabaseTime(admin);
  await admin.query("vacuum reviews");
  const takeIn = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 50) {
      const reviews = Array.from({ length: 50 }, (_, index) => ({
        ...textOf(random, at + index),
        storeReviewId: `new-${variant.name}-${count}-${at + index}`,
        version: "4.2.1",
        country: null,
        date: new Date(),
        votes: null,
        reply: null,
      }));
      await ingest({
        ...{ listing, reviews, source: "import", undatedAt: null },
        notifyPolicy: { kind: "never" },
      });
    }
  };
  // Until the code of the service is compiled.
  await takeIn(2_000);
  const walBefore = await readWal(admin);
  const databaseBefore = databaseTime?.() ?? 0;
  const cpuBefore = process.cpuUsage();
  await takeIn(options.ingested);
  const { user, system } = process.cpuUsage(cpuBefore);
  // Entries that wait to be sorted into an index are a part of its cost.
  if (variant.condition) await admin.query("select gin_clean_pending_list('probe')");
  const each = 1 / options.ingested;
  note(variant.name, "WAL of a new review", ((await readWal(admin)) - walBefore) * each, "bytes");
  const databaseUs = (databaseTime?.() ?? 0) - databaseBefore;
  note(variant.name, "processor time of PostgreSQL for it", databaseUs * each, "µs");
  note(variant.name, "processor time of the service for it", (user + system) * each, "µs");
}

async function readWal(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float as bytes",
  );
  return rows[0].bytes;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const startMs = performance.now();
    await work();
    times.push(performance.now() - startMs);
  }
  return medianOf(times);
}

function textOf(random: Random, number: number) {
  const language = languages[number % languages.length] ?? "en";
  const { author, rating, title, text } = generateOne(random, language);
  const invented = Array.from({ length: 4 }, () =>
    Math.floor(vocabularySize ** random.next())
      .toString(26)
      .replace(/[0-9]/g, (digit) => "qrstuvwxyz".charAt(Number(digit)))
      .padStart(4, "o"),
  );
  const body = `${text} ${invented.join(" ")}`;
  return { author, rating, title, text: body, languageHint: language };
}

async function fill(admin: pg.Client, listing: Listing): Promise<void> {
  const random = createRandom(7);
  const batchSize = 5_000;
  const newestMs = Date.parse("2026-11-20T00:00:00Z");
  const oldest = options.reviews - 10;
  for (let from = 0; from < options.reviews; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, options.reviews - from) }, (_, index) => {
      const number = from + index;
      const rare = number >= oldest ? rareText : "";
      const one = textOf(random, number);
      const frequent = number % 10 === 0 ? ` ${frequentWord}` : "";
      const date = new Date(newestMs - number * 120_000);
      return { ...one, text: one.text + frequent + rare, date };
    });
    const column = <Name extends keyof (typeof rows)[number]>(name: Name) =>
      rows.map((row) => row[name]);
    await admin.query(
      `insert into reviews (listing_id, id, store_review_id, author, rating, title, body, version, country, language_hint,
         date, analysis_version, language, sentiment, sentiment_score, topics, first_seen_at)
       select $1, gen_random_uuid(), $2::integer + n, author, rating, title, body, '4.2.1', language, language, date, 1, language,
         case when rating > 3 then 'positive' else 'negative' end, 0.5, '{}', date
       from unnest($3::text[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
         with ordinality as r (author, rating, title, body, language, date, n)`,
      [
        ...[listing.id, from, column("author"), column("rating"), column("title")],
        ...[column("text"), column("languageHint"), column("date")],
      ],
    );
  }
  await admin.query("update listings set version = 1 where id = $1", [listing.id]);
  await admin.query("vacuum analyze");
}
