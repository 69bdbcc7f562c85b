// Recipients of the e-mails of channels: members of the workspace, and addresses that confirmed it once, unless they
// unsubscribed. Addresses are in lower case.
import {
  changesRow,
  type Db,
  execute,
  queryFirstRow,
  queryRows,
  queryValue,
  queryValues,
} from "../query.ts";

type RecipientKey = { workspaceId: string; address: string };

/** The addresses that are neither a member's nor confirmed, or that unsubscribed. */
export function listWaitingRecipients(
  db: Db,
  { workspaceId, addresses }: { workspaceId: string; addresses: readonly string[] },
): Promise<string[]> {
  return queryValues(db, "listWaitingRecipients")<string>`select wanted.address
    from unnest(${addresses}::text[]) as wanted (address)
    left join email_recipients known
      on known.workspace_id = ${workspaceId} and known.address = wanted.address
    where known.state = 'unsubscribed' or (known.state is distinct from 'confirmed' and not exists (
      select from members m join users u on u.id = m.user_id
      where m.workspace_id = ${workspaceId} and u.email = wanted.address
    ))`;
}

/** In the order of their addresses. */
export function listUnsubscribed(
  db: Db,
  { workspaceId }: Pick<RecipientKey, "workspaceId">,
): Promise<{ address: string; changedAt: Date }[]> {
  return queryRows(db, "listUnsubscribed")`select address, changed_at as "changedAt"
    from email_recipients where workspace_id = ${workspaceId} and state = 'unsubscribed'
    order by address`;
}

/** The workspace of a channel and what recipients the channel has; null without such a channel. */
export function findChannelRecipients(
  db: Db,
  channelId: string,
): Promise<{ workspaceId: string; workspaceName: string; recipients: string[] } | null> {
  return queryFirstRow(db, "findChannelRecipients")`select c.workspace_id as "workspaceId",
    w.name as "workspaceName", c.recipients
    from channels c join workspaces w on w.id = c.workspace_id where c.id = ${channelId}`;
}

/** Whether a channel of the workspace sends to the address. */
export async function hasChannelRecipient(
  db: Db,
  { workspaceId, address }: RecipientKey,
): Promise<boolean> {
  const rows = await queryRows(db, "hasChannelRecipient")`select 1 from channels
    where workspace_id = ${workspaceId} and type = 'email'
    and lower(${address}) in (select lower(one) from unnest(recipients) one) limit 1`;
  return rows.length > 0;
}

/**
 * Notes that an address gets an e-mail that it has not asked for. False when it was asked or unsubscribed since `since`, when other workspaces asked it
 * `perAddressMax` times since then, or when the workspace asked `perWorkspaceMax` others.
 */
export function inviteRecipient(
  db: Db,
  invitation: RecipientKey & {
    now: Date;
    since: Date;
    perAddressMax: number;
    perWorkspaceMax: number;
  },
): Promise<boolean> {
  return changesRow(db, "inviteRecipient")`insert into email_recipients (workspace_id, address,
    state, changed_at) select ${invitation.workspaceId}, ${invitation.address}, 'invited', ${invitation.now}
    where (select count(*) from email_recipients where address = ${invitation.address}
      and changed_at > ${invitation.since}) < ${invitation.perAddressMax}
      and (select count(*) from email_recipients where workspace_id = ${invitation.workspaceId}
        and state = 'invited' and changed_at > ${invitation.since}) < ${invitation.perWorkspaceMax}
    on conflict (workspace_id, address) do update set changed_at = excluded.changed_at
      where email_recipients.state <> 'unsubscribed' and email_recipients.changed_at <= ${invitation.since}`;
}

/** @param set.isOwnAnswer false: who has unsubscribed stays so */
export async function setEmailRecipient(
  db: Db,
  set: RecipientKey & { state: "confirmed" | "unsubscribed"; isOwnAnswer: boolean; now: Date },
): Promise<void> {
  await execute(db, "setEmailRecipient")`insert into email_recipients (workspace_id, address, state,
    changed_at) select ${set.workspaceId}, ${set.address}, ${set.state}, ${set.now}
    where exists (select from workspaces where id = ${set.workspaceId})
    on conflict (workspace_id, address) do update
    set state = excluded.state, changed_at = excluded.changed_at
    where ${set.isOwnAnswer} or email_recipients.state <> 'unsubscribed'`;
}

type DeliveryKey = { channelId: string; deliveryId: string };

/** The recipients that the mail server put off at an earlier attempt; null until the first recipients have the e-mail. */
export async function findRecipientsLeft(
  db: Db,
  { channelId, deliveryId }: DeliveryKey,
): Promise<string[] | null> {
  return queryValue(db, "findRecipientsLeft")<string[]>`select recipients_left as addresses
    from pending where channel_id = ${channelId} and id = ${deliveryId}`;
}

export async function saveRecipientsLeft(
  db: Db,
  { channelId, deliveryId, addresses }: DeliveryKey & { addresses: readonly string[] },
): Promise<void> {
  await execute(db, "saveRecipientsLeft")`update pending set recipients_left = ${addresses}
    where channel_id = ${channelId} and id = ${deliveryId}`;
}
