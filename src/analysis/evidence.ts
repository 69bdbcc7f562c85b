// Leads from the normal form back to the review as it was written: the literal words that gave it a
// topic, and where they stand.

import { classOfUnit, isWordUnit, wordUnit } from "./char-classes.ts";
import type { NormalizedText } from "./normalized-text.ts";
import type { Topic, TopicMatch } from "./topics.ts";

/** `[start, end)` in UTF-16 units of the title or the text; `words` is what stands there. */
export type Evidence = {
  topic: Topic;
  field: "title" | "text";
  start: number;
  end: number;
  words: string;
};

export function toEvidence(
  review: { title: string | null; text: string },
  form: NormalizedText,
  find: TopicMatch,
): Evidence {
  const field = find.start < form.titleUnits ? "title" : "text";
  const source = field === "title" ? (review.title ?? "") : review.text;
  const last = Math.min(endOfWord(form.text, find.end), fieldEnd(form, field)) - 1;
  const start = form.starts[find.start] ?? 0;
  const end = Math.max(form.ends[last] ?? 0, start);
  return { topic: find.topic, field, start, end, words: source.slice(start, end) };
}

// A phrase with an open end fires at its stem; what a reader wants to see is the word.
function endOfWord(text: string, end: number): number {
  let at = end;
  if (!isWordUnit(text.charCodeAt(at - 1))) return at;
  while (at < text.length && at - end < stemRestMax && isSpaced(text.charCodeAt(at))) at += 1;
  return at;
}

const stemRestMax = 20;

function isSpaced(unit: number): boolean {
  return classOfUnit(unit) === wordUnit;
}

function fieldEnd(form: NormalizedText, field: Evidence["field"]): number {
  return field === "title" && form.titleUnits < form.text.length
    ? form.titleUnits - separatorUnits
    : form.text.length;
}

// The full stop and the blank between title and text.
const separatorUnits = 2;
