// Opens what the settings say of providers: who translates, who analyses, and the background workers
// that ask them. What a provider needs and was not given stops the start with one line.
import { topicNames } from "../../analysis/topics.ts";
import type { Config } from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";
import { createAnalysisWriter } from "../../enrichment/apply-analyses.ts";
import { createTranslationWriter } from "../../enrichment/apply-translations.ts";
import type { EnrichmentOptions } from "../../enrichment/enqueue-jobs.ts";
import { createAnalysisHandler } from "../../enrichment/providers/analysis-handler.ts";
import { startJobWorker, type JobWorkerDeps } from "../../enrichment/providers/job-worker.ts";
import { type ChatModel, openAiBaseUrl } from "../../enrichment/providers/openai-client.ts";
import type { Provider } from "../../enrichment/providers/provider-request.ts";
import { createApertium } from "../../enrichment/translators/apertium.ts";
import { deepLBaseUrl, createDeepL } from "../../enrichment/translators/deepl.ts";
import { createLibreTranslate } from "../../enrichment/translators/libretranslate.ts";
import { createChatTranslator } from "../../enrichment/translators/openai-translator.ts";
import { createTranslationHandler } from "../../enrichment/translators/translation-handler.ts";
import type { Translator } from "../../enrichment/translators/translator.ts";
import { systemDelay } from "../../lib/delay.ts";
import type { Http } from "../../lib/http.ts";
import { openHttpClient } from "../../lib/http-client.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { minuteMs, secondMs } from "../../lib/timestamp.ts";
import { version } from "../../lib/version.ts";
import type { ProviderConfig } from "../../use-cases/analysis/providers.ts";
import type { Container } from "../container.ts";

/** What reviews are to be asked about; refuses settings with which nobody can be asked. */
export function parseEnrichmentOptions(config: Config): EnrichmentOptions {
  checkProviders(config);
  return {
    translateWaitMs:
      config.translateProvider === "none" ? null : config.translateWaitSeconds * secondMs,
    isAnalysisEnabled: config.analysisProvider !== "local",
  };
}

export function listProviderChoices(config: Config): ProviderConfig[] {
  const { translateProvider, analysisProvider } = config;
  return [
    {
      kind: "translate",
      setting: translateProvider,
      isAsked: translateProvider !== "none",
      dayMax: config.translateCharactersPerDay,
      unit: "characters",
    },
    {
      kind: "analyse",
      setting: analysisProvider,
      isAsked: analysisProvider !== "local",
      dayMax: config.analysisReviewsPerDay,
      unit: "reviews",
    },
  ];
}

/** Starts a worker for each provider that is set. */
export function startEnrichmentWorkers(deps: Container, resources: ResourceStack): void {
  const { clock, config, database, log } = deps;
  const wishes = parseEnrichmentOptions(config);
  if (wishes.translateWaitMs === null && !wishes.isAnalysisEnabled) return;
  // A language model takes its time; the worker's lease outlives it by far.
  const client = openHttpClient({
    userAgent: `Starpost/${version}`,
    totalTimeoutMs: 2 * minuteMs,
    bodyBytesMax: 4 * 1024 * 1024,
  });
  resources.add(() => client.close());
  const room: JobWorkerDeps = { clock, log, delay: systemDelay, jobs: database };
  const workers: { wake(): void; close(): Promise<void> }[] = [];
  const translator = openTranslator(deps, client.http);
  if (translator) {
    const finish = createTranslationWriter({ clock, database });
    const { loadTranslations } = database;
    const charactersPerDay = config.translateCharactersPerDay;
    const desk = { clock, translator, charactersPerDay, loadTranslations, finish };
    workers.push(startJobWorker(room, createTranslationHandler(desk)));
  }
  if (wishes.isAnalysisEnabled) {
    const reviewsPerDay = config.analysisReviewsPerDay;
    const finish = createAnalysisWriter(database);
    const chat = openAnalysisChat(config, client.http);
    workers.push(startJobWorker(room, createAnalysisHandler({ chat, topicNames, reviewsPerDay, finish })));
  }
  for (const worker of workers) {
    resources.add(() => worker.close());
    resources.add(database.listen("jobs", () => worker.wake()));
  }
}

function openTranslator({ clock, config }: Container, http: Http): Translator | null {
  const { translateApiKey: apiKey, translateModel } = config;
  const provider = (fallback: string): Provider => ({
    http,
    apiKey,
    baseUrl: config.translateUrl ?? fallback,
  });
  switch (config.translateProvider) {
    case "none":
      return null;
    case "libretranslate":
      return createLibreTranslate(clock, provider(""));
    case "deepl":
      return createDeepL(provider(deepLBaseUrl(apiKey ?? "")));
    case "openai":
      return createChatTranslator({ ...provider(openAiBaseUrl), model: translateModel });
    case "apertium":
      return createApertium(provider(""));
  }
}

function openAnalysisChat(config: Config, http: Http): ChatModel {
  const { analysisApiKey: apiKey, analysisModel: model } = config;
  return { http, apiKey, model, baseUrl: config.analysisUrl ?? openAiBaseUrl };
}

function checkProviders(config: Config): void {
  const { translateProvider, translateUrl, translateApiKey, translateModel } = config;
  const by = `TRANSLATE_PROVIDER=${translateProvider}`;
  if (translateProvider === "libretranslate" || translateProvider === "apertium") {
    requireSetting("TRANSLATE_URL", translateUrl, by);
  }
  if (translateProvider === "deepl") requireSetting("TRANSLATE_API_KEY", translateApiKey, by);
  if (translateProvider === "openai") requireSetting("TRANSLATE_MODEL", translateModel, by);
  if (config.analysisProvider === "openai") {
    requireSetting("ANALYSIS_MODEL", config.analysisModel, "ANALYSIS_PROVIDER=openai");
  }
}

function requireSetting(name: string, value: string | null, by: string): void {
  if (value === null || value === "")
    throw new AppError("invalid_setting", `${name}: needed by ${by}`);
}
