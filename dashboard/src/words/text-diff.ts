// What changed between two versions of a text, word by word: a longest common subsequence, bounded so that
// two long texts cost no more than a blink.

export type DiffPart = { kind: "same" | "added" | "removed"; text: string };

// Cells of the table; two texts of 1,000 words each. Beyond it the change is shown as a whole.
const cellCountMax = 1_000_000;

export function diffWords(before: string, after: string): DiffPart[] {
  const old = splitWords(before);
  const fresh = splitWords(after);
  const start = countSame(old, fresh);
  const end = countSame(old.slice(start).reverse(), fresh.slice(start).reverse());
  const parts: DiffPart[] = [
    { kind: "same", text: old.slice(0, start).join("") },
    ...diffMiddle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    { kind: "same", text: old.slice(old.length - end).join("") },
  ];
  return joinAlike(parts);
}

// Words with the space before them, so that a sentence added at the end leaves the last word as it was;
// scripts without spaces are cut by character.
function splitWords(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\s*[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|\s+/gu,
    ) ?? []
  );
}

function countSame(left: string[], right: string[]): number {
  const length = Math.min(left.length, right.length);
  let count = 0;
  while (count < length && left[count] === right[count]) count += 1;
  return count;
}

function diffMiddle(old: string[], fresh: string[]): DiffPart[] {
  if (old.length * fresh.length > cellCountMax) {
    return [
      { kind: "removed", text: old.join("") },
      { kind: "added", text: fresh.join("") },
    ];
  }
  const lengths = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const parts: DiffPart[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const below = lengths[(row + 1) * width + column] ?? -1;
    const right = lengths[row * width + column + 1] ?? -1;
    if (row < old.length && column < fresh.length && old[row] === fresh[column]) {
      parts.push({ kind: "same", text: old[row] ?? "" });
      row += 1;
      column += 1;
    } else if (column >= fresh.length || (row < old.length && below >= right)) {
      parts.push({ kind: "removed", text: old[row] ?? "" });
      row += 1;
    } else {
      parts.push({ kind: "added", text: fresh[column] ?? "" });
      column += 1;
    }
  }
  return parts;
}

/** Cell (r, c) is the length of the longest common subsequence of both tails from r and c on. */
function commonLengths(old: string[], fresh: string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      const here = row * width + column;
      lengths[here] =
        old[row] === fresh[column]
          ? (lengths[here + width + 1] ?? 0) + 1
          : Math.max(lengths[here + width] ?? 0, lengths[here + 1] ?? 0);
    }
  }
  return lengths;
}

// Runs of one kind become one part, removed before added within a change.
function joinAlike(parts: DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  let change = { removed: "", added: "" };
  const flush = () => {
    if (change.removed) joined.push({ kind: "removed", text: change.removed });
    if (change.added) joined.push({ kind: "added", text: change.added });
    change = { removed: "", added: "" };
  };
  for (const { kind, text } of parts.filter((part) => part.text !== "")) {
    if (kind !== "same") {
      change[kind] += text;
      continue;
    }
    flush();
    const last = joined.at(-1);
    if (last?.kind === "same") last.text += text;
    else joined.push({ kind, text });
  }
  flush();
  return joined;
}
