// Channels of every type: create, change (also pause and move), delete. A change takes effect for everything that is not
// being sent yet.
import { z } from "zod";
import type { DatabaseTransaction } from "../database/database.ts";
import {
  type Channel,
  channelDefaults,
  channelInputSchema,
  describeChannelWarnings,
  type ListedChannel,
} from "../domain/channel/channel.ts";
import {
  type DestinationFields,
  describeDestination,
  describeDropped,
  namesOtherDestination,
  shownDestination,
  toDestination,
} from "../domain/channel/channel-destination.ts";
import type { ChannelType } from "../domain/channel/channel-types.ts";
import { nextDigestAt } from "../domain/channel/digest-rhythm.ts";
import { failField } from "../domain/validation-errors.ts";
import { omit, pick } from "../lib/pick.ts";
import { SecretBoxError } from "../lib/secret-box.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { checkChannel } from "../use-cases/channels/check-channel.ts";
import {
  describeWaiting,
  inviteRecipients,
  listUnconfirmed,
  vouchForRecipients,
} from "../use-cases/channels/email-recipients.ts";
import { parseDestinationFields } from "../use-cases/channels/parse-destination.ts";
import { limitCount } from "./limit-count.ts";
import { mailNotice } from "./notices.ts";
import {
  type AfterContext,
  action,
  creation,
  defineNoun,
  type OperationContext,
  type OperationDeps,
} from "./operation.ts";
import { generateSigningSecret } from "./signing-secret.ts";

const fields = z.strictObject(channelInputSchema.shape).partial();
const changeSchema = fields.meta({ id: "ChannelChange" });
export const newChannelSchema = fields.required({ name: true }).meta({ id: "ChannelInput" });
type ChannelChange = z.output<typeof changeSchema>;

/** The fields of an input that say where a channel sends; which of them a channel has depends on its type. */
const destinationNames = ["url", "headers", "token", "chat", "to"] as const;

export const channelNoun = defineNoun<ListedChannel>({
  noun: "channel",
  plural: "channels",
  path: "channels",
  find: (database, ref) => database.findChannel(ref),
  // A channel whose endpoint answers 410 is deleted without the workspace's lock.
  lock: (tx, ref) => tx.lockChannel(ref),
  list: (database, workspaceId) => database.listChannels({ workspaceId }),
  toView,
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
});

