// The language model that the settings name, for what people ask of it. Its client is loaded when it is used.
import type { Config } from "../../config/config.ts";
import type { Chat } from "../../domain/review/provider.ts";
import type { Http } from "../../lib/http.ts";

/** That of the analysis, else that of translation; null where neither is a language model. */
export function createChat(config: Config, http: Http): Chat | null {
  const settings = chatSettings(config);
  if (settings === null) return null;
  return async (prompt) => {
    const { openAiBaseUrl, requestChat } = await import("./providers/openai-client.ts");
    const { url, ...model } = settings;
    return requestChat({ ...model, http, baseUrl: url ?? openAiBaseUrl }, prompt);
  };
}

function chatSettings(config: Config) {
  if (config.analysisProvider === "openai") {
    const { analysisUrl: url, analysisApiKey: apiKey, analysisModel: model } = config;
    return { url, apiKey, model };
  }
  if (config.translateProvider !== "openai") return null;
  const { translateUrl: url, translateApiKey: apiKey, translateModel: model } = config;
  return { url, apiKey, model };
}
