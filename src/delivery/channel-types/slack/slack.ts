// Slack's incoming webhooks. Facts and their sources: docs/channels.md.
import { type ChatService, explainCode } from "../chat-service.ts";
import { composeSlackMessage } from "./slack-message.ts";

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
  return !URL.canParse(url) || hosts.includes(new URL(url).hostname);
}
