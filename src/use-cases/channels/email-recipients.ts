// The recipients of e-mail channels: members, and addresses that agreed once by a link that was sent to them. Links to
// agree and to unsubscribe are signed; nothing is stored for them.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import type { Clock } from "../../lib/clock.ts";
import { isEqualText, signText } from "../../lib/signed-text.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { isUuid } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import type { SendServiceMail } from "../service-mail.ts";

const confirmMs = 7 * dayMs;
const inviteIntervalMs = dayMs;
/** Questions to one address, from all workspaces, and of one workspace, each in a day. */
const invitesMax = { perAddress: 3, perWorkspace: 20 };

export type LinkPurpose = "confirm" | "stop";
type RecipientLink = { purpose: LinkPurpose; workspaceId: string; address: string };

/** @param link.endsAtMs 0: never */
export function signRecipientLink(key: Buffer, link: RecipientLink & { endsAtMs: number }): string {
  const { workspaceId, address, endsAtMs } = link;
  const text = `${workspaceId}.${endsAtMs}.${Buffer.from(address).toString("base64url")}`;
  return `${text}.${sign(key, `${link.purpose} ${text}`)}`;
}

/** null for a link that is none, is for something else, or has ended. */
export function readRecipientLink(
  key: Buffer,
  { token, purpose, now }: { token: string; purpose: LinkPurpose; now: Date },
): { workspaceId: string; address: string } | null {
  const [workspaceId = "", endsAt = "", encoded = "", signature = ""] = token.split(".");
  const text = `${workspaceId}.${endsAt}.${encoded}`;
  const isSigned = isEqualText(signature, sign(key, `${purpose} ${text}`));
  const hasEnded = endsAt !== "0" && !(Number(endsAt) > now.getTime());
  if (!isSigned || hasEnded || !isUuid(workspaceId)) return null;
  return { workspaceId, address: Buffer.from(encoded, "base64url").toString("utf8") };
}

function sign(key: Buffer, text: string): string {
  return signText(key, `email recipient ${text}`);
}

/** The addresses that may receive the e-mails of a channel now, and its workspace; null without such a channel. */
export async function readAudience(
  database: Pick<Database, "findChannelRecipients" | "listWaitingRecipients">,
  channelId: string,
): Promise<{ workspaceId: string; workspaceName: string; addresses: string[] } | null> {
  const channel = await database.findChannelRecipients(channelId);
  if (!channel) return null;
  const { workspaceId, workspaceName, recipients } = channel;
  const waiting = new Set(await listWaiting(database, channel));
  const addresses = recipients.filter((address) => !waiting.has(address.toLowerCase()));
  return { workspaceId, workspaceName, addresses };
}

function listWaiting(
  database: Pick<Database, "listWaitingRecipients">,
  { workspaceId, recipients }: Pick<Channel, "workspaceId" | "recipients">,
): Promise<string[]> {
  const addresses = recipients.map((address) => address.toLowerCase());
  return database.listWaitingRecipients({ workspaceId, addresses });
}

type InviteDeps = {
  clock: Clock;
  database: Pick<Database, "listWaitingRecipients" | "inviteRecipient">;
  signingKey: Buffer;
  sendMail: SendServiceMail | null;
  settings: { publicUrl: string | null };
};

/** The recipients of a channel who have not agreed, or who unsubscribed. */
export async function listUnconfirmed(
  database: Pick<Database, "listWaitingRecipients">,
  channel: Pick<Channel, "type" | "workspaceId" | "recipients">,
): Promise<string[]> {
  return channel.type === "email" ? listWaiting(database, channel) : [];
}

/** Sends a link to each recipient who has not agreed yet. Returns those, for a warning. */
export async function inviteRecipients(
  deps: InviteDeps,
  { channel, invitedBy }: { channel: Channel; invitedBy: string },
): Promise<string[]> {
  const { clock, database, sendMail, settings } = deps;
  const { workspaceId } = channel;
  const waiting = await listUnconfirmed(database, channel);
  const { publicUrl } = settings;
  if (sendMail === null || publicUrl === null) return waiting;
  for (const address of waiting) {
    if (!(await mayMailStranger(deps, { workspaceId, address }))) continue;
    const endsAtMs = clock.now().getTime() + confirmMs;
    const link = { purpose: "confirm", workspaceId, address, endsAtMs } as const;
    // No words of the workspace: strangers could be made to read them.
    void sendMail({
      to: address,
      subject: "Confirm that you want e-mails about app reviews",
      paragraphs: [
        `${invitedBy} wants to send you e-mails about reviews of apps with Starpost.`,
        "Without your confirmation nothing is sent. If you did not expect this, ignore this e-mail.",
      ],
      link: {
        label: "Confirm",
        url: `${publicUrl}/mail/confirm/${signRecipientLink(deps.signingKey, link)}`,
      },
    }).catch(() => ({ isSent: false }));
  }
  return waiting;
}

