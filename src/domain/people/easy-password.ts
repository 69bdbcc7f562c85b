// Whether a password is easy to guess: how many guesses an attacker needs who knows the common passwords, what the
// account says about its owner, and how people vary them. The list are the 49,000 most common passwords of
// @zxcvbn-ts/language-common 4.1.3 (MIT, Dan Wheeler, Dropbox and zxcvbn-ts), those of four and more characters.
import { lazy } from "../../lib/lazy.ts";
import { readRankedWords } from "../../lib/word-lists.ts";

/** The entropy against a guesser, in bits; the throttle of sign-ins does the rest. */
const bitsMin = 38;
const charBits = { digit: 3.3, other: 5 };
/** A word of the owner is among the first guesses. */
const ownWordBits = 3;
/** Which letters are capitals or written as digits. */
const variationBits = 1;
const pieceLength = { min: 3, max: 24 };

const readCommonRanks = lazy(() =>
  readRankedWords(new URL("common-passwords.txt.br", import.meta.url)),
);

/** @param ownWords what is known of the owner, like the name and the e-mail address */
export function isEasyPassword(password: string, ownWords: readonly string[]): boolean {
  const text = password.toLowerCase();
  if (isSequence(text)) return true;
  return countBits(withoutRepetition(text), ownWords) < bitsMin;
}

/** The cheapest way to put the text together from known words and single characters. */
function countBits(text: string, ownWords: readonly string[]): number {
  const own = new Set(ownWords.map((word) => word.toLowerCase()));
  const plain = withoutLeet(text);
  const best = [0];
  for (let end = 1; end <= text.length; end += 1) {
    const bits = /\d/.test(text[end - 1] ?? "") ? charBits.digit : charBits.other;
    let cheapest = (best[end - 1] ?? 0) + bits;
    const firstStart = Math.max(0, end - pieceLength.max);
    for (let start = firstStart; start <= end - pieceLength.min; start += 1) {
      const pieceBits = Math.min(
        wordBits(text.slice(start, end), own),
        wordBits(plain.slice(start, end), own) + variationBits,
      );
      cheapest = Math.min(cheapest, (best[start] ?? 0) + pieceBits);
    }
    best.push(cheapest);
  }
  return best.at(-1) ?? 0;
}

const keyRows = [
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
].flatMap((row) => [row, [...row].reverse().join("")]);
/** Which row, from where, how far and in which direction. */
const keyRowBits = 8;
const yearBits = 7;
const dateBits = 15;
/** Words of well-known examples, and greetings of many first passwords. */
const knownWords = new Set(
  "correcthorse batterystaple willkommen bienvenue bienvenido benvenuto".split(" "),
);
const knownWordBits = 10;

function wordBits(word: string, own: ReadonlySet<string>): number {
  if (own.has(word)) return ownWordBits;
  if (keyRows.some((row) => row.includes(word))) return keyRowBits;
  if (/^(19|20)\d\d$/.test(word)) return yearBits;
  if (/^\d{1,2}[./-]\d{1,2}[./-](19|20)?\d\d$/.test(word)) return dateBits;
  if (knownWords.has(word)) return knownWordBits;
  const rank = readCommonRanks().get(word);
  return rank === undefined ? Number.POSITIVE_INFINITY : Math.log2(rank + 1);
}

/** `trustno1trustno1` is not harder than `trustno1`, nor is one with up to three characters more. */
function withoutRepetition(text: string): string {
  return text.replace(/^(.+?)\1+(.{0,3})$/su, "$1$2");
}

const leet: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

function withoutLeet(text: string): string {
  return text.replace(/[@431!0$57]/g, (char) => leet[char] ?? char);
}

/** Neighbours in the alphabet or among the digits, like `123456789012`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.filter((step) => Math.abs(step) === 1).length >= steps.length - 2;
}
