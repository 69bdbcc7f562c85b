// Folds what people leave out when they type fast: accents of Latin letters, dotless ı, Russian ё.
// The length stays the same, so a position in the folded text is one in the text.

// Umlauts stay: without them German "schön" (beautiful) would read "schon" (already).
const keptLetters = new Set("äöü");
const foreignFolds = new Map(Object.entries({ ı: "i", ł: "l", đ: "d", ø: "o", ё: "е" }));
const foldable = /[\u00e0-\u024f\u1e00-\u1effё]/g;
// Asked for every accent of every review: each letter is folded once and remembered.
const folds = new Map<string, string>();

export function foldAccents(text: string): string {
  return text.replace(foldable, foldLetter);
}

function foldLetter(letter: string): string {
  const known = folds.get(letter);
  if (known !== undefined) return known;
  const plain = keptLetters.has(letter)
    ? letter
    : (foreignFolds.get(letter) ?? letter.normalize("NFD").charAt(0));
  folds.set(letter, plain);
  return plain;
}
