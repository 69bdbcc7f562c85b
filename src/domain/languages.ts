// The languages that Google Play shows reviews in, and the schema of a choice of them.
import { z } from "zod";
import { listSchema, unique } from "./fields.ts";

/** ISO 639 codes, as Google Play takes them in `hl`. */
export const playLanguages: readonly string[] = `
  af am ar az be bg bn ca cs da de el en es et eu fa fi fil fr gl gu he hi hr hu hy id is it ja ka
  kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no pa pl pt rm ro ru si sk sl sq sr sv sw ta te th
  tr uk ur vi zh zu
`
  .trim()
  .split(/\s+/);

/** Codes in any case, each once and in order; `all` means every language. */
export const languagesSchema = listSchema(z.string({ error: "must be codes of languages" }), {
  max: 400,
  error: "must be a list of languages",
}).transform((codes, context): string[] => {
  if (codes.length === 0) context.addIssue("name at least one language");
  if (codes.some((code) => code.trim().toLowerCase() === "all")) return [...playLanguages];
  const languages = codes.map((code) => ({ code, language: normalizeLanguage(code) }));
  const unknown = languages.find(({ language }) => language === null);
  if (unknown)
    context.addIssue(`there is no language ${JSON.stringify(unknown.code.slice(0, 40))}`);
  return unique(languages.flatMap(({ language }) => language ?? []));
});

// A language, and maybe a region: `pt-BR`, `es-419`, `zh_TW`.
const pattern = /^([a-z]{2,3})(?:[-_]([a-z]{2}|\d{3}))?$/i;

/** null for a language that Google Play does not have. */
function normalizeLanguage(code: string): string | null {
  const [, name = "", region] = pattern.exec(code.trim()) ?? [];
  const language = name.toLowerCase();
  if (!playLanguages.includes(language)) return null;
  return region === undefined ? language : `${language}-${region.toUpperCase()}`;
}
