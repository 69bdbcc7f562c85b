// Workspaces with their plans, their members, and invitations into them.

import type { Invitation, Member, MemberRole, Membership } from "../../domain/user.ts";
import type { Plan, Workspace, WorkspaceLimits } from "../../domain/workspace.ts";
import { removeFromQueue } from "../delivery/channels.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { withinTransaction } from "../transaction.ts";

const columns = `id, name, plan, created_at as "createdAt", requires_second_factor as "requiresSecondFactor"`;

export async function insertWorkspace(
  db: Db,
  workspace: Omit<Workspace, "requiresSecondFactor">,
): Promise<void> {
  await queryRows(
    db,
    "insertWorkspace",
    "insert into workspaces (id, name, plan, created_at) values ($1, $2, $3, $4)",
    [workspace.id, workspace.name, workspace.plan, workspace.createdAt],
  );
}

export function listWorkspaces(db: Db): Promise<Workspace[]> {
  return queryRows(db, "listWorkspaces", `select ${columns} from workspaces order by id`);
}

export function findWorkspace(db: Db, id: string): Promise<Workspace | null> {
  return queryFirstRow(db, "findWorkspace", `select ${columns} from workspaces where id = $1`, [
    id,
  ]);
}

export function findOldestWorkspace(db: Db): Promise<{ id: string } | null> {
  const text = "select id from workspaces order by id limit 1";
  return queryFirstRow(db, "findOldestWorkspace", text);
}

export async function setPlan(db: Db, change: { id: string; plan: Plan }): Promise<boolean> {
  const count = await execute(db, "setPlan", "update workspaces set plan = $2 where id = $1", [
    change.id,
    change.plan,
  ]);
  return count === 1;
}

export async function renameWorkspace(db: Db, change: { id: string; name: string }): Promise<void> {
  await queryRows(db, "renameWorkspace", "update workspaces set name = $2 where id = $1", [
    change.id,
    change.name,
  ]);
}

export async function setSecondFactorRequired(
  db: Db,
  change: { id: string; isRequired: boolean },
): Promise<void> {
  const text = "update workspaces set requires_second_factor = $2 where id = $1";
  await queryRows(db, "setSecondFactorRequired", text, [change.id, change.isRequired]);
}

/**
 * How much of each kind the workspace has; keys that are neither revoked nor over.
 *
 * @throws AppError `unavailable` while the database is away
 */
export async function countWorkspaceContent(
  db: Db,
  query: { workspaceId: string; now: Date },
): Promise<WorkspaceLimits> {
  const found = await queryFirstRow<WorkspaceLimits>(
    db,
    "countWorkspaceContent",
    `select (select count(*) from apps where workspace_id = $1) as apps,
       (select count(*) from channels where workspace_id = $1) as channels,
       (select count(*) from members where workspace_id = $1) as members,
       (select count(*) from api_keys where workspace_id = $1 and revoked_at is null
          and (ends_at is null or ends_at > $2)) as keys`,
    [query.workspaceId, query.now],
  );
  if (!found) throw new Error("a select without from gave no row");
  return found;
}

/** With its own data that is not deleted yet; listings that it left stay for others. */
export function deleteWorkspace(db: Db, id: string): Promise<void> {
  return withinTransaction(db, async (tx) => {
    const channels = await queryRows<{ id: string }>(
      tx,
      "lockChannelsOfWorkspace",
      "select id from channels where workspace_id = $1 order by id for update",
      [id],
    );
    await queryRows(tx, "deleteWorkspace", "delete from workspaces where id = $1", [id]);
    await removeFromQueue(
      tx,
      channels.map((channel) => channel.id),
    );
  });
}

/** Locks the workspace until the transaction ends: changes to its apps and members take turns. */
export async function lockWorkspace(db: Db, id: string): Promise<void> {
  await queryRows(
    db,
    "lockWorkspace",
    "select id from workspaces where id = $1 for no key update",
    [id],
  );
}

// Members of workspaces and their roles.

