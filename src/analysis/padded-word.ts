// A word as an array of its units with a mark on either side, from which groups of letters are hashed:
// reading an array is quicker than asking a string for each unit of each group again.
import { textUnitsMax } from "./normalized-text.ts";

const mark = 0x5e;
const units = new Uint16Array(textUnitsMax + 2);

/** `[start, end)` of the text, beginning at 1; the marks at 0 and behind. Valid until the next call. */
export function padWord(text: string, start: number, end: number): Uint16Array {
  let length = 1;
  units[0] = mark;
  for (let at = start; at < end; at += 1) {
    units[length] = text.charCodeAt(at);
    length += 1;
  }
  units[length] = mark;
  return units;
}
