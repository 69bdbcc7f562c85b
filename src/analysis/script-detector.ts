// Detects the language by script where only one language uses it, or nearly so. For scripts that several
// languages share it returns the script, and ngram-classifier.ts decides.
import { undetermined } from "../domain/analysis.ts";
import { isLeadingSurrogate, isWordUnit } from "./char-classes.ts";
import type { SharedScript } from "./ngram-classifier.ts";

type ScriptDetection =
  | { kind: "language"; language: string }
  | { kind: "shared"; script: SharedScript }
  | { kind: "none" };

/** First code unit, last code unit, script; a script of a single language has that language's code. */
const ranges: readonly (readonly [number, number, string])[] = [
  [0x41, 0x24f, "latin"],
  [0x370, 0x3ff, "el"],
  [0x400, 0x52f, "cyrillic"],
  [0x530, 0x58f, "hy"],
  [0x590, 0x5ff, "he"],
  [0x600, 0x77f, "arabic"],
  [0x900, 0x97f, "devanagari"],
  [0x980, 0x9ff, "bn"],
  [0xa00, 0xa7f, "pa"],
  [0xa80, 0xaff, "gu"],
  [0xb00, 0xb7f, "or"],
  [0xb80, 0xbff, "ta"],
  [0xc00, 0xc7f, "te"],
  [0xc80, 0xcff, "kn"],
  [0xd00, 0xd7f, "ml"],
  [0xd80, 0xdff, "si"],
  [0xe00, 0xe7f, "th"],
  [0xe80, 0xeff, "lo"],
  [0xf00, 0xfff, "bo"],
  [0x1000, 0x109f, "my"],
  [0x10a0, 0x10ff, "ka"],
  [0x1100, 0x11ff, "ko"],
  [0x1200, 0x137f, "am"],
  [0x1780, 0x17ff, "km"],
  [0x1e00, 0x1eff, "latin"],
  [0x1f00, 0x1fff, "el"],
  [0x3041, 0x30ff, "kana"],
  [0x3131, 0x318e, "ko"],
  [0x31f0, 0x31ff, "kana"],
  [0x3400, 0x9fff, "han"],
  [0xac00, 0xd7a3, "ko"],
];

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
  for (const [first, last, script] of ranges) table.fill(scripts.indexOf(script), first, last + 1);
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
