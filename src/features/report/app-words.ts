// Which words of a command line are links, and a refusal of links to something else before a database is opened for them.

import { storeIds } from "../../domain/store/store-id.ts";
import { parseAppLink, storeTraits } from "../../domain/store/store-traits.ts";
import { failField } from "../../domain/validation-errors.ts";

const storeNames = new Intl.ListFormat("en", { type: "disjunction" }).format(
  storeIds.map((store) => storeTraits[store].nameInText),
);
const example = "like https://apps.apple.com/us/app/id989804926";

/**
 * Refuses links to something else before a database is opened for them. Anything with a scheme, or with a host of a store or of
 * its short links, is a link and never a name to search for.
 *
 * @throws AppError `invalid_input`
 */
export function requireAppLinks(words: readonly string[]): void {
  for (const word of words) {
    if (!isLink(word)) continue;
    if (storeIds.some((store) => parseAppLink(store, word) !== null)) continue;
    if (
      /^(https?:\/\/)?(apple\.co|appsto\.re|play\.app\.goo\.gl|(www\.)?google\.[a-z.]+\/url)\b/i.test(
        word,
      )
    )
      failField("links", `${word} only forwards: open it and copy the address of the app's page`);
    failField("links", `${word} is not a link to an app of ${storeNames}, ${example}`);
  }
}

const linkPattern =
  /:\/\/|^(market|itms(-apps{1,2})?|macappstores?):|^((apps|itunes)\.apple\.com|play\.google\.com|addons\.mozilla\.org|apple\.co|appsto\.re|play\.app\.goo\.gl)\//i;

export function isLink(word: string): boolean {
  return linkPattern.test(word.trim());
}
