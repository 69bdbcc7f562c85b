// Telegram: a bot that posts to one chat. Facts and their sources: docs/channels.md.
import { z } from "zod";
import { parseJson } from "../../../lib/json.ts";
import { secondMs } from "../../../lib/timestamp.ts";
import type { ChatService } from "../chat-service.ts";
import { composeTelegramMessage } from "./telegram-message.ts";

const answerSchema = z.object({
  ok: z.boolean(),
  description: z.string().max(500).optional(),
  parameters: z
    .object({
      retry_after: z.number().min(0).max(86_400).optional(),
      /** The group became a supergroup and has another id now. */
      migrate_to_chat_id: z.number().optional(),
    })
    .optional(),
});

// Telegram has no codes for them: these are its sentences.
const unreachablePatterns: readonly RegExp[] = [
  /chat not found/i,
  /bot was (kicked|blocked)/i,
  /bot is not a member/i,
  /user is deactivated/i,
  /can't initiate conversation/i,
  /PEER_ID_INVALID/,
  /group chat was (deactivated|deleted|upgraded)/i,
  /not enough rights to send/i,
  /need administrator rights/i,
  /have no rights to send/i,
  /CHAT_WRITE_FORBIDDEN/,
];

export const telegram: ChatService = {
  name: "Telegram",
  hosts: ["api.telegram.org"],
  textMax: 1_500,
  // One a second to a person; 20 a minute to a group or channel, whose ids are negative or names.
  intervalMs: ({ recipients: [chat = ""] }) => (/^\d/.test(chat) ? 1_000 : 3_000),
  requestUrl: ({ secret, telegramBaseUrl }) => `${telegramBaseUrl}/bot${secret}/sendMessage`,
  composeRequest: composeTelegramMessage,
  readFailure({ status, text }) {
    const parsed = answerSchema.safeParse(parseJson(text)).data;
    if (!parsed) return {};
    const { description: detail = "", parameters } = parsed;
    const movedTo = parameters?.migrate_to_chat_id;
    if (movedTo !== undefined) {
      return { unreachable: `Telegram says the group has a new id: change the chat to ${movedTo}` };
    }
    // A token that is wrong or was revoked.
    if (status === 401 || status === 404) {
      return { unreachable: `Telegram does not know the bot's token (${detail})` };
    }
    if (unreachablePatterns.some((pattern) => pattern.test(detail))) {
      return { unreachable: `Telegram says: ${detail}` };
    }
    const seconds = parameters?.retry_after;
    return { detail, retryAfterMs: seconds === undefined ? undefined : seconds * secondMs };
  },
};
