// Slack's format at services that only resemble Slack: some ignore the blocks and show the text alone.
import { expect, test } from "vitest";
import {
  aDigestEvent,
  aDropEvent,
  anAlertEvent,
  aReviewEvent,
} from "../../../../test/support/channel-events.ts";
import { composeMessage } from "../message/compose-message.ts";
import { slack, slackLimits } from "./slack.ts";

const events = {
  review: aReviewEvent({ text: "It <closes> & forgets.", title: "Lost" }),
  drop: aDropEvent(),
  digest: aDigestEvent("The search <forgets> everything.", 1),
  alert: anAlertEvent("channel.failing", "HTTP 503 & no more"),
};

test.each(Object.entries(events))(
  "a %s is whole in the text elsewhere, and a heading at Slack",
  (_, event) => {
    const message = composeMessage(event, { textMax: slack.textMax, publicUrl: null });
    const textFor = (url: string): string =>
      Object(slack.composeRequest(message, { secret: url, recipients: [], telegramBaseUrl: "" }))
        .text;
    const escapeText = (text: string) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    for (const host of ["chat.example.com/hooks/x", "rocket.example.com:3000/hooks/a/b"]) {
      const text = textFor(`https://${host}`);
      expect(text.length).toBeLessThanOrEqual(slackLimits.text);
      for (const part of [message.heading, ...message.blocks.map((block) => block.text)])
        expect(text).toContain(escapeText(part));
      for (const { url } of message.links) expect(text).toContain(escapeText(url));
    }
    expect(textFor("https://hooks.slack.com/services/T0/B0/x")).toBe(escapeText(message.heading));
  },
);
