// The providers that the settings name, for translation and for analysis, and the workers that call them.
// A setting that a provider needs and that is missing stops the start with one line.

import type { Container } from "../../app/container.ts";
import { type Config, outgoingProxyOf } from "../../config/config.ts";
import { topicNames } from "../../domain/review/topics.ts";
import type { Clock } from "../../lib/clock.ts";
import { systemDelay } from "../../lib/delay.ts";
import type { Http } from "../../lib/http.ts";
import { openHttpClient } from "../../lib/http-client.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import type { WorkerLoop } from "../../lib/worker-loop.ts";
import { createAnalysisWriter } from "./apply-analyses.ts";
import { createTranslationWriter } from "./apply-translations.ts";
import { createAnalysisHandler } from "./providers/analysis-handler.ts";
import { type JobWorkerDeps, startJobWorker } from "./providers/job-worker.ts";
import { type ChatModel, openAiBaseUrl } from "./providers/openai-client.ts";
import type { Provider } from "./providers/provider-request.ts";
import { parseEnrichmentOptions } from "./settings.ts";
import { createApertium } from "./translators/apertium.ts";
import { createDeepL, deepLBaseUrl } from "./translators/deepl.ts";
import { createLibreTranslate } from "./translators/libretranslate.ts";
import { createChatTranslator } from "./translators/openai-translator.ts";
import { createTranslationHandler } from "./translators/translation-handler.ts";
import type { Translator } from "./translators/translator.ts";

/** Opens a worker for each provider that the settings name. They run until the resources are closed. */
export function openEnrichmentWorkers(container: Container, resources: ResourceStack): void {
  const { clock, config, database, log } = container;
  const options = parseEnrichmentOptions(config);
  if (options.translateWaitMs === null && !options.isAnalysisEnabled) return;
  // Language models are slow; the lease of the jobs is much longer than this.
  const client = openHttpClient({
    totalTimeoutMs: 2 * minuteMs,
    bodyBytesMax: 4 * 1024 * 1024,
    proxy: outgoingProxyOf(config),
  });
  resources.add(() => client.close());
  const deps: JobWorkerDeps = { clock, log, delay: systemDelay, jobs: database };
  const workers: WorkerLoop[] = [];
  const translator = createTranslator({ clock, config, http: client.http });
  if (translator) {
    const handler = createTranslationHandler({
      clock,
      translator,
      charactersPerDay: config.translateCharactersPerDay,
      loadTranslations: database.loadTranslations,
      save: createTranslationWriter({ clock, database }),
    });
    workers.push(startJobWorker(deps, handler));
  }
  if (options.isAnalysisEnabled) {
    const handler = createAnalysisHandler({
      chat: createAnalysisChat(config, client.http),
      topicNames,
      reviewsPerDay: config.analysisReviewsPerDay,
      save: createAnalysisWriter(database),
    });
    workers.push(startJobWorker(deps, handler));
  }
  for (const worker of workers) {
    resources.add(() => worker.close());
    resources.add(database.listen("jobs", () => worker.wake()));
  }
}

export function createTranslator(deps: {
  clock: Clock;
  config: Config;
  http: Http;
}): Translator | null {
  const { clock, config, http } = deps;
  const { translateApiKey: apiKey, translateModel } = config;
  const provider = (defaultUrl: string): Provider => ({
    http,
    apiKey,
    baseUrl: config.translateUrl ?? defaultUrl,
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

export function createAnalysisChat(config: Config, http: Http): ChatModel {
  const { analysisApiKey: apiKey, analysisModel: model } = config;
  return { http, apiKey, model, baseUrl: config.analysisUrl ?? openAiBaseUrl };
}
