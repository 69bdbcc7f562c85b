// Asks a language model behind an OpenAI-compatible endpoint one question, with an answer held to a
// JSON schema. What it says is still read as anything from outside: the caller parses it.
import { z } from "zod";
import type { ProviderFailure } from "../../domain/provider.ts";
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

export async function requestChat(
  chat: ChatModel,
  question: { system: string; input: unknown; schemaName: string; schema: object },
): Promise<ProviderResponse | ProviderFailure> {
  const { schemaName: name, schema } = question;
  const asked = await requestProvider(chat, {
    path: "/chat/completions",
    ...jsonPost(
      {
        model: chat.model,
        messages: [
          { role: "system", content: question.system },
          // As data, in one JSON text: what a reviewer writes is no instruction.
          { role: "user", content: JSON.stringify(question.input) },
        ],
        response_format: { type: "json_schema", json_schema: { name, strict: true, schema } },
      },
      chat.apiKey === null ? {} : { authorization: `Bearer ${chat.apiKey}` },
    ),
  });
  return asked.kind === "failed" ? asked : parseCompletion(asked.value);
}

function parseCompletion(value: unknown): ProviderResponse | ProviderFailure {
  const parsed = completion.safeParse(value);
  const choice = parsed.data?.choices[0];
  if (!choice) return unusableResponse("its answer is no chat completion");
  const { content, refusal } = choice.message;
  if (refusal) return unusableResponse("the model refused to answer");
  if (choice.finish_reason === "length") return unusableResponse("the model's answer was cut off");
  try {
    return { kind: "answer", value: JSON.parse(content ?? "") };
  } catch {
    return unusableResponse("the model's answer is no JSON");
  }
}
