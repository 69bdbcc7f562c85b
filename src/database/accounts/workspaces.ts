// Workspaces with their plans, their members, and invitations into them.

import sql from "sql-template-tag";
import type { Invitation, Member, MemberRole, Membership } from "../../domain/user.ts";
import type { Workspace, WorkspaceLimits } from "../../domain/workspace.ts";
import { advisoryLocks } from "../locks.ts";
import { changesRow, type Db, queryFirstRow, queryRows } from "../query.ts";
import { nextVersion } from "../sql.ts";

const columns = sql`id, name, plan, created_at as "createdAt", requires_second_factor as "requiresSecondFactor",
  settings_version as version`;

export async function insertWorkspace(
  db: Db,
  workspace: Omit<Workspace, "requiresSecondFactor" | "version">,
): Promise<void> {
  const statement = sql`insert into workspaces (id, name, plan, created_at, settings_version)
    values (${workspace.id}, ${workspace.name}, ${workspace.plan}, ${workspace.createdAt},
      ${workspace.createdAt.getTime()})`;
  await queryRows(db, "insertWorkspace", statement);
}

export function listWorkspaces(db: Db): Promise<Workspace[]> {
  return queryRows(db, "listWorkspaces", sql`select ${columns} from workspaces order by id`);
}

export function findWorkspace(db: Db, id: string): Promise<Workspace | null> {
  const statement = sql`select ${columns} from workspaces where id = ${id}`;
  return queryFirstRow(db, "findWorkspace", statement);
}

export function findOldestWorkspace(db: Db): Promise<{ id: string } | null> {
  const statement = sql`select id from workspaces order by id limit 1`;
  return queryFirstRow(db, "findOldestWorkspace", statement);
}

export async function updateWorkspace(
  db: Db,
  change: Omit<Workspace, "createdAt" | "version"> & { now: Date },
): Promise<void> {
  const statement = sql`update workspaces set name = ${change.name}, plan = ${change.plan},
      requires_second_factor = ${change.requiresSecondFactor}, settings_version = ${nextVersion(change.now)}
    where id = ${change.id}`;
  await queryRows(db, "updateWorkspace", statement);
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
  const statement = sql`select (select count(*) from apps
    where workspace_id = ${query.workspaceId}) as apps,
    (select count(*) from channels where workspace_id = ${query.workspaceId}) as channels,
    (select count(*) from members where workspace_id = ${query.workspaceId}) as members,
    (select count(*) from api_keys where workspace_id = ${query.workspaceId} and revoked_at is null
       and (ends_at is null or ends_at > ${query.now})) as keys`;
  const found = await queryFirstRow<WorkspaceLimits>(db, "countWorkspaceContent", statement);
  if (!found) throw new Error("a select without from gave no row");
  return found;
}

/** With its own data; its apps and channels were deleted before. */
export async function deleteWorkspace(db: Db, id: string): Promise<void> {
  await queryRows(db, "deleteWorkspace", sql`delete from workspaces where id = ${id}`);
}

/** Locks the workspace until the transaction ends: all operations on it take turns. False without such a workspace. */
export function lockWorkspace(db: Db, id: string): Promise<boolean> {
  const statement = sql`select id from workspaces where id = ${id} for no key update`;
  return changesRow(db, "lockWorkspace", statement);
}

/** Two transactions that create a workspace of one name take turns: the second finds the workspace of the first. */
export async function lockWorkspaceName(db: Db, name: string): Promise<void> {
  const statement = sql`select pg_advisory_xact_lock(${advisoryLocks.workspaceName}, hashtext(${name}))`;
  await queryRows(db, "lockWorkspaceName", statement);
}

// Members of workspaces and their roles.

/** False for a member already; their role stays. */
export function insertMember(
  db: Db,
  member: { workspaceId: string; userId: string; role: MemberRole; joinedAt: Date },
): Promise<boolean> {
  const statement = sql`insert into members (workspace_id, user_id, role, joined_at)
    values (${member.workspaceId}, ${member.userId}, ${member.role}, ${member.joinedAt})
    on conflict do nothing`;
  return changesRow(db, "insertMember", statement);
}

/** In the order of their joining. */
export function listMembers(db: Db, workspaceId: string): Promise<Member[]> {
  const statement = sql`select m.user_id as "userId", u.name, u.email, m.role, m.joined_at as "joinedAt",
      f.confirmed_at is not null as "hasSecondFactor", m.settings_version as version
    from members m join users u on u.id = m.user_id left join second_factors f on f.id = u.id
    where m.workspace_id = ${workspaceId} order by m.joined_at, m.user_id`;
  return queryRows(db, "listMembers", statement);
}

const membershipColumns = sql`w.id, w.name, w.plan, m.role, w.requires_second_factor and not exists (
    select from second_factors f where f.id = m.user_id and f.confirmed_at is not null
  ) as "mustSetUpSecondFactor"`;

