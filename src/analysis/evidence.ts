// Maps topic matches in normalized text back to the original review: the words that matched and their
// position in title or text.

import type { Topic } from "../domain/review/topics.ts";
import { classOfUnit, isWordUnit, wordUnit } from "./char-classes.ts";
import type { NormalizedText } from "./normalized-text.ts";

/** `[start, end)` in UTF-16 code units of the title or the text; `words` is the text there. */
export type Evidence = { topic: Topic } & FoundWords;

type FoundWords = {
  field: "title" | "text";
  start: number;
  end: number;
  words: string;
};

/** @param match `[start, end)` in UTF-16 code units of the normalized text */
export function toEvidence(
  review: { title: string | null; text: string },
  normalized: NormalizedText,
  match: { start: number; end: number },
): FoundWords {
  const field = match.start < normalized.titleUnits ? "title" : "text";
  const source = field === "title" ? (review.title ?? "") : review.text;
  const last = Math.min(endOfWord(normalized.text, match.end), fieldEnd(normalized, field)) - 1;
  const start = normalized.starts[match.start] ?? 0;
  const end = Math.max(normalized.ends[last] ?? 0, start);
  return { field, start, end, words: source.slice(start, end) };
}

// A phrase with an open end matches a stem; people are shown the whole word.
function endOfWord(text: string, end: number): number {
  let at = end;
  if (!isWordUnit(text.charCodeAt(at - 1))) return at;
  while (at < text.length && at - end < suffixUnitsMax && isSpaced(text.charCodeAt(at))) at += 1;
  return at;
}

const suffixUnitsMax = 20;

function isSpaced(unit: number): boolean {
  return classOfUnit(unit) === wordUnit;
}

function fieldEnd(normalized: NormalizedText, field: Evidence["field"]): number {
  return field === "title" && normalized.titleUnits < normalized.text.length
    ? normalized.titleUnits - separatorUnits
    : normalized.text.length;
}

// The full stop and the space between title and text.
const separatorUnits = 2;
