// starpost channel: where events are sent, which ones, and under which filters.

import { channelDefaults } from "../../domain/channel.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";
import { rotateSecret, revealChannel } from "../../use-cases/channels/channel-secret.ts";
import { deleteChannel, listChannels, testChannel } from "../../use-cases/channels/channels.ts";
import { createChannel, updateChannel } from "../../use-cases/channels/save-channel.ts";
import { type Command, command } from "../command.ts";
import { flag, type Option, optional, required } from "../option.ts";
import { filterOptions, readFilters } from "./channel-options.ts";

const columns = ["id", "workspaceId", "name", "url", "events", "createdAt", "failingReason"];

const id = required("<id>", "The channel.");

// `--translate` and `--no-translate` share one value; neither leaves it as it is.
const translation: Option<boolean | undefined> = {
  flags: "--translate",
  about: "Send a translation along.",
  isRequired: false,
  read: (stated) => (typeof stated === "boolean" ? stated : undefined),
};
const noTranslation = { ...translation, flags: "--no-translate", about: "Send originals only." };

export const channelCommands: Command[] = [
  command({
    name: "channel create",
    about: "Make a webhook channel and show its signing secret.",
    args: {},
    options: {
      workspace: required("--workspace <id>", "The workspace whose events are sent."),
      name: required("--name <name>", "How people know it."),
      url: required("--url <url>", "Where events are sent."),
      ...filterOptions,
      translate: flag("--translate", "Send a translation along."),
    },
    async run(shell, given) {
      const { name, url, workspace: workspaceId } = given;
      const choice = { ...channelDefaults, ...readFilters(given), name, url, workspaceId };
      const made = await createChannel(await shell.context(), choice);
      return { value: { ...made.channel, secret: made.secret, warning: made.warning } };
    },
  }),
  command({
    name: "channel list",
    about: "List webhook channels, without their secrets.",
    args: {},
    options: { workspace: optional("--workspace <id>", "Only this workspace's.") },
    async run(shell, { workspace }) {
      const { database } = await shell.context();
      return { value: await listChannels(database, { workspaceId: workspace ?? null }), columns };
    },
  }),
  command({
    name: "channel show",
    about: "Show a webhook channel with its signing secret.",
    args: { id },
    options: {},
    async run(shell, given) {
      const context = await shell.context();
      return { value: await revealChannel(context, { ...given, workspaceId: null }) };
    },
  }),
  command({
    name: "channel update",
    about: "Change a webhook channel; what is not named stays as it is.",
    args: { id },
    options: {
      name: optional("--name <name>", "How people know it."),
      url: optional("--url <url>", "Where events are sent."),
      ...filterOptions,
      translate: translation,
      noTranslate: noTranslation,
    },
    async run(shell, given) {
      const done = await updateChannel(await shell.context(), {
        id: given.id,
        workspaceId: null,
        change: readFilters(given),
      });
      const { channel, cancelledCount, warning } = done;
      return { value: { ...channel, cancelledCount, warning } };
    },
  }),
  command({
    name: "channel rotate-secret",
    about: "Give a webhook channel a new signing secret; the old one stops at once.",
    args: { id },
    options: {},
    async run(shell, given) {
      const context = await shell.context();
      return { value: await rotateSecret(context, { ...given, workspaceId: null }) };
    },
  }),
  command({
    name: "channel test",
    about: "Queue a sample event with invented data; the service delivers it.",
    args: { id },
    options: {},
    async run(shell, given) {
      const { clock, database } = await shell.context();
      const deps = {
        clock,
        database,
        composeTest: (channel: Parameters<typeof toTestDelivery>[0]["channel"]) =>
          toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now())),
      };
      return { value: await testChannel(deps, { ...given, workspaceId: null }) };
    },
  }),
  command({
    name: "channel delete",
    about: "Delete a webhook channel with everything that waits for it.",
    args: { id },
    options: {},
    async run(shell, given) {
      const context = await shell.context();
      return { value: await deleteChannel(context, { ...given, workspaceId: null }) };
    },
  }),
];
