// Pages of reviews that are held back: why, and what is kept of one until a later reading. `source-trust.ts` decides what
// becomes of them.
import type { SourceReview } from "../review/review.ts";

export const sourceKinds = ["public", "official", "export"] as const;
/** The kinds of pages that a store is read by: each has a layout of its own. */
export type SourceKind = (typeof sourceKinds)[number];

export const suspicionKinds = [
  "unread",
  "undated",
  "texts_gone",
  "replies_gone",
  "fields_swapped",
  "texts_altered",
  "changed_at_once",
  "changed_alone",
  "renamed_alone",
  "edited_at_once",
  "dates_shifted",
  "dates_alike",
  "contents_moved",
  "fields_alike",
  "votes_moved",
  "votes_jumped",
  "foreign",
  "list_cut",
  "empty",
  "waiting",
] as const;
export type SuspicionKind = (typeof suspicionKinds)[number];

/** Pages that wait and say nothing of their source: they can't be judged, or an author or a few voters can cause them. */
export const ownKinds: readonly SuspicionKind[] = ["waiting", "votes_jumped", "renamed_alone"];

export type PageSuspicion = {
  kind: SuspicionKind;
  /** In words, for the coverage. */
  reason: string;
  /** A short hash of each review by its id, where a second reading confirms them; {} otherwise. */
  contents: Readonly<Record<string, string>>;
  unconfirmed: Unconfirmed;
};

/** A review of a page that is held back, as it was read: any of it may be wrong. Its author is left out. */
type UnconfirmedReview = Pick<SourceReview, "rating" | "title" | "text" | "date">;

/** Reviews of a page that are not stored: how many, and the first few of them. */
export type Unconfirmed = { count: number; examples: readonly UnconfirmedReview[] };

/** `since`: when a page like this was read first. */
export type QuarantinedPage = PageSuspicion & { source: SourceKind; since: Date };

const examplesMax = 3;
const exampleCharsMax = { title: 100, text: 300 };

export const nothingUnconfirmed: Unconfirmed = { count: 0, examples: [] };

export function toUnconfirmed(reviews: readonly SourceReview[]): Unconfirmed {
  const cut = (text: string | null, charsMax: number): string | null =>
    text && [...text].slice(0, charsMax).join("");
  const examples = reviews.slice(0, examplesMax).map(({ rating, title, text, date }) => ({
    rating,
    title: cut(title, exampleCharsMax.title),
    text: cut(text, exampleCharsMax.text),
    date,
  }));
  return { count: reviews.length, examples };
}

/** Lists move: at least half of the reviews that a second reading confirms have to be there again as they were. */
export function isSamePage(one: PageSuspicion, other: PageSuspicion): boolean {
  if (one.kind !== other.kind) return false;
  const ids = Object.keys(other.contents);
  const sameCount = ids.filter((id) => one.contents[id] === other.contents[id]).length;
  return sameCount * 2 >= ids.length;
}
