// Text that Telegram would turn into links or commands.
import { expect, test } from "vitest";
import type { Message } from "../message/message.ts";
import { composeTelegramMessage } from "./telegram.ts";

test("mentions, hashtags, commands and addresses of a text are neutralised, and marks keep their place", () => {
  const hostile = "@admin /start #free evil.example https://evil.example/pay 4.52";
  const message: Message = {
    heading: hostile,
    url: null,
    tone: "neutral",
    blocks: [{ kind: "quote", text: hostile }],
    links: [],
    threadId: null,
  };
  const sent = composeTelegramMessage(message, {
    secret: "",
    recipients: ["-1"],
    telegramBaseUrl: "",
  });
  const { text, entities } = sent as {
    text: string;
    entities: { type: string; offset: number; length: number }[];
  };
  expect(text).not.toMatch(/[@#/](?!\u2060)|\.(?=\p{L})/u);
  expect(text.replaceAll("\u2060", "")).toBe(`${hostile}\n${hostile}`);
  const marked = entities.map(({ offset, length }) => text.slice(offset, offset + length));
  expect(marked).toEqual(text.split("\n"));
});
