// LibreTranslate: `POST /translate` with a list of texts. `/languages` lists its models, so that no text
// is sent in a language that it lacks.
import { z } from "zod";
import type { ProviderFailure } from "../../../domain/review/provider.ts";
import type { Clock } from "../../../lib/clock.ts";
import { hourMs } from "../../../lib/timestamp.ts";
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

// Models are installed rarely.
const languagesMaxAgeMs = hourMs;

export function createLibreTranslate(clock: Clock, provider: Provider): Translator {
  let cached: { languages: Languages; atMs: number } | null = null;

  async function listLanguages(): Promise<Languages | ProviderFailure> {
    const nowMs = clock.now().getTime();
    if (cached && nowMs - cached.atMs < languagesMaxAgeMs) return cached.languages;
    const response = await requestProvider(provider, { method: "GET", path: "/languages" });
    if (response.kind === "failed") return response;
    const parsed = languageList.safeParse(response.value);
    if (!parsed.success) return unusableResponse("its list of languages can't be read");
    cached = { languages: parsed.data, atMs: nowMs };
    return parsed.data;
  }

  return {
    name: "libretranslate",
    // The usual limits of an instance are 2,000 characters or more and a few texts.
    batchMax: { jobs: 10, characters: 2_000 },
    async translate({ from, texts }) {
      const languages = await listLanguages();
      if ("kind" in languages) return languages;
      const source = chooseCode(from, languages);
      if (source === null) return { kind: "unsupported", reason: `it has no model from ${from}` };
      const body = { q: texts, source, target: "en", format: "text" };
      const response = await requestProvider(provider, {
        path: "/translate",
        ...jsonPost(provider.apiKey === null ? body : { ...body, api_key: provider.apiKey }),
      });
      return response.kind === "failed" ? response : parseTranslation(response, texts.length);
    },
  };
}

function chooseCode(from: string, languages: Languages): string | null {
  const hasModel = (code: string): boolean =>
    languages.some((model) => model.code === code && (model.targets?.includes("en") ?? true));
  return libreTranslateCodes(from).find(hasModel) ?? null;
}

function parseTranslation({ value }: ProviderResponse, count: number): TranslationResult {
  const parsed = translation.safeParse(value);
  if (parsed.data?.translatedText.length !== count) {
    return unusableResponse("its response lacks a translation for some text");
  }
  return { kind: "translated", texts: parsed.data.translatedText };
}
