// Teams: the webhook of a workflow, which takes an adaptive card. Facts and their sources: ADR 30.

import { z } from "zod";
import { parseJson } from "../../../lib/json.ts";
import { type ChatService, explainCode } from "../chat-service.ts";
import { cutText } from "../message/cut-text.ts";
import type { Block, Message, Tone } from "../message/message.ts";

const answerSchema = z.object({
  error: z.object({ code: z.string().max(200), message: z.string().max(2_000).optional() }),
});

const unreachableCodes: Readonly<Record<string, string>> = {
  WorkflowNotFound: "the workflow was deleted",
  WorkflowDisabled: "the workflow is turned off",
  WorkflowTriggerIsNotEnabled: "the workflow is turned off",
  TriggerDisabled: "the workflow is turned off",
  DirectApiAuthorizationRequired: "the URL lacks its signature: copy the whole URL of the workflow",
  InvalidSignature: "the URL's signature is not valid any more",
};

export const teams: ChatService = {
  name: "Teams",
  hosts: [".logic.azure.com", ".api.powerplatform.com", ".webhook.office.com"],
  textMax: 4_000,
  intervalMs: () => 1_000,
  requestUrl: ({ secret }) => secret,
  composeRequest: composeTeamsMessage,
  readFailure({ text }) {
    const code = answerSchema.safeParse(parseJson(text)).data?.error.code;
    return { unreachable: explainCode("Teams", unreachableCodes, code), detail: code };
  },
};

const teamsLimits = {
  /**
   * The limit for all texts together. Teams says about 28 KB for a whole message; some report refusals from 21 KB on.
   */
  textBytes: 16_000,
} as const;

const colours: Readonly<Record<Tone, string>> = {
  good: "good",
  neutral: "default",
  bad: "attention",
};

export function composeTeamsMessage(message: Message): unknown {
  const head = run(message.heading, {
    size: "medium",
    weight: "bolder",
    color: colours[message.tone],
  });
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    // The newest that Teams shows everywhere, on phones too.
    version: "1.4",
    msteams: { width: "full" },
    body: [paragraph([head]), ...fitBlocks(message.blocks)],
    actions: message.links.map(({ label: title, url }) => ({ type: "Action.OpenUrl", title, url })),
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content: card }] };
}

function fitBlocks(blocks: readonly Block[]): unknown[] {
  const shown: unknown[] = [];
  let left: number = teamsLimits.textBytes;
  for (const block of blocks) {
    // The approximate overhead of a text.
    left -= 200;
    if (left <= 0) break;
    let text = block.text;
    // At most four bytes a character, and escapes of JSON: a few rounds are enough.
    while (bytesOf(text) > left) text = cutText(text, Math.floor(text.length * 0.8));
    left -= bytesOf(text);
    shown.push(toTeamsBlock({ ...block, text }));
  }
  return shown;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function toTeamsBlock(block: Block): unknown {
  const { kind, text } = block;
  if (kind === "chart") {
    return paragraph(linesOf(text).map((line) => run(line, { fontType: "monospace" })));
  }
  if (kind !== "heading") return paragraph([run(text, styles[kind])]);
  const open = block.url && { selectAction: { type: "Action.OpenUrl", url: block.url } };
  const head = run(text, { weight: "bolder", size: "medium", ...open });
  return { ...paragraph([head]), separator: true };
}

const styles = {
  strong: { weight: "bolder" },
  quote: { italic: true },
  note: { isSubtle: true, size: "small" },
  text: {},
} as const;

function linesOf(text: string): string[] {
  return text.split("\n").map((line, index) => (index === 0 ? line : `\n${line}`));
}

function paragraph(inlines: readonly unknown[]) {
  return { type: "RichTextBlock", inlines, spacing: "small" };
}

function run(text: string, style: Readonly<Record<string, unknown>>): unknown {
  return { type: "TextRun", text, ...style };
}