/**
 * Whether an address that has not asked for it may get one e-mail now, such as an invitation; it counts as sent. False after
 * one in the last day, after those of other workspaces, and for an address that unsubscribed.
 */
export function mayMailStranger(
  { clock, database }: { clock: Clock; database: Pick<Database, "inviteRecipient"> },
  { workspaceId, address }: { workspaceId: string; address: string },
): Promise<boolean> {
  const now = clock.now();
  const since = new Date(now.getTime() - inviteIntervalMs);
  const { perAddress: perAddressMax, perWorkspace: perWorkspaceMax } = invitesMax;
  const recipient = { workspaceId, address: address.toLowerCase(), now, since };
  return database.inviteRecipient({ ...recipient, perAddressMax, perWorkspaceMax });
}

/** A sentence for the people who edit the channel; null when all recipients have agreed. */
export function describeWaiting(
  waiting: readonly string[],
  { canInvite }: { canInvite: boolean },
): string | null {
  if (waiting.length === 0) return null;
  const addresses = waiting.join(", ");
  return canInvite
    ? `An e-mail asks ${addresses} to confirm. Until then nothing is sent there; events and tests go only to members and to addresses that have confirmed.`
    : `Nothing is sent to ${addresses}: they are not members, and confirming needs SMTP_URL and PUBLIC_URL.`;
}

/**
 * The operator answers for the recipients of a channel: no address is asked. Those who unsubscribed stay so.
 *
 * @returns a sentence that names them, or null
 */
export async function vouchForRecipients(
  {
    clock,
    database,
  }: { clock: Clock; database: Pick<Database, "listWaitingRecipients" | "setEmailRecipient"> },
  channel: Channel,
): Promise<string | null> {
  const { type, recipients, workspaceId } = channel;
  if (type !== "email") return null;
  for (const recipient of recipients) {
    const address = recipient.toLowerCase();
    const confirmed = { state: "confirmed", isOwnAnswer: false, now: clock.now() } as const;
    await database.setEmailRecipient({ workspaceId, address, ...confirmed });
  }
  const unsubscribed = await listWaiting(database, channel);
  return unsubscribed.length === 0
    ? null
    : `Nothing is sent to ${unsubscribed.join(", ")}: they unsubscribed from this workspace.`;
}

/** The recipient confirms, or unsubscribes from everything that the workspace sends. */
export async function answerAsRecipient(
  { clock, database }: { clock: Clock; database: Pick<Database, "forWorkspace"> },
  answer: RecipientLink,
): Promise<void> {
  const { workspaceId, address, purpose } = answer;
  const state = purpose === "confirm" ? "confirmed" : "unsubscribed";
  await database.forWorkspace(workspaceId).transaction(async (tx) => {
    const answered = { workspaceId, address, state, isOwnAnswer: true, now: clock.now() } as const;
    await tx.setEmailRecipient(answered);
    const subject = { id: address, workspaceId };
    await recordAudit({ clock, actor: "recipient" }, tx, `email_recipient.${state}`, subject);
  });
}

/** For e-mails with several recipients: a link that unsubscribes the one to whom it is sent. */
export async function sendStopLink(
  deps: Pick<InviteDeps, "settings" | "signingKey" | "sendMail"> & {
    database: Pick<Database, "hasChannelRecipient">;
  },
  recipient: { workspaceId: string; address: string },
): Promise<void> {
  const { publicUrl } = deps.settings;
  if (deps.sendMail === null || publicUrl === null) return;
  if (!(await deps.database.hasChannelRecipient(recipient))) return;
  const link = { ...recipient, purpose: "stop", endsAtMs: 0 } as const;
  await deps.sendMail({
    to: recipient.address,
    subject: "Unsubscribe from e-mails about app reviews",
    paragraphs: ["Follow the link to get no more of these e-mails."],
    link: {
      label: "Unsubscribe",
      url: `${publicUrl}/mail/stop/${signRecipientLink(deps.signingKey, link)}`,
    },
  });
}
