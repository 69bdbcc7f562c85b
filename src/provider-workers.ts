// Opens what the settings say of providers: who translates, who analyses, and the background workers
// that ask them. What a provider needs and was not given stops the start with one line.
import { topicNames } from "./analyse/topics.ts";
import { openFinishAnalyses } from "./analysis-pipeline.ts";
import type { Config } from "./config.ts";
import type { Closers } from "./lib/closers.ts";
import type { Http } from "./lib/http.ts";
import { openHttpClient } from "./lib/http-client.ts";
import { systemPause } from "./lib/pause.ts";
import { minuteMs, secondMs } from "./lib/timestamp.ts";
import type { ProviderChoice } from "./manage/providers.ts";
import type { ProviderWishes } from "./provider-queue.ts";
import { openAnalyseDesk } from "./providers/analyse-desk.ts";
import type { Provider } from "./providers/ask.ts";
import { type Chat, openAiBaseUrl } from "./providers/chat.ts";
import { startWorker, type WorkRoom } from "./providers/worker.ts";
import { AppError } from "./reviews/error.ts";
import type { Rooms } from "./rooms.ts";
import { openApertium } from "./translate/apertium.ts";
import { openChatTranslator } from "./translate/chat-translator.ts";
import { deepLBaseUrl, openDeepL } from "./translate/deepl.ts";
import { openLibreTranslate } from "./translate/libretranslate.ts";
import { openTranslateDesk } from "./translate/translate-desk.ts";
import type { Translator } from "./translate/translator.ts";
import { openFinishTranslations } from "./translation-pipeline.ts";
import { version } from "./version.ts";

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
export function startProviderWorkers(rooms: Rooms, closers: Closers): void {
  const { clock, config, keep, log } = rooms;
  const wishes = readProviderWishes(config);
  if (wishes.translateWaitMs === null && !wishes.isAnalysed) return;
  // A language model takes its time; the worker's lease outlives it by far.
  const client = openHttpClient({
    userAgent: `Starpost/${version}`,
    totalTimeoutMs: 2 * minuteMs,
    bodyBytesMax: 4 * 1024 * 1024,
  });
  closers.add(() => client.close());
  const room: WorkRoom = { clock, log, pause: systemPause, jobs: keep };
  const workers: { wake(): void; close(): Promise<void> }[] = [];
  const translator = openTranslator(rooms, client.http);
  if (translator) {
    const finish = openFinishTranslations({ clock, keep });
    const { loadTranslations } = keep;
    const charactersPerDay = config.translateCharactersPerDay;
    const desk = { clock, translator, charactersPerDay, loadTranslations, finish };
    workers.push(startWorker(room, openTranslateDesk(desk)));
  }
  if (wishes.isAnalysed) {
    const reviewsPerDay = config.analysisReviewsPerDay;
    const finish = openFinishAnalyses(keep);
    const chat = openAnalysisChat(config, client.http);
    workers.push(startWorker(room, openAnalyseDesk({ chat, topicNames, reviewsPerDay, finish })));
  }
  for (const worker of workers) {
    closers.add(() => worker.close());
    closers.add(keep.listen("jobs", () => worker.wake()));
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
