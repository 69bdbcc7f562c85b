// A message as Telegram's text and entities. Without a parse mode nothing in a text is formatting: what is bold is
// said by position, in UTF-16 code units. Mentions, hashtags, commands and addresses are neutralised.
import type { ChatDestination } from "../chat-service.ts";
import { cutText } from "../message/cut-text.ts";
import type { Block, Message } from "../message/message.ts";

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
