// Folds single signs into the spelling of the normal form: width, case, digits, quotes, Arabic
// variants. Each sign is folded once and remembered, because NFKC is dear when asked for every one.

/** The answer of `foldUnit` for what is no single unit in the normal form, or none at all. */
export const needsSlowPath = 0;

const unitCount = 0x1_0000;
const unknown = 0;
const carefully = 1;
const folded = new Uint16Array(unitCount);
const joining = new Uint8Array(unitCount);

/** The one unit that stands for this one, or `needsCare`. */
export function foldUnit(unit: number): number {
  const known = folded[unit] ?? carefully;
  if (known !== unknown) return known === carefully ? needsSlowPath : known;
  const spelled = spell(String.fromCharCode(unit));
  const one = spelled.length === 1 ? spelled.charCodeAt(0) : carefully;
  folded[unit] = one === unknown ? carefully : one;
  return one === carefully ? needsSlowPath : one;
}

const joiner = /[\p{M}\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uff9e-\uffdc]/u;

/** Whether a unit could melt with the sign before it: a mark, or a part of a Hangul syllable. */
export function combinesWithPrevious(unit: number): boolean {
  if (unit < 0x300 || Number.isNaN(unit)) return false;
  if (joining[unit] === unknown) joining[unit] = joiner.test(String.fromCharCode(unit)) ? 2 : 1;
  return joining[unit] === 2;
}

const rememberedCountMax = 10_000;
const rememberedUnitsMax = 8;
const remembered = new Map<string, string>();

/** The spelling of a sign with its marks; empty for an ornament. */
export function foldCharacters(signs: string): string {
  const known = remembered.get(signs);
  if (known !== undefined) return known;
  const spelled = spell(signs);
  if (signs.length <= rememberedUnitsMax && remembered.size < rememberedCountMax) {
    remembered.set(signs, spelled);
  }
  return spelled;
}

function spell(signs: string): string {
  return signs
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
