import { expect, test } from "vitest";
import { readConfig } from "../../config/config.ts";
import { parseEnrichmentOptions } from "./settings.ts";

const optionsOf = (env: Record<string, string>) =>
  parseEnrichmentOptions(readConfig({ env, envFile: "no such file" }));

test("no provider is used unless the settings name one", () => {
  expect(optionsOf({})).toEqual({ translateWaitMs: null, isAnalysisEnabled: false });
  expect(
    optionsOf({
      TRANSLATE_PROVIDER: "deepl",
      TRANSLATE_API_KEY: "k",
      TRANSLATE_WAIT_SECONDS: "30",
    }),
  ).toEqual({ translateWaitMs: 30_000, isAnalysisEnabled: false });
  expect(optionsOf({ ANALYSIS_PROVIDER: "openai", ANALYSIS_MODEL: "small-1" })).toEqual({
    translateWaitMs: null,
    isAnalysisEnabled: true,
  });
});

test.each([
  ["TRANSLATE_PROVIDER", "libretranslate", "TRANSLATE_URL: needed by TRANSLATE_PROVIDER"],
  ["TRANSLATE_PROVIDER", "apertium", "TRANSLATE_URL: needed by TRANSLATE_PROVIDER"],
  ["TRANSLATE_PROVIDER", "deepl", "TRANSLATE_API_KEY: needed by TRANSLATE_PROVIDER"],
  ["TRANSLATE_PROVIDER", "openai", "TRANSLATE_MODEL: needed by TRANSLATE_PROVIDER"],
  ["ANALYSIS_PROVIDER", "openai", "ANALYSIS_MODEL: needed by ANALYSIS_PROVIDER"],
])("%s=%s alone is refused in one line", (name, value, message) => {
  expect(() => optionsOf({ [name]: value })).toThrow(message);
});
