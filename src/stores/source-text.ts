// Cleans the fields of a store page before they are saved: harmless text within the limits of a review.
import { cleanText } from "../domain/clean-text.ts";
import { canParseUrl } from "../lib/urls.ts";

/**
 * Text over the limit is cut: the store has it in full, and a page with one absurd review must not be
 * lost for it. "" for any other value.
 */
export function sourceText(value: unknown, lengthMax: number): string {
  if (typeof value !== "string") return "";
  const clean = cleanText(value);
  if (clean.length <= lengthMax) return clean;
  const cut = clean.slice(0, lengthMax);
  // Half of a character that was cut in two goes too.
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** null for any other value: the source omits it, which is not the same as an empty one. */
export function statedText(value: unknown, lengthMax: number): string | null {
  return typeof value === "string" ? sourceText(value, lengthMax) : null;
}

/** null for an empty text as well. */
export function factText(value: unknown, lengthMax: number): string | null {
  return sourceText(value, lengthMax).trim() || null;
}

/** null where amount or currency can't be right. */
export function formatPrice(amount: number | null, currency: string | null): string | null {
  if (amount === 0) return "Free";
  if (amount === null || amount < 0 || !/^[A-Z]{3}$/.test(currency ?? "")) return null;
  return `${amount} ${currency}`;
}

/** A version or a name of an app: one line, short. */
export const versionMax = 100;
export const appNameMax = 300;

const urlMax = 2_048;

/** "" unless it is a web address. */
export function webUrl(value: unknown): string {
  if (typeof value !== "string" || value.length > urlMax) return "";
  return canParseUrl(value) && /^https?:\/\//i.test(value) ? value : "";
}

/** A rating is one to five whole stars; anything else is not a rating. */
export function isStars(value: number | null): value is number {
  return value !== null && [1, 2, 3, 4, 5].includes(value);
}

const votesMax = 2 ** 31 - 1;

/** null for a count that no review can have: it is a mistake of the source. */
export function plausibleVotes(count: number | null): number | null {
  return count !== null && Number.isInteger(count) && Math.abs(count) <= votesMax ? count : null;
}

/** Outside these years a date is a mistake of the source, and none is better. */
const yearMax = 2100;

export function plausibleDate(ms: number, yearMin: number): Date | null {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= yearMin && year <= yearMax ? date : null;
}

/** An average of 1 to 5 stars; null for everything else. */
export function parseStars(value: unknown): number | null {
  return typeof value === "number" && value >= 1 && value <= 5 ? value : null;
}
