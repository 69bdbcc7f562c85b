// Tells a language by its script, and by telltale letters where languages share one. Promises
// nothing for Latin, which many share: that takes words (latin-language.ts).
import { undetermined } from "../reviews/analysis.ts";

export type ScriptVerdict =
  | { kind: "language"; language: string }
  | { kind: "latin" }
  | { kind: "none" };

/** First code point, last code point, name; ascending. */
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

const letter = /\p{L}/u;
// One such letter says as much as two of an alphabet, and people mix in Latin product names.
const syllableScripts = new Set(["han", "kana", "ko"]);
const syllableWeight = 2;
const kanaShareMin = 0.1;

/** `hint` decides only between languages that the letters leave open. */
export function tellByScript(text: string, hint: string | null): ScriptVerdict {
  const counts = countScripts(text);
  const kana = counts.get("kana") ?? 0;
  const han = counts.get("han") ?? 0;
  if (kana > 0 && kana >= (kana + han) * kanaShareMin) {
    counts.set("kana", kana + han);
    counts.delete("han");
  }
  const [script] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ["", 0]);
  if (script === "") return { kind: "none" };
  if (script === "latin") return { kind: "latin" };
  return { kind: "language", language: languageWithin(script, text, hint) };
}

function countScripts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sign of text) {
    if (!letter.test(sign)) continue;
    const script = scriptOf(sign.codePointAt(0) ?? 0);
    const weight = syllableScripts.has(script) ? syllableWeight : 1;
    counts.set(script, (counts.get(script) ?? 0) + weight);
  }
  return counts;
}

function scriptOf(codePoint: number): string {
  if (codePoint <= 0x24f) return "latin";
  for (const [first, last, script] of ranges) {
    if (codePoint >= first && codePoint <= last) return script;
  }
  // Han beyond the basic plane; any other script is one that no language here is known for.
  return codePoint >= 0x2_0000 && codePoint <= 0x3_3fff ? "han" : undetermined;
}

function languageWithin(script: string, text: string, hint: string | null): string {
  if (script === "kana") return "ja";
  if (script === "han") return hanLanguage(text, hint);
  if (script === "cyrillic") return cyrillicLanguage(text, hint);
  if (script === "arabic") return arabicLanguage(text);
  if (script === "devanagari") return /आहे|नाही|आणि/.test(text) ? "mr" : "hi";
  return script === undetermined ? (hint ?? undetermined) : script;
}

// Characters as only Japan simplified them, and as only China did.
const japaneseHan = /[悪楽気広円駅価込発対売読応検労単厳変焼戻働]/;
const chineseHan = /[们这个没很么应关闭为时说东广发对试软给过还难开长让见页]/;

function hanLanguage(text: string, hint: string | null): string {
  if (chineseHan.test(text)) return "zh";
  return japaneseHan.test(text) || hint === "ja" ? "ja" : "zh";
}

const bulgarianWords =
  /(?<!\p{L})(?:съм|това|няма|приложението|много|със|към|след|който|която|игра е|са|ще|се|от)(?!\p{L})/gu;

function cyrillicLanguage(text: string, hint: string | null): string {
  if (/[ѓќѕ]/.test(text)) return "mk";
  if (/[ђћџјљњ]/.test(text)) return "sr";
  if (/[әғқңұһ]/.test(text)) return "kk";
  if (/[өү]/.test(text)) return "mn";
  if (/ў/.test(text)) return "be";
  if (/[іїєґ]/.test(text)) return "uk";
  if (/[ыэё]/.test(text)) return "ru";
  const hardSigns = text.match(/[бвгджзклмнпрстфхцчшщ]ъ(?![еяю])/g)?.length ?? 0;
  const words = text.match(bulgarianWords)?.length ?? 0;
  if (hardSigns > 0 || words > 1) return "bg";
  return hint === "uk" || hint === "bg" ? hint : "ru";
}

function arabicLanguage(text: string): string {
  if (/[ٹڈڑںےہھ]/.test(text)) return "ur";
  return /[پچژگکی]/.test(text) ? "fa" : "ar";
}
