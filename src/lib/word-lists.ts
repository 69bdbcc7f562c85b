// Reads the word lists that ship with the code. A file has sections of phrases:
//
//     # A comment
//     [crash]
//     crash* force_close
//
// `_` is a space, and before a Korean phrase the beginning of a word, a `*` before or after a phrase means that the word may
// continue there, and `…` leaves room for a few words of the same clause, or for none after `_`. A section like `[@things]` is a
// group of words, and `my_@things…stop` a phrase for each of them; behind `…` a group is alternatives, which `|` separates.
import fs from "node:fs";
import { brotliDecompressSync } from "node:zlib";

export type PhraseList<Section extends string> = Readonly<Record<Section, readonly string[]>>;

/** @throws Error that names the file, the line and the entry when the file is not a complete list */
export function readPhraseList<Section extends string>(
  file: URL,
  sections: readonly Section[],
): PhraseList<Section> {
  const found = new Map<string, Set<string>>();
  let current: Set<string> | undefined;
  for (const [index, line] of fs.readFileSync(file, "utf8").split("\n").entries()) {
    const where = `${file.pathname}, line ${index + 1}`;
    if (line.trim() === "" || line.startsWith("#")) continue;
    const section = /^\[(@?\w+)\]$/.exec(line)?.[1];
    if (section !== undefined) {
      if (!section.startsWith("@") && !(sections as readonly string[]).includes(section))
        throw new Error(`${where}: unknown section "${section}"`);
      if (found.has(section)) throw new Error(`${where}: second section "${section}"`);
      current = new Set();
      found.set(section, current);
      continue;
    }
    if (current === undefined) throw new Error(`${where}: phrases before the first section`);
    for (const phrase of line.trim().split(/\s+/)) addPhrase(current, { phrase, where });
  }
  const missing = sections.find((section) => !found.has(section));
  if (missing !== undefined) throw new Error(`${file.pathname}: section "${missing}" is missing`);
  const groupOf = (name: string, phrase: string): string[] => {
    const group = found.get(name);
    if (group !== undefined) return [...group];
    throw new Error(`${file.pathname}: no section "${name}" for "${phrase}"`);
  };
  const entries = sections.map((section) => {
    const phrases = [...(found.get(section) ?? [])];
    return [section, [...new Set(phrases.flatMap((phrase) => fillGroups(phrase, groupOf)))]];
  });
  return Object.fromEntries(entries);
}

type GroupOf = (name: string, phrase: string) => string[];

function fillGroups(phrase: string, groupOf: GroupOf): string[] {
  if (!phrase.includes("@")) return [phrase];
  const fill = (part: string): string[] => {
    const name = /(?<=^|_)@[a-z]+/.exec(part)?.[0];
    if (name === undefined) return [part];
    const words = groupOf(name, phrase);
    // A word continues only where the part ends.
    const fitting = part.endsWith(name) ? words : words.map((word) => word.replace(/\*$/, ""));
    return fitting.flatMap((word) => fill(part.replace(name, word)));
  };
  const [firsts = [], seconds] = phrase.split("…").map(fill);
  if (seconds === undefined) return firsts;
  const alternatives = seconds.join("|");
  return firsts.map((first) => `${first}…${alternatives}`);
}

const validPhrase = /^\*?[^*…]*[^*_…][^*…]*\*?(?:…[^*…]*[^*_…][^*…]*\*?)?$/;

function addPhrase(
  section: Set<string>,
  { phrase, where }: { phrase: string; where: string },
): void {
  if (!validPhrase.test(phrase)) throw new Error(`${where}: "${phrase}" is not a phrase`);
  if (section.has(phrase)) throw new Error(`${where}: "${phrase}" is listed twice`);
  section.add(phrase);
}

/** The words with their rank, from 1. */
export function readRankedWords(url: URL): ReadonlyMap<string, number> {
  const words = brotliDecompressSync(fs.readFileSync(url)).toString("utf8").split("\n");
  return new Map(words.map((word, index) => [word, index + 1]));
}
