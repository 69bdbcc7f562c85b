// A word as an array of code units with a boundary mark on either side, from which letter n-grams are
// hashed: reading an array is faster than calling `charCodeAt` again for each n-gram.
import { openingUnitsMax } from "./normalized-text.ts";

const boundary = 0x5e;
const units = new Uint16Array(openingUnitsMax + 2);

/** The word at `[start, end)`, from index 1 on, between two boundary marks. Valid until the next call. */
export function padWord(text: string, start: number, end: number): Uint16Array {
  let length = 1;
  units[0] = boundary;
  for (let at = start; at < end; at += 1) {
    units[length] = text.charCodeAt(at);
    length += 1;
  }
  units[length] = boundary;
  return units;
}
