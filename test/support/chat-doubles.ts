// Chat services on loopback: each checks a request as its documentation describes it (ADR 30 names the
// sources), answers in the service's words, and reads from a message what people would see.
import { z } from "zod";
import type { ChannelType } from "../../src/domain/channel/channel-types.ts";
import { openReceiver, type Received, type Reply } from "./receiver.ts";

/** A new type of channels is one until it is named here: its double is then missing for the compiler. */
export type ChatType = Exclude<ChannelType, "webhook" | "email" | "http">;

type Service = {
  path: string;
  schema: z.ZodType;
  accepted: Reply;
  refuse(problem: string): Reply;
  throttled(seconds: number): Reply;
  /** The place that messages go to is no more. */
  gone: Reply;
  /** All texts that people would see, one after the other. */
  readTexts(body: never): string[];
};

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  kind: "status",
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const text = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  kind: "status",
  status,
  headers,
  body,
});

// Slack: reference of Block Kit.
const plain = (max: number) =>
  z.strictObject({
    type: z.literal("plain_text"),
    text: z.string().min(1).max(max),
    emoji: z.literal(false),
  });
const richStyle = z.strictObject({ bold: z.boolean() }).optional();
const richText = z.string().min(1).max(3_000);
const richElement = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: richText, style: richStyle }),
  z.strictObject({ type: z.literal("link"), url: z.url(), text: richText, style: richStyle }),
]);
const slackBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("header"), text: plain(150) }),
  z.strictObject({
    type: z.literal("context"),
    elements: z.array(plain(3_000)).min(1).max(10),
  }),
  z.strictObject({
    type: z.literal("rich_text"),
    elements: z.array(
      z.strictObject({
        type: z.enum(["rich_text_section", "rich_text_preformatted", "rich_text_quote"]),
        elements: z.array(richElement).min(1),
      }),
    ),
  }),
  z.strictObject({
    type: z.literal("actions"),
    elements: z
      .array(
        z.strictObject({
          type: z.literal("button"),
          action_id: z.string().max(255),
          text: plain(75),
          url: z.url().max(3_000),
        }),
      )
      .min(1)
      .max(25),
  }),
]);
const slackBody = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z.array(slackBlock).max(50),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
});

// Discord: execute webhook, limits of embeds.
const embed = z.strictObject({
  title: z.string().min(1).max(256),
  description: z.string().max(4_096),
  color: z.int().min(0).max(0xffffff),
  url: z.url().optional(),
});
const discordBody = z
  .strictObject({
    embeds: z.array(embed).min(1).max(10),
    allowed_mentions: z.strictObject({ parse: z.array(z.string()).length(0) }),
  })
  .refine(({ embeds }) => embeds.map((e) => e.title + e.description).join("").length <= 6_000, {
    error: "embeds have more than 6,000 characters",
  });

// Teams: adaptive card schema 1.4, text runs and actions.
const textRun = z.strictObject({
  type: z.literal("TextRun"),
  text: z.string(),
  size: z.enum(["small", "default", "medium", "large"]).optional(),
  weight: z.enum(["lighter", "default", "bolder"]).optional(),
  color: z.enum(["default", "good", "attention", "warning"]).optional(),
  fontType: z.enum(["default", "monospace"]).optional(),
  isSubtle: z.boolean().optional(),
  italic: z.boolean().optional(),
  selectAction: z.strictObject({ type: z.literal("Action.OpenUrl"), url: z.url() }).optional(),
});
const card = z.strictObject({
  $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
  type: z.literal("AdaptiveCard"),
  version: z.enum(["1.2", "1.3", "1.4"]),
  msteams: z.strictObject({ width: z.literal("full") }),
  body: z.array(
    z.strictObject({
      type: z.literal("RichTextBlock"),
      inlines: z.array(textRun).min(1),
      spacing: z.enum(["none", "small", "default", "medium"]).optional(),
      separator: z.boolean().optional(),
    }),
  ),
  actions: z
    .array(z.strictObject({ type: z.literal("Action.OpenUrl"), title: z.string(), url: z.url() }))
    .max(6),
});
const teamsBody = z
  .strictObject({
    type: z.literal("message"),
    attachments: z
      .array(
        z.strictObject({
          contentType: z.literal("application/vnd.microsoft.card.adaptive"),
          contentUrl: z.null(),
          content: card,
        }),
      )
      .length(1),
  })
  .refine((body) => Buffer.byteLength(JSON.stringify(body)) <= 28 * 1_024, {
    error: "the message is larger than 28 KB",
  });

// Telegram: sendMessage with entities and no parse mode.
const telegramBody = z
  .strictObject({
    chat_id: z.string().min(1),
    text: z.string().min(1).max(4_096),
    entities: z
      .array(
        z.strictObject({
          type: z.enum(["bold", "italic", "pre", "text_link", "blockquote"]),
          offset: z.int().min(0),
          length: z.int().min(1),
          url: z.url().optional(),
        }),
      )
      .max(100),
    link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
  })
  .refine(
    ({ text: shown, entities }) => entities.every((e) => e.offset + e.length <= shown.length),
    { error: "an entity ends behind the text" },
  );