/** Workspaces of a user, by name. */
export function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  const statement = sql`select ${membershipColumns} from members m
      join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId} order by lower(w.name), w.id`;
  return queryRows(db, "listMemberships", statement);
}

export function findMembership(
  db: Db,
  query: { userId: string; workspaceId: string },
): Promise<Membership | null> {
  const statement = sql`select ${membershipColumns} from members m
      join workspaces w on w.id = m.workspace_id
    where m.user_id = ${query.userId} and m.workspace_id = ${query.workspaceId}`;
  return queryFirstRow(db, "findMembership", statement);
}

export async function setMemberRole(
  db: Db,
  change: { workspaceId: string; userId: string; role: MemberRole; now: Date },
): Promise<void> {
  const statement = sql`update members set role = ${change.role},
      settings_version = ${nextVersion(change.now)}
    where workspace_id = ${change.workspaceId} and user_id = ${change.userId}`;
  await queryRows(db, "setMemberRole", statement);
}

/** What was assigned to the member is for anyone again. */
export async function deleteMember(
  db: Db,
  member: { workspaceId: string; userId: string },
): Promise<void> {
  const { workspaceId, userId } = member;
  const statement = sql`delete from members where workspace_id = ${workspaceId} and user_id = ${userId}`;
  await queryRows(db, "deleteMember", statement);
  const unassign = sql`update review_work set assignee_id = null
    where workspace_id = ${workspaceId} and assignee_id = ${userId}`;
  await queryRows(db, "unassignMember", unassign);
}

/** Workspaces without members, oldest first: made by the operator before the first user signed in. */
export function listUnclaimedWorkspaces(db: Db): Promise<{ id: string; name: string }[]> {
  const statement = sql`select id, name from workspaces w
    where not exists (select from members m where m.workspace_id = w.id) order by id limit 100`;
  return queryRows(db, "listUnclaimedWorkspaces", statement);
}

// Invitations into workspaces and set-up links for the first user, both by the SHA-256 of their token.

const invitationColumns = sql`i.id, i.workspace_id as "workspaceId", i.email, i.role,
  i.invited_by as "invitedById", u.name as "invitedBy", i.created_at as "createdAt",
  i.ends_at as "endsAt"`;
// An invitation ends when its creator stops being an owner.
const invitationSource = sql`invitations i join users u on u.id = i.invited_by
  join members m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by
    and m.role = 'owner'`;

export async function insertInvitation(
  db: Db,
  invitation: Omit<Invitation, "invitedBy"> & { tokenHash: Buffer },
): Promise<void> {
  const statement = sql`insert into invitations (id, token_hash, workspace_id, email, role, invited_by,
      created_at, ends_at)
    values (${invitation.id}, ${invitation.tokenHash}, ${invitation.workspaceId}, ${invitation.email},
      ${invitation.role}, ${invitation.invitedById}, ${invitation.createdAt}, ${invitation.endsAt})`;
  await queryRows(db, "insertInvitation", statement);
}

/** Open ones, newest first. */
export function listInvitations(
  db: Db,
  query: { workspaceId: string; now: Date },
): Promise<Invitation[]> {
  const statement = sql`select ${invitationColumns} from ${invitationSource}
    where i.workspace_id = ${query.workspaceId} and i.ends_at > ${query.now} order by i.id desc`;
  return queryRows(db, "listInvitations", statement);
}

/** An open one, by its link. */
export function findInvitation(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<(Invitation & { workspaceName: string }) | null> {
  const statement = sql`select ${invitationColumns}, w.name as "workspaceName"
    from ${invitationSource} join workspaces w on w.id = i.workspace_id
    where i.token_hash = ${query.tokenHash} and i.ends_at > ${query.now}`;
  return queryFirstRow(db, "findInvitation", statement);
}

/** True for one caller: a link works once. */
export function deleteInvitation(
  db: Db,
  deleted: { id: string; workspaceId: string },
): Promise<boolean> {
  const statement = sql`delete from invitations where id = ${deleted.id}
      and workspace_id = ${deleted.workspaceId}`;
  return changesRow(db, "deleteInvitation", statement);
}

export async function insertSetupLink(
  db: Db,
  link: { tokenHash: Buffer; endsAt: Date },
): Promise<void> {
  const statement = sql`insert into setup_links (token_hash, ends_at)
    values (${link.tokenHash}, ${link.endsAt})`;
  await queryRows(db, "insertSetupLink", statement);
}

export async function isSetupLinkOpen(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<boolean> {
  const statement = sql`select 1 as one from setup_links where token_hash = ${query.tokenHash}
      and ends_at > ${query.now}`;
  const found = await queryFirstRow(db, "isSetupLinkOpen", statement);
  return found !== null;
}

/** Until the transaction ends, no other process can create the first user. */
export async function lockSetup(db: Db): Promise<void> {
  await queryRows(db, "lockSetup", sql`lock table setup_links in exclusive mode`);
}

export async function deleteSetupLinks(db: Db): Promise<void> {
  await queryRows(db, "deleteSetupLinks", sql`delete from setup_links`);
}
