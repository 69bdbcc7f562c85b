// Tells the language of a text in normal form: by script, then by trained weights, then by what the
// source says. Promises `und` rather than a guess.
import { undetermined } from "../domain/analysis.ts";
import { classifyByNgrams } from "./ngram-classifier.ts";
import { detectScript } from "./script-detector.ts";
import type { Token } from "./tokens.ts";

/** `hint` is what the source says of the language, such as `en` or `pt-BR`. */
export function detectLanguage(
  read: { text: string; tokens: readonly Token[] },
  hint: string | null,
): string {
  const hinted = hint === null ? null : languageOfHint(hint);
  const prediction = detectScript(read.text, hinted);
  if (prediction.kind === "language") return prediction.language;
  const told = prediction.kind === "shared" ? classifyByNgrams(prediction.script, read) : null;
  return told ?? hinted ?? undetermined;
}

// Codes that Java and old Android still write for Indonesian, Hebrew and Yiddish.
const formerCodes = new Map([
  ["in", "id"],
  ["iw", "he"],
  ["ji", "yi"],
  ["nb", "no"],
  ["fil", "tl"],
]);

function languageOfHint(hint: string): string | null {
  const code = /^([a-z]{2,3})(?:[-_]|$)/i.exec(hint.trim())?.[1]?.toLowerCase();
  return code === undefined ? null : (formerCodes.get(code) ?? code);
}
