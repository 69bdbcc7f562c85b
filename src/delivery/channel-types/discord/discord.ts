// Discord's webhooks. Facts and their sources: docs/channels.md.
import { z } from "zod";
import { parseJson } from "../../../lib/json.ts";
import { secondMs } from "../../../lib/timestamp.ts";
import { type ChatService, explainCode } from "../chat-service.ts";
import { composeDiscordMessage } from "./discord-message.ts";

const answerSchema = z.object({
  code: z.number().optional(),
  message: z.string().max(500).optional(),
  /** Seconds, with a fraction. */
  retry_after: z.number().min(0).max(86_400).optional(),
});

const unreachableCodes: Readonly<Record<number, string>> = {
  10003: "the channel does not exist any more",
  10015: "the webhook was deleted",
  50027: "the webhook's URL is not valid any more",
};

export const discord: ChatService = {
  name: "Discord",
  hosts: ["discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"],
  textMax: 1_500,
  // Five in two seconds for one webhook, and 30 a minute for one channel: the latter lasts.
  intervalMs: () => 2_000,
  requestUrl: ({ secret }) => secret,
  composeRequest: composeDiscordMessage,
  readFailure({ text }) {
    const { code, message, retry_after } = answerSchema.safeParse(parseJson(text)).data ?? {};
    return {
      unreachable: explainCode("Discord", unreachableCodes, code),
      detail: message,
      retryAfterMs: retry_after === undefined ? undefined : Math.ceil(retry_after * secondMs),
    };
  },
};
