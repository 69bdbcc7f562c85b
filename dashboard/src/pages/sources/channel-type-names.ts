// The types of channels as people know them.
import type { ChannelType } from "../../../../src/dashboard-api/contract/channels.ts";

export const channelTypeNames: Readonly<Record<ChannelType, string>> = {
  webhook: "Webhook",
  slack: "Slack",
  discord: "Discord",
  teams: "Microsoft Teams",
  telegram: "Telegram",
  email: "E-mail",
  http: "Other services",
};

/** Where a channel's messages go, in one line. */
export function destinationOf(channel: {
  type: ChannelType;
  url: string;
  recipients: readonly string[];
}): string {
  const place = channel.url || channel.recipients.join(", ");
  return channel.type === "webhook" ? place : `${channelTypeNames[channel.type]}: ${place}`;
}
