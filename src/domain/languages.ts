// The languages Google Play speaks, and how a person's choice of them is read.
import type { ParsedRegions } from "./storefronts.ts";

/** ISO 639 codes, as Google Play takes them in `hl`. */
export const playLanguages: readonly string[] = `
  af am ar az be bg bn ca cs da de el en es et eu fa fi fil fr gl gu he hi hr hu hy id is it ja ka
  kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no pa pl pt rm ro ru si sk sl sq sr sv sw ta te th
  tr uk ur vi zh zu
`
  .trim()
  .split(/\s+/);

// A language, and maybe where it is spoken: `pt-BR`, `es-419`, `zh_TW`.
const pattern = /^([a-z]{2,3})(?:[-_]([a-z]{2}|\d{3}))?$/i;

/** Codes in any case, each once and in the order given; `all` stands for every language. */
export function parseLanguages(stated: readonly string[]): ParsedRegions {
  if (stated.length === 0) return { ok: false, reason: "name at least one language" };
  if (stated.some((code) => code.trim().toLowerCase() === "all")) {
    return { ok: true, regions: [...playLanguages] };
  }
  const regions = new Set<string>();
  for (const code of stated) {
    const [, language = "", region] = pattern.exec(code.trim()) ?? [];
    const known = language.toLowerCase();
    if (!playLanguages.includes(known)) {
      return { ok: false, reason: `there is no language ${JSON.stringify(code.slice(0, 40))}` };
    }
    regions.add(region === undefined ? known : `${known}-${region.toUpperCase()}`);
  }
  return { ok: true, regions: [...regions] };
}
