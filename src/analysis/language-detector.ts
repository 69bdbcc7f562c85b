// Detects the language of a normalized text: by script, then by trained weights and the hint of the
// source together, then by the hint alone. Returns `und` rather than an unlikely guess.
import { undetermined } from "../domain/review/analysis.ts";
import { classifyByNgrams } from "./ngram-classifier.ts";
import { detectScript } from "./script-detector.ts";
import type { Token } from "./tokens.ts";

/** @param hint the language as the source names it, such as `en` or `pt-BR` */
export function detectLanguage(
  { text, tokens }: { text: string; tokens: readonly Token[] },
  hint: string | null,
): string {
  const hinted = hint === null ? null : languageOfHint(hint);
  const detected = detectScript(text, hinted);
  if (detected.kind === "language") return detected.language;
  // Not `{ ...input, hint }`: in Node 20 what that makes outlives the collections of young objects.
  const classified =
    detected.kind === "shared"
      ? classifyByNgrams(detected.script, { text, tokens, hint: hinted })
      : null;
  return classified ?? hinted ?? undetermined;
}

// Obsolete codes that Java and old Android versions use, and variants of one language.
const codeAliases = new Map([
  ["in", "id"],
  ["iw", "he"],
  ["ji", "yi"],
  ["nb", "no"],
  ["fil", "tl"],
]);

function languageOfHint(hint: string): string | null {
  const code = /^([a-z]{2,3})(?:[-_]|$)/i.exec(hint.trim())?.[1]?.toLowerCase();
  return code === undefined ? null : (codeAliases.get(code) ?? code);
}
