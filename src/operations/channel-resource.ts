// Channels of every type, as a resource of the API. Its fields are those of the schema that every input of a channel passes.
import { z } from "zod";
import { channelInputSchema, type ListedChannel } from "../domain/channel.ts";
import { namesOtherDestination, shownDestination } from "../domain/channel-destination.ts";
import { pick } from "../lib/pick.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { deleteChannel, listChannels, requireChannel } from "../use-cases/channels/channels.ts";
import { createChannel, updateChannel } from "../use-cases/channels/save-channel.ts";
import { defineResource, type View } from "./resource.ts";

const fields = z.strictObject(channelInputSchema.shape).partial();
const changeSchema = fields.meta({ id: "ChannelChange" });
export const newChannelSchema = fields.required({ name: true }).meta({ id: "NewChannel" });

export const channelResource = defineResource({
  noun: "channel",
  plural: "channels",
  path: "channels",
  newSchema: newChannelSchema,
  changeSchema,
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the channel; `channelId` of its deliveries."),
      // Which fields a destination has depends on its type.
      ...channelInputSchema
        .omit({ token: true, headers: true })
        .required()
        .partial({ url: true, chat: true, to: true, request: true }).shape,
      createdAt: z.iso.datetime().describe("When the channel was created."),
      failingSince: z.iso
        .datetime()
        .nullable()
        .describe("Since when every attempt has failed; null while the endpoint answers."),
      failingReason: z
        .string()
        .nullable()
        .describe("The last failure in words; null while the endpoint answers."),
    })
    .meta({ id: "ManagedChannel" }),
  list: async (database, workspaceId) =>
    (await listChannels(database, { workspaceId })).map(toView),
  async create(deps, workspaceId, input) {
    const entered = { ...withoutUndefined(input), name: input.name, workspaceId };
    const created = await createChannel(deps, entered);
    const { channel, secret } = created;
    const warning = (await deps.confirmRecipients(deps.database, channel)) ?? created.warning;
    return { view: toView(channel), warning, secret };
  },
  async change(deps, place, change) {
    const before = await requireChannel(deps.database, place);
    const updated = await updateChannel(deps, { ...place, change: withoutUndefined(change) });
    const { channel } = updated;
    if (namesOtherDestination(before, withoutUndefined(change))) await deps.announceMove(channel);
    const unconfirmed =
      change.to === undefined ? null : await deps.confirmRecipients(deps.database, channel);
    return { view: toView(channel), warning: unconfirmed ?? updated.warning };
  },
  remove: deleteChannel,
  lock: (tx, { id }) => tx.lockChannel(id),
});

function toView(channel: ListedChannel): View {
  const { id, createdAt, failingSince, failingReason } = channel;
  const entered = Object.entries(channelInputSchema.shape).flatMap(([name, schema]) =>
    // Fields of another type are null in the row, and are left out as in an input.
    channel[name as keyof ListedChannel] === null && !schema.safeParse(null).success ? [] : [name],
  );
  return {
    id,
    ...pick(channel, entered),
    ...shownDestination(channel),
    createdAt: formatTimestamp(createdAt),
    failingSince: failingSince && formatTimestamp(failingSince),
    failingReason,
  };
}

// JSON holds no `undefined`: an optional field is absent or has its value.
function withoutUndefined<T extends object>(
  body: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return body as { [K in keyof T]?: Exclude<T[K], undefined> };
}
