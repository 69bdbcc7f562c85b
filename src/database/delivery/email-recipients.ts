// Recipients of the e-mails of channels: members of the workspace, and addresses that confirmed it once, unless they
// unsubscribed. Addresses are in lower case.
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

type RecipientKey = { workspaceId: string; address: string };

const isMember = `exists (select from members m join users u on u.id = m.user_id
  where m.workspace_id = $1 and u.email = wanted.address)`;

/** The addresses that are neither a member's nor confirmed, or that unsubscribed. */
export async function listWaitingRecipients(
  db: Db,
  { workspaceId, addresses }: { workspaceId: string; addresses: readonly string[] },
): Promise<string[]> {
  const rows = await queryRows<{ address: string }>(
    db,
    "listWaitingRecipients",
    `select wanted.address from unnest($2::text[]) as wanted (address)
     left join email_recipients known on known.workspace_id = $1 and known.address = wanted.address
     where known.state = 'unsubscribed' or (known.state is distinct from 'confirmed' and not ${isMember})`,
    [workspaceId, addresses],
  );
  return rows.map(({ address }) => address);
}

/** The workspace of a channel and what recipients the channel has; null without such a channel. */
export function findChannelRecipients(
  db: Db,
  channelId: string,
): Promise<{ workspaceId: string; recipients: string[] } | null> {
  return queryFirstRow(
    db,
    "findChannelRecipients",
    `select workspace_id as "workspaceId", recipients from channels where id = $1`,
    [channelId],
  );
}

/** Whether a channel of the workspace sends to the address. */
export async function hasChannelRecipient(
  db: Db,
  { workspaceId, address }: RecipientKey,
): Promise<boolean> {
  const rows = await queryRows(
    db,
    "hasChannelRecipient",
    `select 1 from channels where workspace_id = $1 and type = 'email'
       and lower($2) in (select lower(one) from unnest(recipients) one) limit 1`,
    [workspaceId, address],
  );
  return rows.length > 0;
}

/**
 * Notes that an address is asked. False when it was asked or unsubscribed since `since`, when other workspaces asked it
 * `perAddressMax` times since then, or when the workspace asked `perWorkspaceMax` others.
 */
export async function inviteRecipient(
  db: Db,
  invitation: RecipientKey & {
    now: Date;
    since: Date;
    perAddressMax: number;
    perWorkspaceMax: number;
  },
): Promise<boolean> {
  const count = await execute(
    db,
    "inviteRecipient",
    `insert into email_recipients (workspace_id, address, state, changed_at)
     select $1, $2, 'invited', $3
     where (select count(*) from email_recipients where address = $2 and changed_at > $4) < $5
       and (select count(*) from email_recipients where workspace_id = $1 and state = 'invited' and changed_at > $4) < $6
     on conflict (workspace_id, address) do update set changed_at = excluded.changed_at
       where email_recipients.state = 'invited' and email_recipients.changed_at <= $4`,
    [
      invitation.workspaceId,
      invitation.address,
      invitation.now,
      invitation.since,
      invitation.perAddressMax,
      invitation.perWorkspaceMax,
    ],
  );
  return count === 1;
}

export async function setEmailRecipient(
  db: Db,
  set: RecipientKey & { state: "confirmed" | "unsubscribed"; now: Date },
): Promise<void> {
  await execute(
    db,
    "setEmailRecipient",
    `insert into email_recipients (workspace_id, address, state, changed_at)
     select $1, $2, $3, $4 where exists (select from workspaces where id = $1)
     on conflict (workspace_id, address) do update set state = excluded.state, changed_at = excluded.changed_at`,
    [set.workspaceId, set.address, set.state, set.now],
  );
}
