// The phrases of generated reviews: one book per language (phrases/*.json), and the language of each region.
// In a template `{slot}` is filled from `slots`, and `{version}` with the version of the app.
import { z } from "zod";
import de from "./phrases/de.json" with { type: "json" };
import en from "./phrases/en.json" with { type: "json" };
import es from "./phrases/es.json" with { type: "json" };
import fr from "./phrases/fr.json" with { type: "json" };
import id from "./phrases/id.json" with { type: "json" };
import it from "./phrases/it.json" with { type: "json" };
import ja from "./phrases/ja.json" with { type: "json" };
import ko from "./phrases/ko.json" with { type: "json" };
import pt from "./phrases/pt.json" with { type: "json" };
import ru from "./phrases/ru.json" with { type: "json" };

const texts = z.array(z.string()).nonempty();
/** A title and a text. */
const templates = z.array(z.tuple([z.string(), z.string()])).nonempty();

const phraseBook = z.strictObject({
  nicknames: texts,
  slots: z.strictObject({ device: texts, feature: texts, time: texts, price: texts }),
  /** Four and five stars. */
  praise: templates,
  /** Two to four stars: good and bad at once. */
  mixed: templates,
  /** One to three stars. */
  complaints: templates,
  /** One star, after a bad release. */
  outrage: templates,
  /** One to three stars, after a release that drains the battery; the same in every language, in this order. */
  drained: templates,
  /** Four and five stars: edits after the fix. The same in every language, too. */
  fixed: templates,
  /** A second sentence that fits any review of its kind. */
  more: z.strictObject({ good: texts, bad: texts }),
  replies: texts,
});

export type PhraseBook = z.infer<typeof phraseBook>;
export type Template = PhraseBook["praise"][number];

const byLanguage = z
  .record(z.string(), phraseBook)
  .parse({ de, en, es, fr, id, it, ja, ko, pt, ru });
const english = phraseBook.parse(en);

/** Storefronts whose code is not the code of their language. */
const languageOfCountry: Readonly<Record<string, string>> = {
  us: "en",
  gb: "en",
  ca: "en",
  au: "en",
  at: "de",
  ch: "de",
  mx: "es",
  br: "pt",
  jp: "ja",
  kr: "ko",
};

/** `region`: a storefront or a language; English for all others. */
export function phraseBookOf(region: string): PhraseBook {
  return byLanguage[languageOf(region)] ?? english;
}

/** The language of a storefront; a language is its own. */
export function languageOf(region: string): string {
  return languageOfCountry[region] ?? region;
}
