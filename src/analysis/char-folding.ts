// Folds characters as in normalized text: width, case, digits, quotes, Arabic variants. The result for each
// character is cached, because NFKC is slow.

/** Returned by `foldUnit` when the result is not exactly one code unit: use `foldCharacters`. */
export const needsSlowPath = 0;

const unitCount = 0x1_0000;
const unknown = 0;
const slowPath = 1;
const folded = new Uint16Array(unitCount);
const combining = new Uint8Array(unitCount);

/** The code unit that this one folds to, or `needsSlowPath`. */
export function foldUnit(unit: number): number {
  const known = folded[unit] ?? slowPath;
  if (known !== unknown) return known === slowPath ? needsSlowPath : known;
  const result = computeFold(String.fromCharCode(unit));
  const one = result.length === 1 ? result.charCodeAt(0) : slowPath;
  folded[unit] = one === unknown ? slowPath : one;
  return one === slowPath ? needsSlowPath : one;
}

const combiningMark = /[\p{M}\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uff9e-\uffdc]/u;

/** Whether a code unit may combine with the character before it: a mark, or a part of a Hangul syllable. */
export function combinesWithPrevious(unit: number): boolean {
  if (unit < 0x300 || Number.isNaN(unit)) return false;
  if (combining[unit] === unknown)
    combining[unit] = combiningMark.test(String.fromCharCode(unit)) ? 2 : 1;
  return combining[unit] === 2;
}

const cachedCountMax = 10_000;
const cachedUnitsMax = 8;
const cache = new Map<string, string>();

/** A character with its combining marks, folded; empty for one that is dropped. */
export function foldCharacters(characters: string): string {
  const known = cache.get(characters);
  if (known !== undefined) return known;
  const result = computeFold(characters);
  if (characters.length <= cachedUnitsMax && cache.size < cachedCountMax) {
    cache.set(characters, result);
  }
  return result;
}

function computeFold(characters: string): string {
  return characters
    .normalize("NFKC")
    .toLowerCase()
    .replace(/i\u0307/g, "i")
    .replace(/ς/g, "σ")
    .replace(/[\u2018\u2019\u201b\u02bc`\u00b4]/g, "'")
    .replace(/\u00ad|\ufe0f|[\u200b-\u200d]|\u2060|\u0640|[\u064b-\u065f]|\u0670/g, "")
    .replace(/[أإآٱ]/g, "ا")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/\p{Nd}/gu, "0")
    .replace(/[^\S\n]+/g, " ");
}
