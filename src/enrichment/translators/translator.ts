// What a translator is, whoever is behind it: texts of one language in, English out, in one request.
import type { ProviderFailure } from "../../domain/provider.ts";

export type Translator = {
  /** As it stands in the status and beside what it translated, e.g. `deepl`. */
  name: string;
  /** What one request takes. */
  batchMax: { jobs: number; characters: number };
  /** @param batch.from a language as analysis names it, e.g. `es`; never English */
  translate(batch: { from: string; texts: readonly string[] }): Promise<TranslationResult>;
};

export type TranslationResult =
  /** In the order of the texts. */
  | { kind: "translated"; texts: readonly string[] }
  /** From this language it can't. */
  | { kind: "unsupported"; reason: string }
  | ProviderFailure;

/** Longer texts are left as they are: no review that a person wrote is. Fits every provider's limit. */
export const textCharactersMax = 20_000;
