// The types of channels as people know them.
import { type ChannelType, channelTypes } from "../../../../src/domain/channel/channel-types.ts";

/** Where a channel's messages go, in one line. */
export function destinationOf(channel: {
  type: ChannelType;
  url: string;
  recipients: readonly string[];
}): string {
  const place = channel.url || channel.recipients.join(", ");
  return channel.type === "webhook" ? place : `${channelTypes[channel.type].name}: ${place}`;
}