/** False for a member already; their role stays. */
export async function insertMember(
  db: Db,
  member: { workspaceId: string; userId: string; role: MemberRole; joinedAt: Date },
): Promise<boolean> {
  const count = await execute(
    db,
    "insertMember",
    `insert into members (workspace_id, user_id, role, joined_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [member.workspaceId, member.userId, member.role, member.joinedAt],
  );
  return count === 1;
}

/** In the order of their joining. */
export function listMembers(db: Db, workspaceId: string): Promise<Member[]> {
  return queryRows(
    db,
    "listMembers",
    `select m.user_id as "userId", u.name, u.email, m.role, m.joined_at as "joinedAt",
       f.confirmed_at is not null as "hasSecondFactor"
     from members m join users u on u.id = m.user_id left join second_factors f on f.id = u.id
     where m.workspace_id = $1 order by m.joined_at, m.user_id`,
    [workspaceId],
  );
}

const membershipColumns = `w.id, w.name, w.plan, m.role, w.requires_second_factor and not exists (
    select from second_factors f where f.id = m.user_id and f.confirmed_at is not null
  ) as "mustSetUpSecondFactor"`;

/** Workspaces of a user, by name. */
export function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  return queryRows(
    db,
    "listMemberships",
    `select ${membershipColumns} from members m join workspaces w on w.id = m.workspace_id
     where m.user_id = $1 order by lower(w.name), w.id`,
    [userId],
  );
}

export function findMembership(
  db: Db,
  query: { userId: string; workspaceId: string },
): Promise<Membership | null> {
  return queryFirstRow(
    db,
    "findMembership",
    `select ${membershipColumns} from members m join workspaces w on w.id = m.workspace_id
     where m.user_id = $1 and m.workspace_id = $2`,
    [query.userId, query.workspaceId],
  );
}

export async function setMemberRole(
  db: Db,
  change: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  await queryRows(
    db,
    "setMemberRole",
    "update members set role = $3 where workspace_id = $1 and user_id = $2",
    [change.workspaceId, change.userId, change.role],
  );
}

export async function deleteMember(
  db: Db,
  member: { workspaceId: string; userId: string },
): Promise<void> {
  await queryRows(
    db,
    "deleteMember",
    "delete from members where workspace_id = $1 and user_id = $2",
    [member.workspaceId, member.userId],
  );
}

/** Workspaces without members, oldest first: made by the operator before the first user signed in. */
export function listUnclaimedWorkspaces(db: Db): Promise<{ id: string; name: string }[]> {
  return queryRows(
    db,
    "listUnclaimedWorkspaces",
    `select id, name from workspaces w
     where not exists (select from members m where m.workspace_id = w.id) order by id limit 100`,
  );
}

// Invitations into workspaces and set-up links for the first user, both by the SHA-256 of their token.

const invitationColumns = `i.id, i.workspace_id as "workspaceId", i.email, i.role,
  i.invited_by as "invitedById", u.name as "invitedBy", i.created_at as "createdAt",
  i.ends_at as "endsAt"`;
// An invitation ends when its creator stops being an owner.
const invitationSource = `invitations i join users u on u.id = i.invited_by
  join members m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
    and m.role = 'owner'`;

export async function insertInvitation(
  db: Db,
  invitation: Omit<Invitation, "invitedBy"> & { tokenHash: Buffer },
): Promise<void> {
  await queryRows(
    db,
    "insertInvitation",
    `insert into invitations (id, token_hash, workspace_id, email, role, invited_by, created_at,
       ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      invitation.id,
      invitation.tokenHash,
      invitation.workspaceId,
      invitation.email,
      invitation.role,
      invitation.invitedById,
      invitation.createdAt,
      invitation.endsAt,
    ],
  );
}

/** Open ones, newest first. */
export function listInvitations(
  db: Db,
  query: { workspaceId: string; now: Date },
): Promise<Invitation[]> {
  return queryRows(
    db,
    "listInvitations",
    `select ${invitationColumns} from ${invitationSource}
     where i.workspace_id = $1 and i.ends_at > $2 order by i.id desc`,
    [query.workspaceId, query.now],
  );
}

/** An open one, by its link. */
export function findInvitation(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<(Invitation & { workspaceName: string }) | null> {
  return queryFirstRow(
    db,
    "findInvitation",
    `select ${invitationColumns}, w.name as "workspaceName"
     from ${invitationSource} join workspaces w on w.id = i.workspace_id
     where i.token_hash = $1 and i.ends_at > $2`,
    [query.tokenHash, query.now],
  );
}

/** True for one caller: a link works once. */
export async function deleteInvitation(
  db: Db,
  deleted: { id: string; workspaceId: string },
): Promise<boolean> {
  const count = await execute(
    db,
    "deleteInvitation",
    "delete from invitations where id = $1 and workspace_id = $2",
    [deleted.id, deleted.workspaceId],
  );
  return count === 1;
}

export async function insertSetupLink(
  db: Db,
  link: { tokenHash: Buffer; endsAt: Date },
): Promise<void> {
  await queryRows(
    db,
    "insertSetupLink",
    "insert into setup_links (token_hash, ends_at) values ($1, $2)",
    [link.tokenHash, link.endsAt],
  );
}

export async function isSetupLinkOpen(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<boolean> {
  const found = await queryFirstRow(
    db,
    "isSetupLinkOpen",
    "select 1 as one from setup_links where token_hash = $1 and ends_at > $2",
    [query.tokenHash, query.now],
  );
  return found !== null;
}

/** Until the transaction ends, no other process can create the first user. */
export async function lockSetup(db: Db): Promise<void> {
  await queryRows(db, "lockSetup", "lock table setup_links in exclusive mode");
}

export async function deleteSetupLinks(db: Db): Promise<void> {
  await queryRows(db, "deleteSetupLinks", "delete from setup_links");
}
