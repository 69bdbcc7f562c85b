// Tells languages in Latin script by small words and letter groups. Would rather say nothing than
// guess: thin or divided evidence gives null.
import { latinSigns } from "./latin-words.ts";
import { phrasesOf } from "./phrase-finder.ts";

type Share = { language: string; weight: number };

// How common each language is in app stores; it only breaks near ties.
const priors: Readonly<Record<string, number>> = {
  en: 0.3,
  ...Object.fromEntries(
    ["es", "fr", "de", "it", "pt", "id", "tr", "vi", "pl", "nl"].map((language) => [
      language,
      0.15,
    ]),
  ),
};

const tokensMax = 60;
const groupWeight = 0.22;
const groupLengthMax = 5;
/** Evidence below which one word must not decide. */
const evidenceMin = 0.85;
const evidencePerTokenMin = 0.17;
/** What the best must be ahead by, as a share of its own evidence. */
const leadMin = 0.12;

const wordShares = shareOut(({ words }) => phrasesOf(words), wordWeight);
const groupShares = shareOut(
  ({ groups }) => phrasesOf(groups),
  () => groupWeight,
);
const latinWord = /[\p{Script=Latin}\p{M}]+(?:'[\p{Script=Latin}\p{M}]+)*/gu;

export function tellByWords(text: string): string | null {
  const tokens = (text.match(latinWord) ?? []).slice(0, tokensMax);
  const evidence = new Map<string, number>();
  for (const token of tokens) {
    const shares = wordShares.get(token) ?? wordShares.get(withoutStretch(token));
    if (!addShares(evidence, shares)) addGroups(evidence, token);
  }
  const ranked = [...evidence]
    .map(([language, sum]) => ({ language, sum, rank: sum + (priors[language] ?? 0) }))
    .sort((a, b) => b.rank - a.rank);
  const [best, second] = ranked;
  if (best === undefined) return null;
  if (best.sum < Math.max(evidenceMin, tokens.length * evidencePerTokenMin)) return null;
  const lead = best.rank - (second?.rank ?? 0);
  return lead >= best.rank * leadMin ? best.language : null;
}

function shareOut(
  signsOf: (signs: (typeof latinSigns)[string]) => string[],
  weigh: (sign: string) => number,
): Map<string, Share[]> {
  const owners = new Map<string, Set<string>>();
  for (const [language, signs] of Object.entries(latinSigns)) {
    for (const sign of signsOf(signs)) {
      owners.set(sign, (owners.get(sign) ?? new Set()).add(language));
    }
  }
  return new Map(
    [...owners].map(([sign, languages]) => {
      const weight = weigh(sign) / Math.sqrt(languages.size);
      return [sign, [...languages].map((language) => ({ language, weight }))];
    }),
  );
}

// A word of one or two letters is written in any language, as a name or by mistake.
function wordWeight(word: string): number {
  if (word.length === 1) return 0.3;
  if (word.length === 2) return 0.6;
  return word.length === 3 ? 0.9 : 1.1;
}

function addShares(evidence: Map<string, number>, shares: Share[] | undefined): boolean {
  for (const { language, weight } of shares ?? []) {
    evidence.set(language, (evidence.get(language) ?? 0) + weight);
  }
  return shares !== undefined;
}

// "Kerenn", "baguus": letters are drawn out for effect, and the normal form leaves two.
function withoutStretch(token: string): string {
  return token.replace(/(.)\1/gu, "$1");
}

function addGroups(evidence: Map<string, number>, token: string): void {
  const marked = `^${token}$`;
  for (let start = 0; start < marked.length; start += 1) {
    for (let length = 1; length <= groupLengthMax; length += 1) {
      addShares(evidence, groupShares.get(marked.slice(start, start + length)));
    }
  }
}
