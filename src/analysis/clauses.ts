// Splits a normalized text into clauses, each of which mostly expresses one sentiment.

/** `end` is exclusive. */
export type Clause = { start: number; end: number };

/** By the text alone, from -1 to 1. */
export type ScoredClause = Clause & { score: number };

// Not the point of a version or an amount: "since update 2.0 it crashes" is one clause.
const separators = /(?:[!?;…\n。、،؟।]|(?<!\d)[.,]|[.,](?!\d))+/g;

/** What separates clauses, in the order of the text: runs of punctuation, and the given words like "but". */
export function findBoundaries(text: string, contrasts: readonly Clause[]): Clause[] {
  const boundaries = contrasts.map(({ start, end }) => ({ start, end }));
  for (const { 0: signs, index: start } of text.matchAll(separators))
    boundaries.push({ start, end: start + signs.length });
  return boundaries.sort((a, b) => a.start - b.start || b.end - a.end);
}

export function splitClauses(text: string, boundaries: readonly Clause[]): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  for (const boundary of [...boundaries, { start: text.length, end: text.length }]) {
    if (text.slice(start, boundary.start).trim() !== "")
      clauses.push({ start, end: boundary.start });
    start = Math.max(start, boundary.end);
  }
  return clauses;
}
