// Languages as each provider writes them. Ours are ISO 639-1, else 639-3, in lower case, and may name a
// region; where nothing is said here a code goes out as it is.

/** `pt-BR` is `pt`. */
export function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}

/** What LibreTranslate may call it, best first: its models have changed names over time. */
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

/** DeepL's source languages name no region, in upper case. */
export function deepLCode(language: string): string {
  const base = baseOf(language);
  return (deepLNames[base] ?? base).toUpperCase();
}

const deepLNames: Readonly<Record<string, string>> = { no: "nb", nn: "nb", fil: "tl" };

/** Apertium speaks ISO 639-3, and of the macrolanguages. */
export function apertiumCode(language: string): string {
  const base = baseOf(language);
  return apertiumNames[base] ?? base;
}

const apertiumNames: Readonly<Record<string, string>> = {
  ar: "ara",
  be: "bel",
  bg: "bul",
  bs: "hbs",
  ca: "cat",
  cy: "cym",
  de: "deu",
  eo: "epo",
  es: "spa",
  eu: "eus",
  fr: "fra",
  gl: "glg",
  hi: "hin",
  hr: "hbs",
  id: "ind",
  is: "isl",
  it: "ita",
  mk: "mkd",
  ms: "zlm",
  nb: "nob",
  nl: "nld",
  nn: "nno",
  no: "nob",
  oc: "oci",
  pl: "pol",
  pt: "por",
  ro: "ron",
  ru: "rus",
  sl: "slv",
  sr: "hbs",
  sv: "swe",
  tr: "tur",
  uk: "ukr",
  ur: "urd",
};

/** In words, for a language model: `es` is Spanish. */
export function languageName(language: string): string {
  try {
    return names.of(language) ?? language;
  } catch {
    // Not a well-formed code: it is told as it is.
    return language;
  }
}

const names = new Intl.DisplayNames("en", { type: "language" });
