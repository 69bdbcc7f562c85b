// The interface of all translators: texts of one language in, English out.
import type { ProviderFailure } from "../../../domain/review/provider.ts";

export type Translator = {
  /** As the status shows it and as it is stored with translations, e.g. `deepl`. */
  name: string;
  /** Limits of one request. */
  batchMax: { jobs: number; characters: number };
  /** @param batch.from the language as analysis detected it, e.g. `es`; never English */
  translate(batch: { from: string; texts: readonly string[] }): Promise<TranslationResult>;
};

export type TranslationResult =
  /** In the order of the texts. */
  | { kind: "translated"; texts: readonly string[] }
  /** It can't translate from this language. */
  | { kind: "unsupported"; reason: string }
  | ProviderFailure;

/** Longer texts, which no store allows, are not translated. Within every provider's limit. */
export const textCharactersMax = 20_000;
