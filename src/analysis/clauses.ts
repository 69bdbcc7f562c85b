// Splits a normalized text into clauses, each of which mostly expresses one sentiment.

/** `end` is exclusive. */
export type Clause = { start: number; end: number };

/** By the text alone, from -1 to 1. */
export type ScoredClause = Clause & { score: number };

const separators = new Set([...".!?;,…\n。、،؟।"].map((sign) => sign.charCodeAt(0)));

/** What separates clauses, in the order of the text: runs of punctuation, and the given words like "but". */
export function findBoundaries(text: string, contrasts: readonly Clause[]): Clause[] {
  const boundaries = contrasts.map(({ start, end }) => ({ start, end }));
  for (let at = 0; at < text.length; at += 1) {
    if (!separators.has(text.charCodeAt(at))) continue;
    const start = at;
    while (separators.has(text.charCodeAt(at + 1))) at += 1;
    boundaries.push({ start, end: at + 1 });
  }
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
