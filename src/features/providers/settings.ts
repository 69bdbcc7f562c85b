// The settings of the translator and the analysing provider. Loads none of them, so that a
// command can read it at no cost.
import type { Config } from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";
import type { ProviderConfig } from "../../domain/review/provider.ts";
import { secondMs } from "../../lib/timestamp.ts";
import type { EnrichmentOptions } from "./enqueue-jobs.ts";

/** @throws AppError `invalid_setting` when a provider lacks a setting */
export function parseEnrichmentOptions(config: Config): EnrichmentOptions {
  checkProviders(config);
  return {
    translateWaitMs:
      config.translateProvider === "none" ? null : config.translateWaitSeconds * secondMs,
    isAnalysisEnabled: config.analysisProvider !== "local",
  };
}

export function listConfigs(config: Config): ProviderConfig[] {
  const { translateProvider, analysisProvider } = config;
  return [
    {
      kind: "translate",
      setting: translateProvider,
      isEnabled: translateProvider !== "none",
      dayMax: config.translateCharactersPerDay,
      unit: "characters",
    },
    {
      kind: "analyse",
      setting: analysisProvider,
      isEnabled: analysisProvider !== "local",
      dayMax: config.analysisReviewsPerDay,
      unit: "reviews",
    },
  ];
}

function checkProviders(config: Config): void {
  const { translateProvider, translateUrl, translateApiKey, translateModel } = config;
  const needed: Record<Config["translateProvider"], [name: string, value: string | null] | null> = {
    none: null,
    libretranslate: ["TRANSLATE_URL", translateUrl],
    apertium: ["TRANSLATE_URL", translateUrl],
    deepl: ["TRANSLATE_API_KEY", translateApiKey],
    openai: ["TRANSLATE_MODEL", translateModel],
  };
  const setting = needed[translateProvider];
  if (setting) requireSetting(...setting, `TRANSLATE_PROVIDER=${translateProvider}`);
  if (config.analysisProvider === "openai") {
    requireSetting("ANALYSIS_MODEL", config.analysisModel, "ANALYSIS_PROVIDER=openai");
  }
}

function requireSetting(name: string, value: string | null, neededBy: string): void {
  if (value === null || value === "")
    throw new AppError("invalid_setting", `${name}: needed by ${neededBy}`);
}
