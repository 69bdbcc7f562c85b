// Discord's webhooks. Facts and their sources: ADR 30.

import { z } from "zod";
import { parseJson } from "../../../lib/json.ts";
import { secondMs } from "../../../lib/timestamp.ts";
import { type ChatService, explainCode } from "../chat-service.ts";
import { cutEscaped } from "../message/cut-text.ts";
import type { Block, Message, Tone } from "../message/message.ts";

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

const discordLimits = {
  title: 256,
  description: 4_096,
  /** The limit for all texts in the embeds of a message together. */
  total: 6_000,
} as const;

const colours: Readonly<Record<Tone, number>> = {
  good: 0x2e9e5b,
  neutral: 0x8a8f98,
  bad: 0xd64545,
};

export function composeDiscordMessage(message: Message): unknown {
  const links = message.links.map(({ label, url }) => `[${escapeDiscord(label)}](<${url}>)`);
  const last = links.join(" · ");
  const title = cutEscaped(message.heading, {
    lengthMax: discordLimits.title,
    escapeText: escapeDiscord,
  });
  // The links have a place in any case.
  const lengthMax = discordLimits.description - last.length - 2;
  const description = [joinBlocks(message.blocks, lengthMax), last].filter(Boolean).join("\n\n");
  return {
    embeds: [
      {
        title,
        description,
        color: colours[message.tone],
        ...(message.url === null ? {} : { url: message.url }),
      },
    ],
    // Mentions are off, whatever a review says.
    allowed_mentions: { parse: [] },
  };
}

function joinBlocks(blocks: readonly Block[], lengthMax: number): string {
  let joined = "";
  for (const block of blocks) {
    const { kind } = block;
    const url = kind === "heading" ? block.url : null;
    const [before, after] = url ? ["\n**[", `](<${url}>)**`] : marks[kind];
    const text = kind === "text" || kind === "chart" ? block.text : oneLine(block.text);
    const escapeText = kind === "chart" ? breakFences : escapeDiscord;
    const glue = joined === "" ? "" : "\n";
    const left = lengthMax - joined.length - glue.length - before.length - after.length;
    if (left < 2) break;
    joined += glue + before + cutEscaped(text, { lengthMax: left, escapeText }) + after;
  }
  return joined;
}

/** The marks before and after the text of a block. */
const marks: Readonly<Record<Block["kind"], readonly [string, string]>> = {
  strong: ["**", "**"],
  heading: ["\n**__", "__**"],
  quote: ["> ", ""],
  note: ["-# ", ""],
  chart: ["```\n", "\n```"],
  text: ["", ""],
};

/** Headings, lists and quotes begin a line; a line end inside would leave what was begun. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

function breakFences(text: string): string {
  return text.replaceAll("`", "ˋ");
}

/**
 * A backslash before every character of ASCII that Discord may read as its own; `<` and `@` begin mentions, and a
 * digit with a dot begins a list.
 */
function escapeDiscord(text: string): string {
  return text.replace(/[\\`*_~|<>@#:[\]()+\-.!/]/g, "\\$&");
}
