// Language codes as each provider writes them. Ours are ISO 639-1, else 639-3, in lower case, and may have
// a region. A code that is not listed here is sent unchanged.
import { parseCodeTable } from "../../../domain/store/territories.ts";

/** The code without its region: `pt` for `pt-BR`. */
export function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}

/** Possible codes in LibreTranslate, best first: its models have changed names over time. */
export function libreTranslateCodes(language: string): string[] {
  const base = baseOf(language);
  return [...(libreTranslateNames[base] ?? []), base];
}

const libreTranslateNames: Readonly<Record<string, readonly string[]>> = {
  zh: ["zh-Hans", "zh"],
  no: ["nb", "no"],
  nn: ["nb"],
  pt: ["pt", "pt-BR"],
  fil: ["tl"],
};

/** DeepL's source languages have no region and are in upper case. */
export function deepLCode(language: string): string {
  const base = baseOf(language);
  return (deepLNames[base] ?? base).toUpperCase();
}

const deepLNames: Readonly<Record<string, string>> = { no: "nb", nn: "nb", fil: "tl" };

/** Apertium uses ISO 639-3, with the codes of individual languages rather than of macrolanguages. */
export function apertiumCode(language: string): string {
  const base = baseOf(language);
  return apertiumNames.get(base) ?? base;
}

const apertiumNames = parseCodeTable(`
  arara bebel bgbul bshbs cacat cycym dedeu eoepo esspa eueus frfra glglg hihin hrhbs idind isisl
  itita mkmkd mszlm nbnob nlnld nnnno nonob ococi plpol ptpor roron rurus slslv srhbs svswe trtur
  ukukr ururd
`);
