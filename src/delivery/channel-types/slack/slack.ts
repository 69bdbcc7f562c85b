// Slack's incoming webhooks. Facts and their sources: ADR 30.

import { canParseUrl } from "../../../lib/urls.ts";
import { type ChatService, explainCode } from "../chat-service.ts";
import { cutEscaped, cutText } from "../message/cut-text.ts";
import type { Block, Message } from "../message/message.ts";

// Slack's errors when the webhook, or the place that it posts to, has been removed.
const unreachableCodes: Readonly<Record<string, string>> = {
  channel_not_found: "the channel does not exist any more",
  channel_is_archived: "the channel is archived",
  no_service: "the webhook was removed or disabled",
  no_service_id: "the webhook was removed or disabled",
  no_team: "the workspace does not exist any more",
  no_active_hooks: "the webhook was disabled",
  team_disabled: "the workspace was disabled",
  invalid_token: "the webhook's URL is not valid any more",
  user_not_found: "the person does not exist any more",
  posting_to_general_channel_denied: "the webhook may not post to this channel",
  action_prohibited: "an administrator does not allow the webhook to post",
};

const hosts = ["hooks.slack.com", "hooks.slack-gov.com"];

export const slack: ChatService = {
  name: "Slack",
  hosts,
  textMax: 2_500,
  intervalMs: () => 1_000,
  requestUrl: ({ secret }) => secret,
  composeRequest: (message, { secret }) =>
    composeSlackMessage(message, { isSlack: isSlack(secret) }),
  readFailure({ text }) {
    const code = text.trim();
    // Slack names what it did not like in one word.
    const detail = /^\w{3,60}$/.test(code) ? code : undefined;
    return { unreachable: explainCode("Slack", unreachableCodes, code), detail };
  },
};

function isSlack(url: string): boolean {
  return !canParseUrl(url) || hosts.includes(new URL(url).hostname);
}

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
