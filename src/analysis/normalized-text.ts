// The one spelling in which every step reads a review, the training included: cut, folded in width
// and case, freed of ornaments. Remembers where each unit came from. Promises a bounded length for
// any input and never throws.

import { isLeadingSurrogate, isWordUnit } from "./char-classes.ts";
import { foldCharacters, foldUnit, combinesWithPrevious, needsSlowPath } from "./char-folding.ts";

/** Enough for a verdict, and what bounds the time of a review of any size. */
export const textUnitsMax = 600;

export type NormalizedText = {
  text: string;
  /** How many units at the beginning are the title's, its full stop included; 0 without a title. */
  titleUnits: number;
  /** For every unit of `text`: where the sign it came from begins in the title or the text. */
  starts: Uint16Array;
  /** And where that sign ends. */
  ends: Uint16Array;
};

/** The normal form of title and text together, or null when a reader would see nothing. */
export function normalizeReview(review: { title: string | null; text: string }): NormalizedText | null {
  const title = openingOf(review.title ?? "");
  const text = openingOf(review.text);
  const form = new NormalizedTextBuilder();
  if (isVisible(title.text)) form.take(title);
  if (form.length > 0 && isVisible(text.text)) form.separate();
  const titleUnits = form.length;
  if (isVisible(text.text)) form.take(text);
  return form.length === 0 ? null : form.finish(titleUnits);
}

export function normalizeText(text: string): string {
  const form = new NormalizedTextBuilder();
  form.take(openingOf(text));
  return form.finish(0).text;
}

/** The first signs that are not white space, and where they stand. */
type Opening = { text: string; offset: number };

function openingOf(source: string): Opening {
  const trimmed = source.trimStart();
  // A pair of surrogates cut in half would become a visible replacement character.
  const isHalved =
    trimmed.length > textUnitsMax && isLeadingSurrogate(trimmed.charCodeAt(textUnitsMax - 1));
  const text = trimmed.slice(0, isHalved ? textUnitsMax - 1 : textUnitsMax).toWellFormed();
  return { text, offset: Math.min(source.length - trimmed.length, offsetMax) };
}

// What a 16-bit place can hold; a review with so much white space in front has no use for places.
const offsetMax = 0xffff - textUnitsMax;

// Blank although Unicode counts them as letters or symbols: Hangul fillers and the empty braille.
const blankLetters = /[\u115f\u1160\u3164\uffa0\u2800]/g;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

function isVisible(text: string): boolean {
  return visible.test(text) && visible.test(text.replace(blankLetters, ""));
}

const cluster = /[\s\S][\p{M}\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uff9e-\uffdc]*/uy;
const link = /(?:https?:\/\/|www\.)\S+/iy;
const name = /@[\p{L}\p{N}_]+/uy;
const linkSign = 0xa7;
const blank = 0x20;
const lineEnd = 0x0a;
const fullStop = 0x2e;
const at = 0x40;

const units = new Uint16Array(textUnitsMax);
const starts = new Uint16Array(textUnitsMax);
const ends = new Uint16Array(textUnitsMax);

/** Grows sign by sign, in arrays that serve one review after the other. */
class NormalizedTextBuilder {
  length = 0;

  take({ text, offset }: Opening): void {
    for (let place = 0; place < text.length && this.length < textUnitsMax; ) {
      const unit = text.charCodeAt(place);
      const folded = foldUnit(unit);
      const special = mayBeSpecial(folded) ? this.#specialLength(text, place) : 0;
      const behind = place + (isLeadingSurrogate(unit) ? 2 : 1);
      if (special > 0) {
        this.#add(unit === at ? at : linkSign, offset + place, offset + place + special);
        place += special;
      } else if (folded !== needsSlowPath && !combinesWithPrevious(text.charCodeAt(behind))) {
        this.#add(folded, offset + place, offset + behind);
        if (behind > place + 1) {
          this.#add(text.charCodeAt(place + 1), offset + place, offset + behind);
        }
        place = behind;
      } else {
        cluster.lastIndex = place;
        const signs = cluster.exec(text)?.[0] ?? text.charAt(place);
        const spelled = foldCharacters(signs);
        for (let unitAt = 0; unitAt < spelled.length; unitAt += 1) {
          this.#add(spelled.charCodeAt(unitAt), offset + place, offset + place + signs.length);
        }
        place += signs.length;
      }
    }
  }

  /** As a full stop would, between title and text. */
  separate(): void {
    this.#add(fullStop, 0, 0);
    this.#add(blank, 0, 0);
  }

  finish(titleUnits: number): NormalizedText {
    let length = this.length;
    // The cut may fall between title and text, in the middle of a pair.
    if (length > 0 && isLeadingSurrogate(units[length - 1] ?? 0)) length -= 1;
    while (length > 0 && isBlank(units[length - 1] ?? 0)) length -= 1;
    return {
      // Spreading takes ten times as long.
      text: String.fromCharCode.apply(null, units.subarray(0, length) as unknown as number[]),
      titleUnits: Math.min(titleUnits, length),
      starts: starts.slice(0, length),
      ends: ends.slice(0, length),
    };
  }

  /** How long the link or the name is that begins here; 0 for none. */
  #specialLength(text: string, place: number): number {
    if (this.length > 0 && isWordUnit(units[this.length - 1] ?? 0)) return 0;
    const pattern = text.charCodeAt(place) === at ? name : link;
    pattern.lastIndex = place;
    return pattern.exec(text)?.[0].length ?? 0;
  }

  #add(unit: number, start: number, end: number): void {
    const { length } = this;
    if (length >= textUnitsMax) return;
    if (unit === blank && (length === 0 || isBlank(units[length - 1] ?? 0))) return;
    // A sign that stands three times or more stands twice: "soooo" is "soo".
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

const letterH = 0x68;
const letterW = 0x77;

function mayBeSpecial(unit: number): boolean {
  return unit === letterH || unit === letterW || unit === at;
}

function isBlank(unit: number): boolean {
  return unit === blank || unit === lineEnd;
}

/** Whether the unit at `last` ends the third of three equal pairs of surrogates. */
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
