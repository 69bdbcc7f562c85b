// DeepL: `POST /v2/translate` with up to 50 texts and the key in the Authorization header.
import { z } from "zod";
import {
  jsonPost,
  type Provider,
  requestProvider,
  unusableResponse,
} from "../providers/provider-request.ts";
import { deepLCode } from "./language-codes.ts";
import type { TranslationResult, Translator } from "./translator.ts";

const translations = z.object({ translations: z.array(z.object({ text: z.string() })) });

/** Keys of the free plan end in `:fx` and work on a host of their own only. */
export function deepLBaseUrl(apiKey: string): string {
  return apiKey.endsWith(":fx") ? "https://api-free.deepl.com" : "https://api.deepl.com";
}

export function createDeepL(provider: Provider): Translator {
  return {
    name: "deepl",
    // The API's limits are 50 texts and 128 KiB; a character can take three bytes or be escaped.
    batchMax: { jobs: 50, characters: 20_000 },
    async translate({ from, texts }) {
      const body = {
        text: texts,
        source_lang: deepLCode(from),
        target_lang: "EN-US",
        preserve_formatting: true,
      };
      const response = await requestProvider<TranslationResult>(provider, {
        path: "/v2/translate",
        ...jsonPost(body, { authorization: `DeepL-Auth-Key ${provider.apiKey ?? ""}` }),
        parseRefusal: ({ status, message }) =>
          status === 400 && /source_lang/.test(message)
            ? { kind: "unsupported", reason: message }
            : null,
      });
      if (response.kind !== "response") return response;
      const parsed = translations.safeParse(response.value);
      if (parsed.data?.translations.length !== texts.length) {
        return unusableResponse("its response lacks a translation for some text");
      }
      return { kind: "translated", texts: parsed.data.translations.map(({ text }) => text) };
    },
  };
}
