// The rows that engines are judged by: reviews and posts that trained nothing. Most are of sources
// that may not train what is shipped; of the permissive ones only what is held out.
import { type DataRow, readRows } from "./data-rows.ts";
import { distinctRows, isHeldOut, isPermissive, placeOf, readOpinionRows } from "./sources.ts";

/** Rows of one source in one language. */
export type JudgedSet = { source: string; language: string; rows: DataRow[] };

// Of one source; beyond this the figures hardly move.
const rowsMax = 1_500;
const setRowsMin = 50;

/** Reviews of one, two, four and five stars. */
export function starSets(): JudgedSet[] {
  const rows = [
    ...appReviews().filter((row) => !isPermissive(row)),
    ...readOpinionRows().filter((row) => row.kind === "app_review" && isHeldOut(row)),
  ];
  return setsOf(rows.filter(({ rating }) => rating && rating !== 3));
}

/** Texts of which a person said that they are positive, negative or neutral. */
export function humanSets(): JudgedSet[] {
  const labelled = readRows("sentiment-gold").filter(({ sentiment_gold }) => sentiment_gold);
  return setsOf(labelled.filter((row) => !isPermissive(row) || isHeldOut(row)));
}

/** App reviews whose language a person or the source's place told, and posts in more languages. */
export function languageSets(): JudgedSet[] {
  const told = readRows("language").filter(({ kind }) => kind === "app_review");
  const reviews = appReviews().filter(({ lang, source }) => lang && ofOneLanguage.has(source));
  const rows = [...told, ...reviews, ...readOpinionRows().filter(isHeldOut)];
  return setsOf(
    rows.filter(isOfKnownLanguage).filter((row) => !isPermissive(row) || isHeldOut(row)),
  );
}

// Not the languages of Indonesia's islands, which no store speaks and nobody here claims to tell, nor
// the Hindi of one set, which is written in Latin letters.
const knownLanguages = new Set("ar de en es fr id it ja ko pt ru th tr vi zh".split(" "));

function isOfKnownLanguage({ lang = "" }: DataRow): boolean {
  return knownLanguages.has(lang);
}

// Whose rows are in the language they claim, but for a few.
const ofOneLanguage = new Set([
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

function setsOf(rows: readonly DataRow[]): JudgedSet[] {
  const sets = new Map<string, JudgedSet>();
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
  return rows.toSorted((a, b) => placeOf(a.text) - placeOf(b.text)).slice(0, rowsMax);
}
