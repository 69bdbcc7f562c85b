// DeepL: `POST /v2/translate` with up to 50 texts, the key in the Authorization header.
import { z } from "zod";
import {
  jsonPost,
  type Provider,
  requestProvider,
  unusableResponse,
} from "../providers/provider-request.ts";
import { deepLCode } from "./language-codes.ts";
import type { TranslationResult, Translator } from "./translator.ts";

const answer = z.object({ translations: z.array(z.object({ text: z.string() })) });

/** Keys of the free plan end in `:fx` and work on a host of their own only. */
export function deepLBaseUrl(apiKey: string): string {
  return apiKey.endsWith(":fx") ? "https://api-free.deepl.com" : "https://api.deepl.com";
}

export function createDeepL(provider: Provider): Translator {
  return {
    name: "deepl",
    // It takes 50 texts and 128 KiB; a character can be three bytes, and some are escaped.
    batchMax: { jobs: 50, characters: 20_000 },
    async translate({ from, texts }) {
      const question = {
        text: texts,
        source_lang: deepLCode(from),
        target_lang: "EN-US",
        preserve_formatting: true,
      };
      const asked = await requestProvider<TranslationResult>(provider, {
        path: "/v2/translate",
        ...jsonPost(question, { authorization: `DeepL-Auth-Key ${provider.apiKey ?? ""}` }),
        parseRefusal: ({ status, message: words }) =>
          status === 400 && /source_lang/.test(words)
            ? { kind: "unsupported", reason: words }
            : null,
      });
      if (asked.kind !== "answer") return asked;
      const parsed = answer.safeParse(asked.value);
      if (parsed.data?.translations.length !== texts.length) {
        return unusableResponse("its answer has not one translation for each text");
      }
      return { kind: "translated", texts: parsed.data.translations.map(({ text }) => text) };
    },
  };
}
