// The one spelling in which every step reads a review: cut, folded in width and case, freed of
// ornaments. Promises a bounded length for any input and never throws.

/** Enough for a verdict, and what bounds the time of a review of any size. */
export const textUnitsMax = 600;

// Blank although Unicode counts them as letters or symbols: Hangul fillers and the empty braille.
const blankLetters = /[\u115f\u1160\u3164\uffa0\u2800]/g;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** The normal form of title and text together, or null when a reader would see nothing. */
export function normaliseReview(review: { title: string | null; text: string }): string | null {
  const parts = [review.title ?? "", review.text].map(openingOf).filter(isVisible);
  return parts.length === 0 ? null : normalForm(openingOf(parts.join(". ")));
}

export function normalForm(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?:https?:\/\/|www\.)\S+/g, "§")
    .replace(/(?<![\p{L}\p{N}])@[\p{L}\p{N}_]+/gu, "@")
    .replace(/[\u2018\u2019\u201b\u02bc`\u00b4]/g, "'")
    .replace(/[\ufe0f\u200b-\u200d\u2060\u0640\u064b-\u065f\u0670]/g, "")
    .replace(/[أإآٱ]/g, "ا")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/\p{Nd}/gu, "0")
    .replace(/(.)\1{2,}/gsu, "$1$1")
    .replace(/[^\S\n]+/g, " ");
}

function openingOf(text: string): string {
  const opening = text.trim().slice(0, textUnitsMax);
  // A pair of surrogates cut in half would become a visible replacement character.
  return /[\ud800-\udbff]$/.test(opening) && text.trim().length > textUnitsMax
    ? opening.slice(0, -1)
    : opening;
}

function isVisible(text: string): boolean {
  return visible.test(text.replace(blankLetters, ""));
}
