// The rows for evaluation: reviews and posts that were not used for training. Most come from sources whose
// licence excludes them from training; of the permissive sources only held-out rows are used.
import { type DataRow, readRows } from "./data-rows.ts";
import { textHash } from "./random.ts";
import { distinctRows, isHeldOut, isPermissive, readPolarityRows } from "./sources.ts";

/** Rows of one source in one language. */
export type EvaluationSet = { source: string; language: string; rows: DataRow[] };

// Per source; with more rows the figures hardly change.
const rowsMax = 1_500;
const setRowsMin = 50;

/** Reviews of one, two, four and five stars. */
export function starSets(): EvaluationSet[] {
  const rows = [
    ...appReviews().filter((row) => !isPermissive(row)),
    ...readPolarityRows().filter((row) => row.kind === "app_review" && isHeldOut(row)),
  ];
  return setsOf(rows.filter(({ rating }) => rating && rating !== 3));
}

const complaintUnitsMin = 40;
const complaintStarsMax = 2;

/** Complaints long enough to be about something, by language. */
export function complaintSets(): { language: string; rows: DataRow[] }[] {
  const rows = appReviews().filter(
    ({ rating, text, title }) =>
      rating &&
      rating <= complaintStarsMax &&
      text.length + (title?.length ?? 0) >= complaintUnitsMin,
  );
  const languages = new Map<string, DataRow[]>();
  for (const set of setsOf(rows)) {
    languages.set(set.language, [...(languages.get(set.language) ?? []), ...set.rows]);
  }
  return [...languages].map(([language, own]) => ({ language, rows: own }));
}

/** Texts that a person labelled positive, negative or neutral. */
export function humanLabelSets(): EvaluationSet[] {
  const labelled = readRows("sentiment-gold").filter(({ sentiment_gold }) => sentiment_gold);
  return setsOf(labelled.filter((row) => !isPermissive(row) || isHeldOut(row)));
}

/** App reviews whose language is known from a person or from the source, and posts in more languages. */
export function languageSets(): EvaluationSet[] {
  const labelled = readRows("language").filter(({ kind }) => kind === "app_review");
  const reviews = appReviews().filter(({ lang, source }) => lang && monolingualSources.has(source));
  const rows = [...labelled, ...reviews, ...readPolarityRows().filter(isHeldOut)];
  return setsOf(
    rows.filter(hasKnownLanguage).filter((row) => !isPermissive(row) || isHeldOut(row)),
  );
}

// Without Indonesia's regional languages, which no store uses and this detector does not cover, and
// without the Hindi of one set, which is written in Latin letters.
const knownLanguages = new Set("ar de en es fr id it ja ko pt ru th tr vi zh".split(" "));

function hasKnownLanguage({ lang = "" }: DataRow): boolean {
  return knownLanguages.has(lang);
}

// Almost all rows of these sources are in the language that the source names.
const monolingualSources = new Set([
  "jkt_transpub_id",
  "leoudah_id_publicservice",
  "corona_datenspende_de",
  "neobank_mx_es",
  "neobank_mx_es_lowrated",
  "eojinhee_ko_delivery",
  "egardner_real",
]);

function appReviews(): DataRow[] {
  return [...readRows("app-reviews-dated"), ...readRows("app-reviews-undated")];
}

function setsOf(rows: readonly DataRow[]): EvaluationSet[] {
  const sets = new Map<string, EvaluationSet>();
  for (const row of distinctRows(rows)) {
    const language = row.lang ?? row.lang_detected;
    if (language === undefined) continue;
    const key = `${language} ${row.source}`;
    const set = sets.get(key) ?? { source: row.source, language, rows: [] };
    set.rows.push(row);
    sets.set(key, set);
  }
  return [...sets.values()]
    .map((set) => ({ ...set, rows: sample(set.rows) }))
    .filter((set) => set.rows.length >= setRowsMin)
    .sort((a, b) => a.language.localeCompare(b.language) || a.source.localeCompare(b.source));
}

function sample(rows: readonly DataRow[]): DataRow[] {
  return rows.toSorted((a, b) => textHash(a.text) - textHash(b.text)).slice(0, rowsMax);
}
