// Countries and languages as files name them: codes of two and of three letters, and English names.
import { lazy } from "../lib/lazy.ts";
import { regionOfTerritory } from "./territories.ts";

/** Parses a code of two letters, a code of three or an English name, also the region of a locale; null for any other text. */
export function readCountry(text: string): string | null {
  const code = text.replace(/^[a-z]{2,3}[-_](?=[a-z]{2}$)/i, "").toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return regionOfTerritory(code);
  // The locale turns UK into GB.
  const region = /^[A-Z]{2}$/.test(code) ? (canonicalLocale(`und-${code}`) ?? "").slice(4) : "";
  if (region !== "") return regionCodes().has(region.toLowerCase()) ? region.toLowerCase() : null;
  const name = text.toLowerCase();
  return otherNames[name] ?? codesByName.region().get(name) ?? null;
}

/** Names that stores and lists of countries use, and the standard does not. */
const otherNames: Readonly<Record<string, string>> = {
  "united states of america": "us",
  "great britain": "gb",
  "korea, republic of": "kr",
  "republic of korea": "kr",
  "russian federation": "ru",
  "viet nam": "vn",
  "china mainland": "cn",
  "hong kong": "hk",
  macau: "mo",
  macao: "mo",
  turkey: "tr",
  turkiye: "tr",
  "czech republic": "cz",
  macedonia: "mk",
  "ivory coast": "ci",
  "cote d'ivoire": "ci",
  "congo, democratic republic of the": "cd",
  "congo, republic of the": "cg",
};

/** Without codes of groups of countries and of none. */
const regionCodes = lazy(() => {
  const codes = new Set(codesByName.region().values());
  for (const code of ["eu", "ez", "qo", "un", "xa", "xb", "zz"]) codes.delete(code);
  return codes;
});

/** Parses a code such as `pt-BR` or `eng`, or an English name; null for any other text. */
export function readLanguage(text: string): string | null {
  const code = text.replaceAll("_", "-");
  const isCode = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code);
  const known = isCode ? canonicalLocale(code) : codesByName.language().get(text.toLowerCase());
  return known?.toLowerCase() ?? null;
}

function canonicalLocale(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    // It only throws for a code that is not a locale.
    return null;
  }
}

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const codesOfTwo = letters.flatMap((first) => letters.map((second) => first + second));
const codesByName = {
  region: lazy(() => mapNames("region", (code) => `und-${code.toUpperCase()}`)),
  language: lazy(() => mapNames("language", (code) => code)),
};

/** Without withdrawn codes, which have the name of their successor. */
function mapNames(type: "region" | "language", toLocale: (code: string) => string) {
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  const codes = codesOfTwo.filter((code) => canonicalLocale(toLocale(code)) === toLocale(code));
  const nameOf = (code: string) => names.of(type === "region" ? code.toUpperCase() : code);
  return new Map(codes.map((code) => [nameOf(code)?.toLowerCase(), code]));
}
