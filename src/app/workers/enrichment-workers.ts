// Opens what the settings say of providers: who translates, who analyses, and the background workers
// that ask them. What a provider needs and was not given stops the start with one line.
import { topicNames } from "../../analysis/topics.ts";
import type { Config } from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";
import { openFinishAnalyses } from "../../enrichment/apply-analyses.ts";
import { openFinishTranslations } from "../../enrichment/apply-translations.ts";
import type { ProviderWishes } from "../../enrichment/enqueue-jobs.ts";
import { openAnalyseDesk } from "../../enrichment/providers/analysis-handler.ts";
import { startWorker, type WorkRoom } from "../../enrichment/providers/job-worker.ts";
import { type Chat, openAiBaseUrl } from "../../enrichment/providers/openai-client.ts";
import type { Provider } from "../../enrichment/providers/provider-request.ts";
import { openApertium } from "../../enrichment/translators/apertium.ts";
import { deepLBaseUrl, openDeepL } from "../../enrichment/translators/deepl.ts";
import { openLibreTranslate } from "../../enrichment/translators/libretranslate.ts";
import { openChatTranslator } from "../../enrichment/translators/openai-translator.ts";
import { openTranslateDesk } from "../../enrichment/translators/translation-handler.ts";
import type { Translator } from "../../enrichment/translators/translator.ts";
import { systemDelay } from "../../lib/delay.ts";
import type { Http } from "../../lib/http.ts";
import { openHttpClient } from "../../lib/http-client.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { minuteMs, secondMs } from "../../lib/timestamp.ts";
import { version } from "../../lib/version.ts";
import type { ProviderChoice } from "../../use-cases/analysis/providers.ts";
import type { Rooms } from "../container.ts";

/** What reviews are to be asked about; refuses settings with which nobody can be asked. */
export function readProviderWishes(config: Config): ProviderWishes {
  checkProviders(config);
  return {
    translateWaitMs:
      config.translateProvider === "none" ? null : config.translateWaitSeconds * secondMs,
    isAnalysed: config.analysisProvider !== "local",
  };
}

export function listProviderChoices(config: Config): ProviderChoice[] {
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
export function startProviderWorkers(deps: Rooms, resources: ResourceStack): void {
  const { clock, config, database, log } = deps;
  const wishes = readProviderWishes(config);
  if (wishes.translateWaitMs === null && !wishes.isAnalysed) return;
  // A language model takes its time; the worker's lease outlives it by far.
  const client = openHttpClient({
    userAgent: `Starpost/${version}`,
    totalTimeoutMs: 2 * minuteMs,
    bodyBytesMax: 4 * 1024 * 1024,
  });
  resources.add(() => client.close());
  const room: WorkRoom = { clock, log, delay: systemDelay, jobs: database };
  const workers: { wake(): void; close(): Promise<void> }[] = [];
  const translator = openTranslator(deps, client.http);
  if (translator) {
    const finish = openFinishTranslations({ clock, database });
    const { loadTranslations } = database;
    const charactersPerDay = config.translateCharactersPerDay;
    const desk = { clock, translator, charactersPerDay, loadTranslations, finish };
    workers.push(startWorker(room, openTranslateDesk(desk)));
  }
  if (wishes.isAnalysed) {
    const reviewsPerDay = config.analysisReviewsPerDay;
    const finish = openFinishAnalyses(database);
    const chat = openAnalysisChat(config, client.http);
    workers.push(startWorker(room, openAnalyseDesk({ chat, topicNames, reviewsPerDay, finish })));
  }
  for (const worker of workers) {
    resources.add(() => worker.close());
    resources.add(database.listen("jobs", () => worker.wake()));
  }
}

function openTranslator({ clock, config }: Rooms, http: Http): Translator | null {
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
      return openLibreTranslate(clock, provider(""));
    case "deepl":
      return openDeepL(provider(deepLBaseUrl(apiKey ?? "")));
    case "openai":
      return openChatTranslator({ ...provider(openAiBaseUrl), model: translateModel });
    case "apertium":
      return openApertium(provider(""));
  }
}

function openAnalysisChat(config: Config, http: Http): Chat {
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
