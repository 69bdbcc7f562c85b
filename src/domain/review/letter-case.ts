// Letters in upper and lower case, the same in this process and in every database: whatever its locale, PostgreSQL gets a
// pattern that names each letter's cases.

let casesOf: Map<string, string[]> | null = null;

/** A regular expression, for JavaScript and for PostgreSQL, that finds the text itself in any case of its letters. */
export function anyCasePattern(text: string): string {
  casesOf ??= groupByCase();
  return [...text]
    .map((letter) => {
      const cases = casesOf?.get(fold(letter)) ?? [];
      return cases.length > 1
        ? `[${cases.join("")}]`
        : letter.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
    })
    .join("");
}

/** The last code point of a script that has cases. */
const casedMax = 0x1e943;

/** Letters that differ in their case alone, Turkish and Greek ones and ligatures included. */
function groupByCase(): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (let code = 0; code <= casedMax; code++) {
    const letter = String.fromCodePoint(code);
    if (letter.toLowerCase() === letter && letter.toUpperCase() === letter) continue;
    const key = fold(letter);
    groups.set(key, [...(groups.get(key) ?? []), letter]);
  }
  return groups;
}

/** One letter becomes one: `İ` is an `i`, and `ß` stays. */
function fold(letter: string): string {
  const upper = letter.toUpperCase();
  const [lower = letter] = ([...upper].length === 1 ? upper : letter).toLowerCase();
  return lower;
}
