// LibreTranslate: `POST /translate` with a list of texts. What it can translate it says at
// `/languages`, so a language is never sent that it has no model for.
import { z } from "zod";
import type { ProviderFailure } from "../../domain/provider.ts";
import type { Clock } from "../../lib/clock.ts";
import { hourMs } from "../../lib/timestamp.ts";
import {
  jsonPost,
  type Provider,
  type ProviderResponse,
  requestProvider,
  unusableResponse,
} from "../providers/provider-request.ts";
import { libreTranslateCodes } from "./language-codes.ts";
import type { TranslationResult, Translator } from "./translator.ts";

const languageList = z.array(
  z.object({ code: z.string(), targets: z.array(z.string()).optional() }),
);
const translation = z.object({ translatedText: z.array(z.string()) });

type Languages = z.infer<typeof languageList>;

// Models are installed now and then, not by the minute.
const languagesKeptMs = hourMs;

export function createLibreTranslate(clock: Clock, provider: Provider): Translator {
  let known: { languages: Languages; atMs: number } | null = null;

  async function listLanguages(): Promise<Languages | ProviderFailure> {
    const nowMs = clock.now().getTime();
    if (known && nowMs - known.atMs < languagesKeptMs) return known.languages;
    const asked = await requestProvider(provider, { method: "GET", path: "/languages" });
    if (asked.kind === "failed") return asked;
    const parsed = languageList.safeParse(asked.value);
    if (!parsed.success) return unusableResponse("its list of languages is none");
    known = { languages: parsed.data, atMs: nowMs };
    return parsed.data;
  }

  return {
    name: "libretranslate",
    // Its usual limits are 2,000 characters or more and a few texts; one that allows less refuses.
    batchMax: { jobs: 10, characters: 2_000 },
    async translate({ from, texts }) {
      const languages = await listLanguages();
      if ("kind" in languages) return languages;
      const source = chooseCode(from, languages);
      if (source === null) return { kind: "unsupported", reason: `it has no model from ${from}` };
      const question = { q: texts, source, target: "en", format: "text" };
      const asked = await requestProvider(provider, {
        path: "/translate",
        ...jsonPost(
          provider.apiKey === null ? question : { ...question, api_key: provider.apiKey },
        ),
      });
      return asked.kind === "failed" ? asked : readTranslation(asked, texts.length);
    },
  };
}

function chooseCode(from: string, languages: Languages): string | null {
  const isThere = (code: string): boolean =>
    languages.some((one) => one.code === code && (one.targets?.includes("en") ?? true));
  return libreTranslateCodes(from).find(isThere) ?? null;
}

function readTranslation({ value }: ProviderResponse, count: number): TranslationResult {
  const parsed = translation.safeParse(value);
  if (parsed.data?.translatedText.length !== count) {
    return unusableResponse("its answer has not one translation for each text");
  }
  return { kind: "translated", texts: parsed.data.translatedText };
}
