// starpost deliveries: the delivery log of a channel, and sending deliveries again.

import type { Database } from "../../database/database.ts";
import { deliveryStatuses, type LoggedDelivery } from "../../domain/channel/delivery.ts";
import { failField } from "../../domain/validation-errors.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import { formatTimestamp, secondMs } from "../../lib/timestamp.ts";
import { redeliverExpired, redeliverOne } from "../../operations/channel-actions.ts";
import { findDelivery, listDeliveries } from "../../use-cases/channels/deliveries.ts";
import { type Command, command } from "../command.ts";
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

const pollMs = secondMs;
// Within one poll more than this many changes are not shown: a backlog is for `deliveries list`.
const watchedMax = 200;
const shownAtStart = 10;

/** Returns when the signal is aborted. */
async function followDeliveries(
  deps: {
    database: Pick<Database, "findChannel" | "listDeliveries">;
    delay: Delay;
    write(text: string): Promise<void>;
    isJson: boolean;
  },
  { channelId, signal }: { channelId: string; signal: AbortSignal },
): Promise<void> {
  let known: ReadonlyMap<string, string> | null = null;
  while (!signal.aborted) {
    const query = { channelId, workspaceId: null, status: null, limit: watchedMax };
    const deliveries = await listDeliveries(deps.database, query);
    const before: ReadonlyMap<string, string> | null = known;
    const changed = before
      ? deliveries.filter((one) => before.get(one.id) !== stateOf(one))
      : deliveries.slice(0, shownAtStart);
    for (const delivery of changed.reverse()) {
      await deps.write(`${deps.isJson ? JSON.stringify(delivery) : format(delivery)}\n`);
    }
    known = new Map(deliveries.map((one) => [one.id, stateOf(one)]));
    await deps.delay(pollMs, signal);
  }
}

function stateOf({ status, attemptCount }: LoggedDelivery): string {
  return `${status} ${attemptCount}`;
}

function format(delivery: LoggedDelivery): string {
  const { id, event, status, attemptCount, lastStatus, lastReason, createdAt } = delivery;
  const answer = lastStatus ?? lastReason ?? "";
  const attempts = attemptCount === 0 ? "" : `attempt ${attemptCount}: ${answer}`;
  return `${formatTimestamp(createdAt)}  ${event.padEnd(18)}  ${status.padEnd(9)}  ${id}  ${attempts}`.trimEnd();
}
