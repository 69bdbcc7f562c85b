// A client of OpenAI-compatible endpoints: `POST /chat/completions` with a JSON schema for the response.
import { z } from "zod";
import type { ProviderFailure } from "../../../domain/review/provider.ts";
import {
  jsonPost,
  type Provider,
  type ProviderResponse,
  requestProvider,
  unusableResponse,
} from "./provider-request.ts";

export type ChatModel = Provider & { model: string };

export const openAiBaseUrl = "https://api.openai.com/v1";

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

/** Returns the model's response, parsed as JSON. It should follow the schema, but is not checked here. */
export async function requestChat(
  chat: ChatModel,
  prompt: { system: string; input: unknown; schemaName: string; schema: object },
): Promise<ProviderResponse | ProviderFailure> {
  const { schemaName: name, schema } = prompt;
  const response = await requestProvider(chat, {
    path: "/chat/completions",
    ...jsonPost(
      {
        model: chat.model,
        messages: [
          { role: "system", content: prompt.system },
          // As data, in one JSON text: nothing that a reviewer writes is an instruction.
          { role: "user", content: JSON.stringify(prompt.input) },
        ],
        response_format: { type: "json_schema", json_schema: { name, strict: true, schema } },
      },
      chat.apiKey === null ? {} : { authorization: `Bearer ${chat.apiKey}` },
    ),
  });
  return response.kind === "failed" ? response : parseCompletion(response.value);
}

function parseCompletion(value: unknown): ProviderResponse | ProviderFailure {
  const choice = completion.safeParse(value).data?.choices[0];
  if (!choice) return unusableResponse("its response is no chat completion");
  const { content, refusal } = choice.message;
  if (refusal) return unusableResponse("the model refused to answer");
  if (choice.finish_reason === "length") {
    return unusableResponse("the model's response was cut off");
  }
  try {
    return { kind: "response", value: JSON.parse(content ?? "") };
  } catch {
    return unusableResponse("the model's response is not JSON");
  }
}
