// The English names of countries and languages. A text that is not a code, which imports and stores may have, is its own name.

const countries = new Intl.DisplayNames("en", { type: "region" });
const languages = new Intl.DisplayNames("en", { type: "language" });

/** `Germany` for `de`. */
export function countryName(code: string): string {
  // Intl calls it world.
  return code === "001" ? "the world" : nameOf(countries, code.toUpperCase(), code);
}

/** As it reads after "in": `the United States` for `us`. */
export function countryInText(code: string): string {
  const name = countryName(code);
  return withArticle.test(name) ? `the ${name}` : name;
}

const withArticle =
  /^(United |Netherlands|Philippines|Bahamas|Maldives|Seychelles|Gambia|Dominican Republic|Central African|Faroe|Solomon|Cayman|(British |US )?Virgin|Turks|Marshall|Congo|Comoros)/;

/** `German` for `de`. */
export function languageName(code: string): string {
  return nameOf(languages, code, code);
}

function nameOf(names: Intl.DisplayNames, code: string, otherwise: string): string {
  // Intl calls it root.
  if (code === "") return otherwise;
  try {
    const name = names.of(code);
    return name === undefined || name === code ? otherwise : name;
  } catch {
    // It throws for a text that does not look like a code.
    return otherwise;
  }
}
