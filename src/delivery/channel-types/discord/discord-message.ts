// A message as one of Discord's embeds. Discord formats every text, so all that could mean something is escaped.
import { cutEscaped } from "../message/cut-text.ts";
import type { Block, Message, Tone } from "../message/message.ts";

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
    // Nobody is called, whatever a review says.
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
