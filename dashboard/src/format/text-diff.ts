// The changes between two versions of a text, word by word, for the edit history of a review.
import { diffArrays } from "diff";

export type DiffPart = { kind: "same" | "added" | "removed"; text: string };

// The diff takes time in proportion to text length times edits: beyond this many edits the two texts
// have little in common, and the change is shown as a whole.
const editCountMax = 1_000;

export function diffWords(before: string, after: string): DiffPart[] {
  const parts = diffArrays(splitWords(before), splitWords(after), { maxEditLength: editCountMax });
  if (!parts) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  }
  return parts.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value.join(""),
  }));
}

// A word is taken with the space before it, so that a sentence added at the end leaves the last word
// unchanged. Scripts without spaces are compared by character: a segmenter's words would be too coarse
// to show that one character of a word changed.
function splitWords(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\s*[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|\s+/gu,
    ) ?? []
  );
}
