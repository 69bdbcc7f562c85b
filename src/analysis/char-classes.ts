// The class of each UTF-16 code unit of the basic plane, as one table: looking it up is many times faster
// than testing a regular expression for every code unit of every review.

const otherUnit = 0;
/** Letters, marks and numbers of scripts that separate words by spaces. */
export const wordUnit = 1;
/** Those of scripts that don't: kana, Han, Thai, Lao, Khmer, Burmese. */
export const unspacedUnit = 2;
export const pictureUnit = 3;

const unitCount = 0x1_0000;
const isWordCharacter = /[\p{L}\p{M}\p{N}]/u;
const isUnspaced =
  /[ー\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const picture = /\p{Extended_Pictographic}/u;
const hangul = { first: 0xac00, last: 0xd7a3 };
const han = { first: 0x4e00, last: 0x9fff };

const classes = buildClasses();

export function classOfUnit(unit: number): number {
  return classes[unit] ?? otherUnit;
}

export function isWordUnit(unit: number): boolean {
  const found = classes[unit];
  return found === wordUnit || found === unspacedUnit;
}

export function isLeadingSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** The class of any character, also of one beyond the basic plane. */
export function classOfCharacter(character: string): number {
  if (isWordCharacter.test(character)) return isUnspaced.test(character) ? unspacedUnit : wordUnit;
  return picture.test(character) ? pictureUnit : otherUnit;
}

function buildClasses(): Uint8Array {
  const table = new Uint8Array(unitCount);
  for (let unit = 0; unit < unitCount; unit += 1) {
    // Two large blocks of one class each are filled below.
    if (unit === han.first) unit = han.last + 1;
    if (unit === hangul.first) unit = hangul.last + 1;
    table[unit] = classOfCharacter(String.fromCharCode(unit));
  }
  table.fill(wordUnit, hangul.first, hangul.last + 1);
  table.fill(unspacedUnit, han.first, han.last + 1);
  return table;
}
