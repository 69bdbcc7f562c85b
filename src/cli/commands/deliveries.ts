// starpost deliveries: the delivery log of a channel, and sending deliveries again.

import { deliveryStatuses } from "../../domain/delivery.ts";
import { failField } from "../../domain/validation-errors.ts";
import { systemDelay } from "../../lib/delay.ts";
import { redeliverExpired, redeliverOne } from "../../operations/channel-actions.ts";
import { findDelivery, listDeliveries } from "../../use-cases/channels/deliveries.ts";
import { type Command, command } from "../command.ts";
import { followDeliveries } from "../follow-deliveries.ts";
import { operate } from "../operate.ts";
import { flag, number, optional, reference, required } from "../option.ts";

const columns = ["createdAt", "event", "status", "attemptCount", "lastStatus", "lastReason", "id"];
const listedDefault = 100;
const channel = reference("channel", { flags: "--channel <channel>", description: "The channel." });

export const commands: Command[] = [
  command({
    name: "deliveries list",
    description: "List the deliveries of a channel, newest first.",
    options: {
      channel,
      status: {
        ...optional("--status <status>", "pending, delivered, expired or cancelled."),
        values: deliveryStatuses,
      },
      limit: number("--limit <count>", `At most this many (${listedDefault}).`),
    },
    async run({ database }, values) {
      const value = await listDeliveries(database, {
        channelId: values.channel,
        workspaceId: null,
        status: values.status ?? null,
        limit: values.limit ?? listedDefault,
      });
      return { value, columns };
    },
  }),
  command({
    name: "deliveries tail",
    description: "Show what a channel is sent as it happens, until it is stopped.",
    options: { channel },
    async run({ database, isJson, untilStopped, write }, values) {
      const stopping = new AbortController();
      void untilStopped().then(() => stopping.abort());
      await followDeliveries(
        { database, delay: systemDelay, write, isJson },
        { channelId: values.channel, signal: stopping.signal },
      );
      return null;
    },
  }),
  command({
    name: "deliveries show",
    description: "Show a delivery with its body and every attempt.",
    args: { id: required("<id>", "The delivery.") },
    async run({ database }, { id }) {
      return { value: await findDelivery(database, { id, workspaceId: null }) };
    },
  }),
  command({
    name: "deliveries redeliver",
    description:
      "Send a delivery again, or all expired ones of a channel, with the same body and id.",
    args: { id: optional("[id]", "The delivery.") },
    options: {
      channel: {
        ...optional("--channel <channel>", "The channel whose expired deliveries are sent again."),
        refersTo: "channel",
      },
      allExpired: flag("--all-expired", "All that expired; needs --channel."),
    },
    async run(context, { id, channel, allExpired }) {
      if (id !== undefined) {
        if (channel !== undefined || allExpired)
          failField("id", "can't be combined with --channel");
        return { value: (await operate(context, redeliverOne, { id })).result };
      }
      if (channel === undefined || !allExpired) {
        failField("id", "name a delivery, or --channel ID with --all-expired");
      }
      return { value: (await operate(context, redeliverExpired, { id: channel })).result };
    },
  }),
];
