// The normalized text that every stage and the training read: cut to a bounded length, folded in width and
// case, without ornaments. Keeps the original position of each code unit. Never throws.

import { isLeadingSurrogate, isWordUnit } from "./char-classes.ts";
import { combinesWithPrevious, foldCharacters, foldUnit, needsSlowPath } from "./char-folding.ts";

/** In UTF-16 code units. As long as any store lets a review be; bounds the time for a text of any size. */
export const textUnitsMax = 8_000;

/** The opening, which the weights read: more of a text hardly changes language and sentiment. */
export const openingUnitsMax = 600;

export type NormalizedText = {
  text: string;
  /** The beginning of `text`, `openingUnitsMax` at most. */
  opening: string;
  /** Code units of the title at the beginning, its full stop included; 0 without a title. */
  titleUnits: number;
  /** For each code unit of `text`: where its original character starts in the title or the text. */
  starts: Uint16Array;
  /** And where that character ends. */
  ends: Uint16Array;
};

/** Title and text together, or null when nothing in them is visible. */
export function normalizeReview(review: {
  title: string | null;
  text: string;
}): NormalizedText | null {
  const title = boundedText(review.title ?? "");
  const text = boundedText(review.text);
  const builder = new NormalizedTextBuilder();
  if (isVisible(title.text)) builder.append(title);
  if (builder.length > 0 && isVisible(text.text)) builder.appendSeparator();
  const titleUnits = builder.length;
  if (isVisible(text.text)) builder.append(text);
  return builder.length === 0 ? null : builder.finish(titleUnits);
}

export function normalizeText(text: string): string {
  const builder = new NormalizedTextBuilder();
  builder.append(boundedText(text));
  return builder.text;
}

/** The beginning of a text without leading white space, and its offset in the source. */
type BoundedText = { text: string; offset: number };

function boundedText(source: string): BoundedText {
  const trimmed = source.trimStart();
  // Half a surrogate pair would become a visible replacement character.
  const isHalved =
    trimmed.length > textUnitsMax && isLeadingSurrogate(trimmed.charCodeAt(textUnitsMax - 1));
  const text = trimmed.slice(0, isHalved ? textUnitsMax - 1 : textUnitsMax).toWellFormed();
  return { text, offset: Math.min(source.length - trimmed.length, offsetMax) };
}

// Positions have 16 bits; no real review has so much white space in front.
const offsetMax = 0xffff - textUnitsMax;

// Blank although Unicode counts them as letters or symbols: Hangul fillers and the empty braille.
const blankLetters = /[\u115f\u1160\u3164\uffa0\u2800]/g;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

function isVisible(text: string): boolean {
  return visible.test(text) && visible.test(text.replace(blankLetters, ""));
}

const characterWithMarks =
  /[\s\S][\p{M}\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uff9e-\uffdc]*/uy;
const link = /(?:https?:\/\/|www\.)\S+/iy;
const mention = /@[\p{L}\p{N}_]+/uy;
const linkPlaceholder = 0xa7;
const space = 0x20;
const lineEnd = 0x0a;
const fullStop = 0x2e;
const at = 0x40;

const units = new Uint16Array(textUnitsMax);
const starts = new Uint16Array(textUnitsMax);
const ends = new Uint16Array(textUnitsMax);

/** Appends character by character, in arrays that are reused for each review. */
class NormalizedTextBuilder {
  length = 0;

  append({ text, offset }: BoundedText): void {
    for (let from = 0; from < text.length && this.length < textUnitsMax; ) {
      const unit = text.charCodeAt(from);
      const folded = foldUnit(unit);
      const special = mayBeSpecial(folded) ? this.#specialLength(text, from) : 0;
      const to = from + (isLeadingSurrogate(unit) ? 2 : 1);
      if (special > 0) {
        this.#add(unit === at ? at : linkPlaceholder, offset + from, offset + from + special);
        from += special;
      } else if (folded !== needsSlowPath && !combinesWithPrevious(text.charCodeAt(to))) {
        this.#add(folded, offset + from, offset + to);
        if (to > from + 1) {
          this.#add(text.charCodeAt(from + 1), offset + from, offset + to);
        }
        from = to;
      } else {
        characterWithMarks.lastIndex = from;
        const characters = characterWithMarks.exec(text)?.[0] ?? text.charAt(from);
        const foldedText = foldCharacters(characters);
        for (let unitAt = 0; unitAt < foldedText.length; unitAt += 1) {
          this.#add(
            foldedText.charCodeAt(unitAt),
            offset + from,
            offset + from + characters.length,
          );
        }
        from += characters.length;
      }
    }
  }

  /** A full stop between title and text. */
  appendSeparator(): void {
    this.#add(fullStop, 0, 0);
    this.#add(space, 0, 0);
  }

  get text(): string {
    const length = wholeLength(this.length);
    // Spreading takes ten times as long.
    return String.fromCharCode.apply(null, units.subarray(0, length) as unknown as number[]);
  }

  finish(titleUnits: number): NormalizedText {
    const { text } = this;
    const { length } = text;
    return {
      text,
      opening: length <= openingUnitsMax ? text : text.slice(0, wholeLength(openingUnitsMax)),
      titleUnits: Math.min(titleUnits, length),
      starts: starts.slice(0, length),
      ends: ends.slice(0, length),
    };
  }

  /** The length of the link or @mention that begins here; 0 for none. */
  #specialLength(text: string, from: number): number {
    if (this.length > 0 && isWordUnit(units[this.length - 1] ?? 0)) return 0;
    const pattern = text.charCodeAt(from) === at ? mention : link;
    pattern.lastIndex = from;
    return pattern.exec(text)?.[0].length ?? 0;
  }

  #add(unit: number, start: number, end: number): void {
    const { length } = this;
    if (length >= textUnitsMax) return;
    if (unit === space && (length === 0 || isBlank(units[length - 1] ?? 0))) return;
    // A character that is repeated three times or more is kept twice: "soooo" becomes "soo".
    if (length > 1 && unit === units[length - 1] && unit === units[length - 2]) {
      ends[length - 1] = end;
      return;
    }
    units[length] = unit;
    starts[length] = start;
    ends[length] = end;
    this.length = isThirdPair(length) ? length - 1 : length + 1;
  }
}

// A cut may fall in the middle of a surrogate pair.
function wholeLength(unitCount: number): number {
  let length = unitCount;
  if (length > 0 && isLeadingSurrogate(units[length - 1] ?? 0)) length -= 1;
  while (length > 0 && isBlank(units[length - 1] ?? 0)) length -= 1;
  return length;
}

const letterH = 0x68;
const letterW = 0x77;

function mayBeSpecial(unit: number): boolean {
  return unit === letterH || unit === letterW || unit === at;
}

function isBlank(unit: number): boolean {
  return unit === space || unit === lineEnd;
}

/** Whether the code unit at `last` ends the third of three equal surrogate pairs. */
function isThirdPair(last: number): boolean {
  if (last < 5 || (units[last] ?? 0) >> 10 !== 0x37) return false;
  const [high, low] = [units[last - 1], units[last]];
  return (
    units[last - 2] === low &&
    units[last - 4] === low &&
    units[last - 3] === high &&
    units[last - 5] === high
  );
}