const telegramError = (status: number, description: string, parameters?: unknown): Reply =>
  json(status, {
    ok: false,
    error_code: status,
    description,
    ...(parameters ? { parameters } : {}),
  });

export const chatDoubles: Readonly<Record<ChatType, Service>> = {
  slack: {
    path: "/services/T0INVENTED/B0INVENTED/inventedinventedinvented",
    schema: slackBody,
    accepted: text(200, "ok"),
    refuse: () => text(400, "invalid_blocks"),
    throttled: (seconds) => text(429, "rate_limited", { "retry-after": String(seconds) }),
    gone: text(404, "channel_not_found"),
    readTexts: ({ blocks }: z.infer<typeof slackBody>) =>
      blocks.flatMap((block) => {
        if (block.type === "header") return [decodeSlack(block.text.text)];
        if (block.type === "context") return block.elements.map((part) => decodeSlack(part.text));
        if (block.type === "actions") return [];
        return block.elements.flatMap(({ elements }) => elements.map((part) => part.text));
      }),
  },
  discord: {
    path: "/api/webhooks/100000000000000000/invented-token",
    schema: discordBody,
    accepted: { kind: "status", status: 204 },
    refuse: (problem) => json(400, { code: 50035, message: "Invalid Form Body", errors: problem }),
    throttled: (seconds) =>
      json(429, {
        message: "You are being rate limited.",
        retry_after: seconds,
        global: false,
      }),
    gone: json(404, { message: "Unknown Webhook", code: 10015 }),
    readTexts: ({ embeds }: z.infer<typeof discordBody>) =>
      embeds.flatMap(({ title, description }) => [title, description].map(showDiscord)),
  },
  teams: {
    path: "/workflows/invented/triggers/manual/paths/invoke?api-version=2016-06-01&sig=invented-1",
    schema: teamsBody,
    accepted: { kind: "status", status: 202 },
    refuse: (message) => json(400, { error: { code: "InvalidRequestContent", message } }),
    throttled: (seconds) =>
      json(429, { error: { code: "WorkflowRunThrottled" } }, { "retry-after": String(seconds) }),
    gone: json(404, { error: { code: "WorkflowNotFound", message: "It could not be found." } }),
    readTexts: ({ attachments }: z.infer<typeof teamsBody>) =>
      attachments.flatMap(({ content }) =>
        content.body.map(({ inlines }) => inlines.map((part) => part.text).join("")),
      ),
  },
  telegram: {
    path: "",
    schema: telegramBody,
    accepted: json(200, { ok: true, result: { message_id: 7 } }),
    refuse: (problem) => telegramError(400, `Bad Request: ${problem}`),
    throttled: (seconds) =>
      telegramError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
    gone: telegramError(400, "Bad Request: chat not found"),
    // The joiner shows nothing.
    readTexts: ({ text: shown }: z.infer<typeof telegramBody>) => [shown.replaceAll("\u2060", "")],
  },
};

export const inventedToken = "123456789:AAinventedinventedinventedinvented0";

export type ChatDouble = Awaited<ReturnType<typeof openChatDouble>>;

/** Accepts what the documentation allows, and refuses the rest in the service's words. */
export async function openChatDouble(type: ChatType) {
  const service = chatDoubles[type];
  const judge = (request: Received): Reply => {
    const problem = findProblem(type, request);
    return problem === null ? service.accepted : service.refuse(problem);
  };
  const receiver = await openReceiver({ reply: judge });
  return {
    ...receiver,
    type,
    service,
    url: `http://127.0.0.1:${receiver.port}${service.path}`,
    baseUrl: `http://127.0.0.1:${receiver.port}`,
    reply: (next: Reply | "as documented") =>
      receiver.reply(next === "as documented" ? judge : next),
    /** The fault in a request; null for nothing. */
    findProblem: (request: Received) => findProblem(type, request),
    readTexts: (request: Received) =>
      service.readTexts(JSON.parse(request.body.toString("utf8")) as never),
  };
}

function findProblem(type: ChatType, { path, headers, body }: Received): string | null {
  const expected =
    type === "telegram" ? `/bot${inventedToken}/sendMessage` : chatDoubles[type].path;
  if (path !== expected) return `nothing is at ${path}`;
  if (headers["content-type"] !== "application/json") return "not JSON";
  const parsed = chatDoubles[type].schema.safeParse(JSON.parse(body.toString("utf8")));
  return parsed.success ? null : z.prettifyError(parsed.error);
}

function decodeSlack(shown: string): string {
  return shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** An escaped character is shown; what is formatting is not. */
function showDiscord(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])|\*\*|__|^-# |```\n?/gm, "$1");
}