function toView(channel: ListedChannel) {
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

export const createChannel = creation(channelNoun, {
  verb: "create",
  summary: "Create a channel",
  description: "The answer shows the signing secret of a webhook.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 30, by: "workspace" }],
  audit: "channel.created",
  schema: newChannelSchema,
  prepare: ({ deps }, { type = "webhook", ...input }) =>
    prepareDestination(deps, { type, input, before: null }),
  async run(context, { input, prepared: destination }) {
    const { deps, tx, workspaceId, now } = context;
    const { type = "webhook", request = null, ...entered } = toSettings(input);
    const chosen = { ...channelDefaults, name: input.name, ...entered };
    const settings = { ...chosen, type, request, destination };
    limitCount(context, "channels");
    const filter = await checkChannel(tx, { settings, before: null, workspaceId });
    const { secret, ...target } = toDestination(type, destination, null);
    const id = uuidV7(now);
    const channel: ListedChannel = {
      id,
      workspaceId,
      type,
      request,
      ...chosen,
      ...filter,
      ...target,
      createdAt: now,
      version: now.getTime(),
      failingSince: null,
      failingReason: null,
      digestDueAt: nextDigestAt(chosen, now),
    };
    const signingSecret = secret ?? deps.createSigningSecret?.() ?? generateSigningSecret();
    const encryptedSecret = deps.secretBox.seal(signingSecret, id);
    await tx.insertChannel({ ...channel, encryptedSecret });
    return {
      result: channel,
      id,
      detail: { name: channel.name, url: describeDestination(channel) },
      warning: await warningOf(context, channel, { hasNewRecipients: true }),
      // The secret of another type was entered, and is never shown.
      ...(type === "webhook" && { secret: signingSecret }),
    };
  },
  after: (context, { result }) => inviteOthers(context, result),
});

export const changeChannel = action(channelNoun, {
  verb: "change",
  summary: "Change a channel",
  description:
    "Fields that are left out stay as they are. A part of a URL that is a secret is shown as a mask, which is refused.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 10, by: "resource" }],
  audit: "channel.updated",
  schema: changeSchema,
  async prepare({ deps, database, ref }, input) {
    if (Object.keys(input).length === 0) failField("id", "nothing to change was named");
    if (!destinationNames.some((name) => name in input)) return null;
    // The type of a channel stays; one that does not exist is refused in the transaction.
    const before = await database.findChannel(ref);
    return before && prepareDestination(deps, { type: before.type, input, before });
  },
  async run(context, { before, input, prepared }) {
    const { deps, tx, actor, workspaceId, now } = context;
    const { id, type } = before;
    const destination = prepared ?? {};
    const entered = toSettings(input);
    const changed = Object.keys(input).filter((name) => name in entered || name in destination);
    if (changed.length === 0) failField("id", "nothing to change was named");
    if (entered.type !== undefined && entered.type !== type)
      failField("type", `stays ${type}: create another channel`);
    // Signed events or a bot's messages would go to another recipient.
    if (isMoved(before, input) && actor.kind === "user") actor.assertRecentProof();
    const { request = before.request, ...chosen } = { ...before, ...entered, type };
    const settings = { ...chosen, request, destination };
    const filter = await checkChannel(tx, { settings, before, workspaceId });
    const { url, recipients, secret } = toDestination(type, destination, before);
    const saved = { ...chosen, ...filter, request, url, recipients };
    const { digestDueAt, beginsAfresh } = digestAfterChange(now, before, saved);
    const channel = { ...saved, digestDueAt };
    const dropped =
      type === "http" && secret !== null ? await findDropped(context, { id, destination }) : null;
    if (secret !== null) {
      const encryptedSecret = deps.secretBox.seal(secret, id);
      await tx.setChannelSecret({ id, encryptedSecret, oldEndsAt: null });
    }
    const version = (await tx.updateChannel(channel, now)) ?? before.version;
    const cancelledCount = await tx.cancelDeliveries({ channelId: id, now, isRaised: true });
    if (beginsAfresh) await tx.endCauses({ channelId: id, kind: "digest", seenBefore: "infinity" });
    const result = { ...channel, version, cancelledCount };
    const hasNewRecipients = input.to !== undefined;
    const warning = dropped ?? (await warningOf(context, result, { hasNewRecipients }));
    // The log shows of secrets that they were replaced.
    const replaced = changed.filter((name) => secret !== null && name in destination);
    return { result, detail: replaced.length > 0 ? { replaced } : {}, warning };
  },
  async after(context, { before, input, result }) {
    if (isMoved(before, input))
      mailNotice(context, `changed where the channel "${before.name}" sends its messages`);
    if (input.to !== undefined) await inviteOthers(context, result);
  },
});

export const removeChannel = action(channelNoun, {
  verb: "delete",
  summary: "Delete a channel",
  description: "Its pending deliveries are deleted with it.",
  role: "owner",
  scope: "manage",
  isSensitive: true,
  audit: "channel.deleted",
  async run({ tx }, { before }) {
    await tx.deleteChannel(before.id);
    return { result: before, detail: { url: before.url } };
  },
});

/** The fields of the destination, and whether they may be sent to. Masks are refused. */
function prepareDestination(
  { checkUrl }: Pick<OperationDeps, "checkUrl">,
  entered: { type: ChannelType; input: ChannelChange; before: Channel | null },
) {
  const input = pick(entered.input, destinationNames);
  return parseDestinationFields({ checkUrl }, { ...entered, input });
}

async function findDropped(
  { deps, tx }: OperationContext,
  { id, destination }: { id: string; destination: DestinationFields },
): Promise<string | null> {
  const sealed = await tx.findChannelSecret(id);
  try {
    return sealed && describeDropped(deps.secretBox.open(sealed.encryptedSecret, id), destination);
  } catch (error) {
    // A secret that can't be opened is replaced.
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function toSettings(input: ChannelChange) {
  return withoutUndefined(omit(input, destinationNames));
}

// JSON holds no `undefined`: an optional field is absent or has its value.
function withoutUndefined<T extends object>(
  body: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const named = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function isMoved(before: Channel, input: ChannelChange): boolean {
  return namesOtherDestination(before, pick(input, destinationNames));
}

/** A change of anything else moves no digest. At another time they go on with the day after the last one, after a pause afresh. */
function digestAfterChange(
  now: Date,
  before: Channel,
  after: Channel,
): Pick<Channel, "digestDueAt"> & { beginsAfresh: boolean } {
  const { digestDueAt, isPaused } = before;
  const isSame =
    before.digest === after.digest &&
    before.digestAt === after.digestAt &&
    before.timeZone === after.timeZone &&
    isPaused === after.isPaused;
  if (isSame) return { digestDueAt, beginsAfresh: false };
  const goesOn = isPaused === after.isPaused && after.digest !== null;
  return { digestDueAt: nextDigestAt(after, now), beginsAfresh: !goesOn };
}

/** The operator answers for new recipients; others are asked, and a warning says who. */
async function warningOf(
  { deps, tx, actor }: OperationContext,
  channel: Channel,
  { hasNewRecipients }: { hasNewRecipients: boolean },
): Promise<string | null> {
  const database: Pick<DatabaseTransaction, "listWaitingRecipients" | "setEmailRecipient"> = tx;
  if (hasNewRecipients && actor.kind === "operator") {
    const warning = await vouchForRecipients({ clock: deps.clock, database }, channel);
    if (warning !== null) return warning;
  }
  const waiting = hasNewRecipients ? await listUnconfirmed(database, channel) : [];
  const translating = deps.providers?.find(({ kind }) => kind === "translate");
  return (
    describeWaiting(waiting, { canInvite: deps.sendMail !== null }) ??
    describeChannelWarnings(channel, { isTranslating: translating?.isEnabled ?? true })
  );
}

async function inviteOthers({ deps, actor }: AfterContext, channel: Channel): Promise<void> {
  if (actor.kind === "operator") return;
  const invitedBy = actor.kind === "user" ? actor.user.email : "A user of Starpost";
  await inviteRecipients(deps, { channel, invitedBy });
}
