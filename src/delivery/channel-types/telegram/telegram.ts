// Telegram: a bot that posts to one chat. Facts and their sources: ADR 30.

import { z } from "zod";
import { parseJson } from "../../../lib/json.ts";
import { secondMs } from "../../../lib/timestamp.ts";
import type { ChatDestination, ChatService } from "../chat-service.ts";
import { cutText } from "../message/cut-text.ts";
import type { Block, Message } from "../message/message.ts";

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

const telegramLimits = { text: 4_096, entities: 100, url: 2_048 } as const;

type Entity = { type: string; offset: number; length: number; url?: string };

export function composeTelegramMessage(message: Message, destination: ChatDestination): unknown {
  const { text, entities } = composeText(message);
  return {
    chat_id: destination.recipients[0],
    text,
    entities,
    link_preview_options: { is_disabled: true },
  };
}

function composeText(message: Message): { text: string; entities: Entity[] } {
  const last = message.links.map(({ label }) => label).join(" · ");
  let text = "";
  const entities: Entity[] = [];
  const add = (part: string, type: string | null, url?: string): void => {
    // Telegram trims, and refuses an entity of nothing but spaces.
    const isMarked =
      type !== null && part.trim() !== "" && entities.length < telegramLimits.entities;
    if (isMarked) {
      entities.push({ type, offset: text.length, length: part.length, ...(url && { url }) });
    }
    text += part;
  };
  add(cutText(neutralize(message.heading), headingMax), "bold");
  for (const block of message.blocks) {
    // The links have a place in any case.
    const left = telegramLimits.text - text.length - last.length - 4;
    if (left < 2) break;
    add(block.kind === "heading" ? "\n\n" : "\n", null);
    const url = block.kind === "heading" ? block.url : null;
    const shown = cutText(neutralize(block.text), left);
    if (url) add(shown, "text_link", url.slice(0, telegramLimits.url));
    else add(shown, entityTypes[block.kind]);
  }
  for (const [index, { label, url }] of message.links.entries()) {
    add(index === 0 ? "\n\n" : " · ", null);
    add(label, "text_link", url.slice(0, telegramLimits.url));
  }
  return { text, entities };
}

const headingMax = 300;

/**
 * Telegram itself marks mentions, hashtags, commands and addresses in a text. An invisible word joiner behind the
 * character that begins one keeps it from that.
 */
function neutralize(text: string): string {
  return text.replace(/[@#/]|\.(?=\p{L})/gu, "$&\u2060");
}

const entityTypes: Readonly<Record<Block["kind"], string | null>> = {
  strong: "bold",
  heading: "bold",
  note: "italic",
  chart: "pre",
  quote: "blockquote",
  text: null,
};
