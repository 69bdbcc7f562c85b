// starpost channel: where events are sent, which ones, and under which filters.

import { z } from "zod";
import { eventNames } from "../../domain/channel.ts";
import {
  type ChannelType,
  channelTypes,
  describeDestination,
} from "../../domain/channel-destination.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";
import {
  createNextSecret,
  endOldSecret,
  revealChannel,
  rotateSecret,
} from "../../use-cases/channels/channel-secret.ts";
import {
  deleteChannel,
  listChannels,
  requireChannel,
  testChannel,
} from "../../use-cases/channels/channels.ts";
import { vouchForRecipients } from "../../use-cases/channels/email-recipients.ts";
import { createChannel, updateChannel } from "../../use-cases/channels/save-channel.ts";
import { waitForTestResult } from "../channel-test.ts";
import { type Command, command } from "../command.ts";
import {
  flag,
  type Option,
  optional,
  reference,
  required,
  workspaceFilter,
  workspaceOption,
} from "../option.ts";
import {
  destinationOptions,
  digestOptions,
  filterOptions,
  parseChannelOptions,
  requestOptions,
} from "./channel-options.ts";

const columns = ["name", "type", "destination", "events", "failingReason", "id"];

const id = reference("channel", { flags: "<channel>", description: "Its id or name." });

// `--translate` and `--no-translate` share one value; neither leaves it as it is.
const translation: Option<boolean | undefined> = {
  flags: "--translate",
  description: "Send a translation along.",
  isRequired: false,
  parse: (text) => (typeof text === "boolean" ? text : undefined),
};
const noTranslation = {
  ...translation,
  flags: "--no-translate",
  description: "Send originals only.",
};

const wait: Option<boolean> = {
  flags: "--no-wait",
  description: "Only queue it.",
  isRequired: false,
  // commander names the option without its "no" and sets it to false.
  parse: (text) => text !== false,
};

export const commands: Command[] = [
  command({
    name: "channel create",
    description: "Create a channel, and show the signing secret of a webhook.",
    options: {
      workspace: workspaceOption("The workspace whose events are sent."),
      name: required("--name <name>", "Its name for people."),
      type: {
        ...optional("--type <type>", `${channelTypes.join(", ")} (webhook).`),
        values: channelTypes,
      },
      ...destinationOptions,
      ...requestOptions,
      ...filterOptions,
      ...digestOptions,
      translate: flag("--translate", "Send a translation along."),
    },
    async run(context, values) {
      const { name, workspace: workspaceId } = values;
      // Which types there are is checked with the rest.
      const type = (values.type ?? "webhook") as ChannelType;
      const input = { ...parseChannelOptions(values), name, type, workspaceId };
      const created = await createChannel(context, input);
      const warning = (await vouchForRecipients(context, created.channel)) ?? created.warning;
      return { value: { ...created.channel, secret: created.secret, warning } };
    },
  }),
  command({
    name: "channel list",
    description: "List channels, without their secrets.",
    options: { workspace: workspaceFilter() },
    async run({ database }, { workspace }) {
      const channels = await listChannels(database, { workspaceId: workspace ?? null });
      const value = channels.map((channel) => ({
        ...channel,
        destination: describeDestination(channel),
      }));
      return { value, columns };
    },
  }),
  command({
    name: "channel show",
    description: "Show a channel, and the signing secret of a webhook.",
    args: { id },
    async run(context, values) {
      return { value: await revealChannel(context, { ...values, workspaceId: null }) };
    },
  }),
  command({
    name: "channel update",
    description: "Change a channel; options that are left out change nothing.",
    args: { id },
    options: {
      name: optional("--name <name>", "Its name for people."),
      ...destinationOptions,
      ...requestOptions,
      ...filterOptions,
      ...digestOptions,
      translate: translation,
      noTranslate: noTranslation,
    },
    async run(context, values) {
      const result = await updateChannel(context, {
        id: values.id,
        workspaceId: null,
        change: parseChannelOptions(values),
      });
      const { channel, cancelledCount, warning } = result;
      const unsubscribed =
        values.to === undefined ? null : await vouchForRecipients(context, channel);
      return { value: { ...channel, cancelledCount, warning: unsubscribed ?? warning } };
    },
  }),
  ...(["pause", "resume"] as const).map((verb) =>
    command({
      name: `channel ${verb}`,
      description:
        verb === "pause"
          ? "Stop a channel: what waits is cancelled, and nothing new is queued."
          : "Let a paused channel send again, from now on.",
      args: { id },
      async run(context, values) {
        const change = { isPaused: verb === "pause" };
        const update = { id: values.id, workspaceId: null, change };
        const { channel, cancelledCount } = await updateChannel(context, update);
        return { value: { ...channel, cancelledCount } };
      },
    }),
  ),
  command({
    name: "channel next-secret",
    description:
      "Create the secret that rotate-secret switches to. It signs nothing until then, so receivers can be given it first.",
    args: { id },
    async run(context, values) {
      return { value: await createNextSecret(context, { ...values, workspaceId: null }) };
    },
  }),
  command({
    name: "channel rotate-secret",
    description:
      "Switch a webhook channel to the secret of next-secret, else to a new one; webhook-signature carries both for WEBHOOK_SECRET_OVERLAP_HOURS.",
    args: { id },
    options: { endOldNow: flag("--end-old-now", "Sign with the new secret alone from now on.") },
    question: async () =>
      "Replace the secret? Receivers that check X-Service-Signature refuse events until they have the new one.",
    async run(context, values) {
      const query = { id: values.id, workspaceId: null, isOldEnded: values.endOldNow };
      return { value: await rotateSecret(context, query) };
    },
  }),
  command({
    name: "channel end-old-secret",
    description: "Sign with the secret of the last rotation alone from now on.",
    args: { id },
    question: async () =>
      "End the old secret? Receivers that still have it refuse events from now on.",
    async run(context, values) {
      return { value: await endOldSecret(context, { ...values, workspaceId: null }) };
    },
  }),
  command({
    name: "channel test",
    description: "Send a sample event with invented data, and show the answer.",
    args: { id },
    options: {
      event: {
        ...optional("--event <name>", `${eventNames.join(", ")}; the first unless given.`),
        values: eventNames,
      },
      wait,
    },
    async run({ clock, config, database, isJson }, values) {
      const event =
        values.event === undefined
          ? undefined
          : parseField(z.enum(eventNames), { field: "event", value: values.event });
      const deps = {
        clock,
        database,
        composeTest: (channel: Parameters<typeof toTestDelivery>[0]["channel"]) =>
          toTestDelivery({ channel, now: clock.now(), event }, () => uuidV7(clock.now())),
      };
      const queued = await testChannel(deps, { id: values.id, workspaceId: null });
      if (!values.wait) return { value: queued };
      const { deliveryId } = queued;
      const timeoutMs = config.webhookTimeoutMs;
      const { isDelivered, ...outcome } = await waitForTestResult(database, {
        deliveryId,
        timeoutMs,
      });
      return {
        value: isJson ? { ...queued, ...outcome } : outcome.result,
        isFailed: !isDelivered,
      };
    },
  }),
  command({
    name: "channel delete",
    description: "Delete a channel with its pending deliveries.",
    args: { id },
    question: async ({ database }, values) => {
      const { name } = await requireChannel(database, { ...values, workspaceId: null });
      return `Delete the channel ${name} with its pending deliveries?`;
    },
    async run(context, values) {
      return { value: await deleteChannel(context, { ...values, workspaceId: null }) };
    },
  }),
];
