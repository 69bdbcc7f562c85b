// Detects the language by script where only one language uses it, or nearly so. For scripts that several
// languages share it returns the script, and ngram-classifier.ts decides.
import { undetermined } from "../domain/review/analysis.ts";
import { isLeadingSurrogate, isWordUnit } from "./char-classes.ts";
import type { SharedScript } from "./ngram-classifier.ts";

type ScriptDetection =
  | { kind: "language"; language: string }
  | { kind: "shared"; script: SharedScript }
  | { kind: "none" };

/** First and last code unit, in hexadecimal, and script; a script of a single language has that language's code. */
const ranges = `41-24f:latin 370-3ff:el 400-52f:cyrillic 530-58f:hy 590-5ff:he 600-77f:arabic
  900-97f:devanagari 980-9ff:bn a00-a7f:pa a80-aff:gu b00-b7f:or b80-bff:ta c00-c7f:te
  c80-cff:kn d00-d7f:ml d80-dff:si e00-e7f:th e80-eff:lo f00-fff:bo 1000-109f:my 10a0-10ff:ka
  1100-11ff:ko 1200-137f:am 1780-17ff:km 1e00-1eff:latin 1f00-1fff:el 3041-30ff:kana
  3131-318e:ko 31f0-31ff:kana 3400-9fff:han ac00-d7a3:ko`
  .split(/\s+/)
  .map((range) => range.split(/[-:]/) as [first: string, last: string, script: string]);

const otherScript = "other";
const scripts = [otherScript, ...new Set(ranges.map(([, , script]) => script))];
const scriptOfUnit = buildScripts();
const latinIndex = scripts.indexOf("latin");
const hanIndex = scripts.indexOf("han");
const kanaIndex = scripts.indexOf("kana");
const koreanIndex = scripts.indexOf("ko");

// Texts of all scripts contain product names and hashtags in Latin letters, so those count less. One
// character of kana, Han or Hangul carries as much text as two letters of an alphabet.
const latinWeight = 1;
const alphabetWeight = 2;
const syllableWeight = 4;
const kanaShareMin = 0.1;
const sharedScripts: readonly string[] = ["latin", "cyrillic", "arabic", "devanagari"];

/** @param hint decides only where the characters leave a choice */
export function detectScript(text: string, hint: string | null): ScriptDetection {
  const counts = countScripts(text);
  const kana = counts[kanaIndex] ?? 0;
  const han = counts[hanIndex] ?? 0;
  if (kana > 0 && kana >= (kana + han) * kanaShareMin) {
    counts[kanaIndex] = kana + han;
    counts[hanIndex] = 0;
  }
  let most = 0;
  for (let at = 1; at < counts.length; at += 1) {
    if ((counts[at] ?? 0) > (counts[most] ?? 0)) most = at;
  }
  if ((counts[most] ?? 0) === 0) return { kind: "none" };
  const script = scripts[most] ?? otherScript;
  if (isShared(script)) return { kind: "shared", script };
  return { kind: "language", language: languageOfScript({ script, text, hint }) };
}

function isShared(script: string): script is SharedScript {
  return sharedScripts.includes(script);
}

function countScripts(text: string): Int32Array {
  const counts = new Int32Array(scripts.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isLeadingSurrogate(unit)) {
      const script = scriptOfPair(text.codePointAt(at) ?? 0);
      if (script >= 0) counts[script] = (counts[script] ?? 0) + syllableWeight;
    } else if (isWordUnit(unit) && unit >= 0x41) {
      const script = scriptOfUnit[unit] ?? 0;
      counts[script] = (counts[script] ?? 0) + weightOf(script);
    }
  }
  return counts;
}

function weightOf(script: number): number {
  if (script === latinIndex) return latinWeight;
  const isSyllable = script === hanIndex || script === kanaIndex || script === koreanIndex;
  return isSyllable ? syllableWeight : alphabetWeight;
}

/** Han beyond the basic plane; -1 for emoji and the like. */
function scriptOfPair(codePoint: number): number {
  if (codePoint >= 0x2_0000 && codePoint <= 0x3_3fff) return hanIndex;
  return /\p{L}/u.test(String.fromCodePoint(codePoint)) ? 0 : -1;
}

function buildScripts(): Uint8Array {
  const table = new Uint8Array(0x1_0000);
  for (const [first, last, script] of ranges)
    table.fill(scripts.indexOf(script), Number.parseInt(first, 16), Number.parseInt(last, 16) + 1);
  return table;
}

function languageOfScript(input: { script: string; text: string; hint: string | null }): string {
  const { script, text, hint } = input;
  if (script === "kana") return "ja";
  if (script === "han") return hanLanguage(text, hint);
  return script === otherScript ? (hint ?? undetermined) : script;
}

// Characters in the simplified forms of Japan only, and of China only.
const japaneseHan = /[悪楽気広円駅価込発対売読応検労単厳変焼戻働]/;
const chineseHan = /[们这个没很么应关闭为时说东广发对试软给过还难开长让见页]/;

function hanLanguage(text: string, hint: string | null): string {
  if (chineseHan.test(text)) return "zh";
  return japaneseHan.test(text) || hint === "ja" ? "ja" : "zh";
}
