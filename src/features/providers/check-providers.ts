// Checks for `starpost doctor`: a translator is asked for one word, a language model for an empty object.
import type { ListOutsideChecks, OutsideDeps } from "../../app/outside-checks.ts";
import { requestChat } from "./providers/openai-client.ts";
import { createAnalysisChat, createTranslator } from "./workers.ts";

export const listProviderChecks: ListOutsideChecks = (deps) => {
  const { translateProvider, analysisProvider } = deps.config;
  return [
    ...(translateProvider === "none"
      ? []
      : [{ name: "translator", run: () => checkTranslator(deps) }]),
    ...(analysisProvider === "local"
      ? []
      : [{ name: "language model", run: () => checkModel(deps) }]),
  ];
};

async function checkTranslator(deps: OutsideDeps): Promise<string> {
  const result = await createTranslator(deps)?.translate({ from: "es", texts: ["hola"] });
  if (result?.kind === "failed") throw new Error(result.reason);
  return `${deps.config.translateProvider} translates`;
}

async function checkModel({ config, http }: OutsideDeps): Promise<string> {
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  const prompt = { system: "Answer with an empty object.", input: "", schemaName: "check", schema };
  const result = await requestChat(createAnalysisChat(config, http), prompt);
  if (result.kind === "failed" && result.about === "provider") throw new Error(result.reason);
  return `${config.analysisModel} answers`;
}
