// A message as Slack's blocks. Texts of strangers are in rich_text, whose elements say what is formatted; in
// plain_text objects Slack formats nothing either, and reads three characters as its own.
import { cutEscaped, cutText } from "../message/cut-text.ts";
import type { Block, Message } from "../message/message.ts";

export const slackLimits = {
  blocks: 50,
  headerText: 150,
  sectionText: 3_000,
  contextText: 2_000,
  buttonText: 75,
  url: 3_000,
  text: 4_000,
} as const;

/** @param to.isSlack false for other services that take Slack's format: some ignore the blocks and show the text alone */
export function composeSlackMessage(message: Message, to = { isSlack: true }): unknown {
  const buttons = message.links.map((link, index) => ({
    type: "button",
    action_id: `link-${index}`,
    text: plain(link.label, slackLimits.buttonText),
    url: link.url.slice(0, slackLimits.url),
  }));
  const actions = buttons.length > 0 ? [{ type: "actions", elements: buttons }] : [];
  const header = { type: "header", text: plain(message.heading, slackLimits.headerText) };
  // The header and the buttons have a place in any case.
  const blocks = message.blocks.slice(0, slackLimits.blocks - 2).map(toSlackBlock);
  return {
    // The text of notifications and screen readers; blocks are what is shown.
    text: cutEscaped(to.isSlack ? message.heading : listTexts(message), {
      lengthMax: slackLimits.text,
      escapeText: escapeSlack,
    }),
    blocks: [header, ...blocks, ...actions],
    // Links in a review open nothing by themselves.
    unfurl_links: false,
    unfurl_media: false,
  };
}

function listTexts({ heading, blocks, links }: Message): string {
  const urls = links.map(({ label, url }) => `${label}: ${url}`);
  return [heading, ...blocks.map(({ text }) => text), ...urls].join("\n\n");
}

function toSlackBlock(block: Block): unknown {
  const { kind } = block;
  if (kind === "note") {
    return { type: "context", elements: [plain(block.text, slackLimits.contextText)] };
  }
  const text = cutText(block.text, slackLimits.sectionText);
  const style = kind === "strong" || kind === "heading" ? { style: { bold: true } } : {};
  const link =
    kind === "heading" && block.url ? { type: "link", url: block.url } : { type: "text" };
  const elements = [{ ...link, text, ...style }];
  return { type: "rich_text", elements: [{ type: richTextTypes[kind], elements }] };
}

const richTextTypes = {
  text: "rich_text_section",
  strong: "rich_text_section",
  heading: "rich_text_section",
  quote: "rich_text_quote",
  chart: "rich_text_preformatted",
} as const;

/** `emoji: false`: `:smile:` stays what was written. */
function plain(text: string, lengthMax: number): unknown {
  const shown = cutEscaped(text, { lengthMax, escapeText: escapeSlack });
  // Slack refuses an empty text.
  return { type: "plain_text", text: shown.trim() === "" ? " " : shown, emoji: false };
}

/** The three characters that Slack reads as control characters in any text object. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
