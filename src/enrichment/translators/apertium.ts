// Apertium, as its APy server offers it: `POST /translate` with one text and a pair of languages.
import { z } from "zod";
import { type Provider, requestProvider, unusableResponse } from "../providers/provider-request.ts";
import { apertiumCode } from "./language-codes.ts";
import type { TranslationResult, Translator } from "./translator.ts";

const answer = z.object({ responseData: z.object({ translatedText: z.string() }) });

export function createApertium(provider: Provider): Translator {
  return {
    name: "apertium",
    batchMax: { jobs: 1, characters: 20_000 },
    async translate({ from, texts }) {
      const translated: string[] = [];
      for (const text of texts) {
        const one = await translateOne(provider, { from, text });
        if (one.kind !== "translated") return one;
        translated.push(...one.texts);
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
    // Unknown words come back as they are, without a star.
    markUnknown: "no",
    format: "txt",
    q: text,
  });
  if (provider.apiKey !== null) form.set("key", provider.apiKey);
  const asked = await requestProvider<TranslationResult>(provider, {
    method: "POST",
    path: "/translate",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
    parseRefusal: ({ status, message: words }) =>
      status === 400 && /pair is (not installed|invalid)/.test(words)
        ? { kind: "unsupported", reason: `${words}: ${form.get("langpair")}` }
        : null,
  });
  if (asked.kind !== "answer") return asked;
  const parsed = answer.safeParse(asked.value);
  if (!parsed.success) return unusableResponse("its answer has no translation");
  return { kind: "translated", texts: [parsed.data.responseData.translatedText] };
}
