// A known review beside its reading on a page: what changed, and whether the change has the face of a moved field. Pure.
import type { Review, SourceReview } from "../domain/review/review.ts";
import { secondMs } from "../lib/timestamp.ts";

export type Pair = { review: SourceReview; before: Review };

/** A reading that is not as it is stored. An omitted field does not count as a change. */
export type Changed = {
  pair: Pair;
  /** Stars, title or text. */
  isContent: boolean;
  /** The date is another one. */
  isDated: boolean;
  /** Contents without a new date: stores give an edit a new date. */
  isInPlace: boolean;
  /** Author or version, without a new date. */
  isRenamed: boolean;
  isVersion: boolean;
};

/** null: as it is stored. */
export function changeOf(pair: Pair): Changed | null {
  const { review, before } = pair;
  const isOther = (read: string | null, stored: string | null): boolean =>
    read !== null && read !== stored;
  const isContent =
    review.rating !== before.rating ||
    isOther(review.title, before.title) ||
    isOther(review.text, before.text);
  const isDated = !isSameMoment(review.date, before);
  const isNamed = (read: string, stored: string): boolean =>
    read !== "" && stored !== "" && read !== stored;
  const isVersion = isNamed(review.version, before.version);
  const isRenamed = !isDated && (isVersion || isNamed(review.author, before.author));
  if (!isContent && !isDated && !isRenamed) return null;
  return { pair, isContent, isDated, isInPlace: isContent && !isDated, isRenamed, isVersion };
}

/** Less than a second is another precision. A date that is omitted, or was a guess, says nothing. */
function isSameMoment(date: Date | null, before: Review): boolean {
  if (date === null || before.isDateAssumed) return true;
  return Math.abs(date.getTime() - before.date.getTime()) < secondMs;
}

/** Short words, such as a version, stand in several fields by accident. */
const wordsMin = 3;

/** A field shows what is stored in another one of the same review, without a new date. */
export function isSwapped({ review, before }: Pair): boolean {
  if (!isSameMoment(review.date, before)) return false;
  const read = textsOf(review);
  const stored = textsOf(before);
  return read.some((value, field) => {
    if (value.length < wordsMin || value === stored[field]) return false;
    const others = [...stored.with(field, ""), before.storeReviewId];
    return others.includes(value);
  });
}

function textsOf({ author, title, text, reply, version }: SourceReview | Review): string[] {
  return [author, title ?? "", text ?? "", reply?.text ?? "", version];
}

/** The stored words, but escaped for HTML, cut off, or as a part of something longer, without a new date. */
export function isAltered({ pair: { review, before }, isInPlace }: Changed): boolean {
  if (!isInPlace) return false;
  return (
    isAlteredText(review.text ?? "", before.text) ||
    isAlteredText(review.title ?? "", before.title ?? "")
  );
}

function isAlteredText(read: string, stored: string): boolean {
  if (read === stored || read === "" || stored === "") return false;
  if (unescapeHtml(read) === unescapeHtml(stored)) return true;
  const beginning = read.replace(/(?:…|\.{3})$/, "").trimEnd();
  const isCut = beginning.length >= wordsMin && stored.startsWith(beginning);
  return isCut || (stored.length >= wordsMin && read.includes(stored));
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function unescapeHtml(text: string): string {
  return text
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,5}));/gi, (all, decimal, hex, name) => {
      if (name) return entities[String(name).toLowerCase()] ?? all;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    });
}

/** The date of the developer's reply in the place of the review's date. */
export function showsReplyDate({ review, before }: Pair): boolean {
  const at = before.reply?.at ?? null;
  if (at === null || review.date === null || isSameMoment(review.date, before)) return false;
  return Math.abs(review.date.getTime() - at.getTime()) < secondMs;
}
