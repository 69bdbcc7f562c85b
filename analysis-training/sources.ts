// The sources whose licence allows training shipped weights, and which of their rows are held out from
// training for evaluation. No other source is used for training.
import { type DataRow, readRows } from "./data-rows.ts";
import { createDecidingFilter } from "./gold-rows.ts";
import { textHash } from "./random.ts";

export type Source = { name: string; licence: string; about: string };

/** As the data's own list of permissive sources says. */
const listedLicence = "MIT, Apache-2.0, CC0 or CC BY-SA, as its repository states";

export const permissiveSources: readonly Source[] = [
  { name: "mini_bar", licence: listedLicence, about: "app reviews with stars, en and fr" },
  { name: "idea_youtube_ios", licence: listedLicence, about: "app reviews with stars, en" },
  { name: "maalej_artc", licence: listedLicence, about: "app reviews with stars, mostly en" },
  { name: "hse_vk_ok_ru", licence: listedLicence, about: "app reviews with stars, ru" },
  {
    name: "nusax",
    licence: listedLicence,
    about: "human labels, en, id and languages of Indonesia",
  },
  { name: "wisesight_th", licence: listedLicence, about: "human labels, posts, th" },
  { name: "umsab", licence: "permissive", about: "human labels, tweets, eight languages" },
  { name: "smsa_id", licence: "permissive", about: "human labels, reviews and posts, id" },
  { name: "lingua_lid", licence: "permissive", about: "words and sentences of 79 languages" },
];

const permissive = new Set(permissiveSources.map(({ name }) => name));

export function isPermissive({ source }: DataRow): boolean {
  return permissive.has(source);
}

/** The distinct rows of permissive sources that have stars or a human label. */
export function readPolarityRows(): DataRow[] {
  const rows = [...readRows("licensed-subset"), ...readRows("sentiment-gold")];
  return distinctRows(rows.filter(isPermissive));
}

/** Words and sentences labelled with their language. */
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

/** Whether a row is excluded from training: the source's own test rows, else a sixth of its rows. */
export function isHeldOut(row: DataRow): boolean {
  return row.split === undefined ? textHash(row.text) % heldOutShare === 0 : row.split === "test";
}

let isDeciding: ReturnType<typeof createDecidingFilter> | null = null;

/** Whether weights may be trained with a row of a permissive source. */
export function isTrainable(row: DataRow): boolean {
  isDeciding ??= createDecidingFilter();
  return !isHeldOut(row) && !isDeciding(row);
}
