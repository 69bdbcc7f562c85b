// Folds letters that people often type without their accent: accented Latin letters, dotless ı, Russian
// ё. The length stays the same, so positions in the folded text are positions in the text.

// Umlauts stay: without them German "schön" (beautiful) would read "schon" (already).
const unfoldedLetters = new Set("äöü");
const specialFolds = new Map(Object.entries({ ı: "i", ł: "l", đ: "d", ø: "o", ё: "е" }));
const foldable = /[\u00e0-\u024f\u1e00-\u1effё]/g;

export function foldAccents(text: string): string {
  return text.replace(foldable, foldLetter);
}

function foldLetter(letter: string): string {
  if (unfoldedLetters.has(letter)) return letter;
  return specialFolds.get(letter) ?? letter.normalize("NFD").charAt(0);
}
