// A text whose misspelt words are replaced, for a second search of the lists: corrections add matches and take none away.
import { prepareSearch, type SearchText } from "./phrase-finder.ts";
import { findMisspelt } from "./spelling.ts";

type Span = { start: number; end: number };

type CorrectedText = {
  searched: SearchText;
  /** Where a match with a corrected word is in the original; null for any other match. */
  toOriginal(match: Span): Span | null;
};

// Phrases that begin farther before a word hardly ever contain it.
const unitsBeforeMax = 40;

/** Returns null where no word is misspelt. */
export function correctText(searched: SearchText, language: string): CorrectedText | null {
  const misspelt = findMisspelt(searched, language);
  if (misspelt.length === 0) return null;
  const { text } = searched;
  let corrected = "";
  let from = 0;
  const words = misspelt.map((original) => {
    corrected += text.slice(from, original.start);
    from = original.end;
    const start = corrected.length;
    corrected += original.word;
    return { start, end: corrected.length, original };
  });
  /** Words stay whole: what begins or ends inside of a corrected one takes in all of it. */
  const moveTo = (position: number, side: keyof Span): number => {
    const word = words.findLast(({ start }) =>
      side === "start" ? start <= position : start < position,
    );
    if (word === undefined) return position;
    return position <= word.end && !(side === "start" && position === word.end)
      ? word.original[side]
      : position - word.end + word.original.end;
  };
  const [first, last] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
  const before = searched.wordStarts.findLast((start) => start <= first - unitsBeforeMax) ?? 0;
  return {
    searched: prepareSearch(corrected + text.slice(from), { from: before, to: last }),
    toOriginal({ start, end }) {
      if (!words.some((word) => word.start < end && start < word.end)) return null;
      return { start: moveTo(start, "start"), end: moveTo(end, "end") };
    },
  };
}
