// Apertium behind its APy server: `POST /translate` with one text and a pair of languages.
import { z } from "zod";
import { type Provider, requestProvider, unusableResponse } from "../providers/provider-request.ts";
import { apertiumCode } from "./language-codes.ts";
import type { TranslationResult, Translator } from "./translator.ts";

const translation = z.object({ responseData: z.object({ translatedText: z.string() }) });

export function createApertium(provider: Provider): Translator {
  return {
    name: "apertium",
    batchMax: { jobs: 1, characters: 20_000 },
    async translate({ from, texts }) {
      const translated: string[] = [];
      for (const text of texts) {
        const result = await translateOne(provider, { from, text });
        if (result.kind !== "translated") return result;
        translated.push(...result.texts);
      }
      return { kind: "translated", texts: translated };
    },
  };
}

async function translateOne(
  provider: Provider,
  { from, text }: { from: string; text: string },
): Promise<TranslationResult> {
  const form = new URLSearchParams({
    langpair: `${apertiumCode(from)}|eng`,
    // Without this, unknown message are marked with a star.
    markUnknown: "no",
    format: "txt",
    q: text,
  });
  if (provider.apiKey !== null) form.set("key", provider.apiKey);
  const response = await requestProvider<TranslationResult>(provider, {
    method: "POST",
    path: "/translate",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
    parseRefusal: ({ status, message }) =>
      status === 400 && /pair is (not installed|invalid)/.test(message)
        ? { kind: "unsupported", reason: `${message}: ${form.get("langpair")}` }
        : null,
  });
  if (response.kind !== "response") return response;
  const parsed = translation.safeParse(response.value);
  if (!parsed.success) return unusableResponse("its response has no translation");
  return { kind: "translated", texts: [parsed.data.responseData.translatedText] };
}
