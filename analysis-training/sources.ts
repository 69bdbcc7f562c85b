// The sources that may train what is shipped, with their licences, and which of their rows are kept
// out of training to tell how good the result is. No other source trains anything.
import { beginHash, finishHash, hashUnit } from "../src/analysis/hash.ts";
import { type DataRow, readRows } from "./data-rows.ts";

export type Source = { name: string; licence: string; about: string };

/** Licences as the data's own list of permissive sources states them. */
const listed = "MIT, Apache-2.0, CC0 or CC BY-SA, as its repository states";

export const permissiveSources: readonly Source[] = [
  { name: "mini_bar", licence: listed, about: "app reviews with stars, en and fr" },
  { name: "idea_youtube_ios", licence: listed, about: "app reviews with stars, en" },
  { name: "maalej_artc", licence: listed, about: "app reviews with stars, mostly en" },
  { name: "hse_vk_ok_ru", licence: listed, about: "app reviews with stars, ru" },
  { name: "nusax", licence: listed, about: "labels of people, en, id and languages of Indonesia" },
  { name: "wisesight_th", licence: listed, about: "labels of people, posts, th" },
  { name: "umsab", licence: "permissive", about: "labels of people, tweets, eight languages" },
  { name: "smsa_id", licence: "permissive", about: "labels of people, reviews and posts, id" },
  { name: "lingua_lid", licence: "permissive", about: "words and sentences of 79 languages" },
];

const permissive = new Set(permissiveSources.map(({ name }) => name));

export function isPermissive({ source }: DataRow): boolean {
  return permissive.has(source);
}

/** Every row of a permissive source that has an opinion, by stars or by a person, each once. */
export function readOpinionRows(): DataRow[] {
  const rows = [...readRows("licensed-subset"), ...readRows("sentiment-gold")];
  return distinctRows(rows.filter(isPermissive));
}

/** Rows of one text in many languages, as language identification needs them. */
export function readLanguageRows(): DataRow[] {
  return readRows("language").filter(({ source }) => source === "lingua_lid");
}

export function distinctRows(rows: readonly DataRow[]): DataRow[] {
  const byText = new Map(
    rows.map((row) => [`${row.source}\n${row.title ?? ""}\n${row.text}`, row] as const),
  );
  return [...byText.values()];
}

const heldOutShare = 6;

/** Whether a row is never trained on: a source's own test rows, else a sixth of its rows. */
export function isHeldOut(row: DataRow): boolean {
  return row.split === undefined ? placeOf(row.text) % heldOutShare === 0 : row.split === "test";
}

/** A number below 2^20 that only depends on the text: a shuffle that is the same everywhere. */
export function placeOf(text: string): number {
  let hash = beginHash(0);
  for (let at = 0; at < text.length; at += 1) hash = hashUnit(hash, text.charCodeAt(at));
  return finishHash(hash, 0xf_ffff);
}
