// Workspaces with their plans, their members, and invitations into them.

import sql from "sql-template-tag";
import type { Invitation, Member, MemberRole, Membership } from "../../domain/people/user.ts";
import type { Workspace, WorkspaceLimits } from "../../domain/people/workspace.ts";
import { advisoryLocks } from "../locks.ts";
import { changesRow, type Db, queryFirstRow, queryRows, queryValue } from "../query.ts";
import { nextVersion } from "../sql.ts";

const columns = sql`id, name, plan, created_at as "createdAt", requires_second_factor as "requiresSecondFactor",
  settings_version as version`;

export async function insertWorkspace(
  db: Db,
  workspace: Omit<Workspace, "requiresSecondFactor" | "version">,
): Promise<void> {
  await queryRows(db, "insertWorkspace")`insert into workspaces (id, name, plan, created_at,
    settings_version) values (${workspace.id}, ${workspace.name}, ${workspace.plan}, ${workspace.createdAt},
      ${workspace.createdAt.getTime()})`;
}

export function listWorkspaces(db: Db): Promise<Workspace[]> {
  return queryRows(db, "listWorkspaces")`select ${columns} from workspaces order by id`;
}

export function findWorkspace(db: Db, id: string): Promise<Workspace | null> {
  return queryFirstRow(db, "findWorkspace")`select ${columns} from workspaces where id = ${id}`;
}

export function findOldestWorkspace(db: Db): Promise<{ id: string } | null> {
  return queryFirstRow(db, "findOldestWorkspace")`select id from workspaces order by id limit 1`;
}

export async function updateWorkspace(
  db: Db,
  change: Omit<Workspace, "createdAt" | "version"> & { now: Date },
): Promise<void> {
  await queryRows(db, "updateWorkspace")`update workspaces
      set name = ${change.name}, plan = ${change.plan},
      requires_second_factor = ${change.requiresSecondFactor}, settings_version = ${nextVersion(change.now)}
    where id = ${change.id}`;
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
  const found = await queryFirstRow(db, "countWorkspaceContent")<WorkspaceLimits>`
    select (select count(*) from apps where workspace_id = ${query.workspaceId}) as apps,
    (select count(*) from channels where workspace_id = ${query.workspaceId}) as channels,
    (select count(*) from members where workspace_id = ${query.workspaceId}) as members,
    (select count(*) from api_keys where workspace_id = ${query.workspaceId} and revoked_at is null
       and (ends_at is null or ends_at > ${query.now})) as keys`;
  if (!found) throw new Error("a select without from gave no row");
  return found;
}

/** With its own data; its apps and channels were deleted before. */
export async function deleteWorkspace(db: Db, id: string): Promise<void> {
  await queryRows(db, "deleteWorkspace")`delete from workspaces where id = ${id}`;
}

/** Locks the workspace until the transaction ends: all operations on it take turns. False without such a workspace. */
export function lockWorkspace(db: Db, id: string): Promise<boolean> {
  return changesRow(db, "lockWorkspace")`select id from workspaces
    where id = ${id} for no key update`;
}

/** False while another rehearsal of the workspace runs. */
export async function lockRehearsal(db: Db, workspaceId: string): Promise<boolean> {
  const isLocked = await queryValue(db, "lockRehearsal")<boolean>`
    select pg_try_advisory_xact_lock(${advisoryLocks.rehearsal}, hashtext(${workspaceId}))`;
  return isLocked === true;
}

/** Two transactions that create a workspace of one name take turns: the second finds the workspace of the first. */
export async function lockWorkspaceName(db: Db, name: string): Promise<void> {
  await queryRows(db, "lockWorkspaceName")`
    select pg_advisory_xact_lock(${advisoryLocks.workspaceName}, hashtext(${name}))`;
}

// Members of workspaces and their roles.

/** False for a member already; their role stays. */
export function insertMember(
  db: Db,
  member: { workspaceId: string; userId: string; role: MemberRole; joinedAt: Date },
): Promise<boolean> {
  return changesRow(db, "insertMember")`insert into members (workspace_id, user_id, role, joined_at)
    values (${member.workspaceId}, ${member.userId}, ${member.role}, ${member.joinedAt})
    on conflict do nothing`;
}

/** In the order of their joining. */
export function listMembers(db: Db, workspaceId: string): Promise<Member[]> {
  return queryRows(db, "listMembers")`select m.user_id as "userId", u.name, u.email, m.role,
      m.joined_at as "joinedAt", f.confirmed_at is not null as "hasSecondFactor", m.settings_version as version
    from members m join users u on u.id = m.user_id left join second_factors f on f.id = u.id
    where m.workspace_id = ${workspaceId} order by m.joined_at, m.user_id`;
}

const membershipColumns = sql`w.id, w.name, w.plan, m.role, w.requires_second_factor and not exists (
    select from second_factors f where f.id = m.user_id and f.confirmed_at is not null
  ) as "mustSetUpSecondFactor"`;

/** Workspaces of a user, by name. */
export function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  return queryRows(db, "listMemberships")`select ${membershipColumns} from members m
      join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId} order by lower(w.name), w.id`;
}

export function findMembership(
  db: Db,
  query: { userId: string; workspaceId: string },
): Promise<Membership | null> {
  return queryFirstRow(db, "findMembership")`select ${membershipColumns} from members m
      join workspaces w on w.id = m.workspace_id
    where m.user_id = ${query.userId} and m.workspace_id = ${query.workspaceId}`;
}

export async function setMemberRole(
  db: Db,
  change: { workspaceId: string; userId: string; role: MemberRole; now: Date },
): Promise<void> {
  await queryRows(db, "setMemberRole")`update members set role = ${change.role},
      settings_version = ${nextVersion(change.now)}
    where workspace_id = ${change.workspaceId} and user_id = ${change.userId}`;
}

/**
 * Records that the member is here, and returns when they last were before this visit; null on the first one. A member who
 * was last here before `endedBefore` begins a new visit.
 */
export function recordVisit(
  db: Db,
  visit: { workspaceId: string; userId: string; now: Date; endedBefore: Date },
): Promise<Date | null> {
  return queryValue(db, "recordVisit")<Date>`update members set
      previous_visit_at = case when visited_at < ${visit.endedBefore} then visited_at else previous_visit_at end,
      visited_at = greatest(visited_at, ${visit.now})
    where workspace_id = ${visit.workspaceId} and user_id = ${visit.userId}
    returning previous_visit_at`;
}

export async function deleteMember(
  db: Db,
  member: { workspaceId: string; userId: string },
): Promise<void> {
  const { workspaceId, userId } = member;
  await queryRows(db, "deleteMember")`delete from members
    where workspace_id = ${workspaceId} and user_id = ${userId}`;
}

/** Workspaces without members, oldest first: made by the operator before the first user signed in. */
export function listUnclaimedWorkspaces(db: Db): Promise<{ id: string; name: string }[]> {
  return queryRows(db, "listUnclaimedWorkspaces")`select id, name from workspaces w
    where not exists (select from members m where m.workspace_id = w.id) order by id limit 100`;
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
  await queryRows(db, "insertInvitation")`insert into invitations (id, token_hash, workspace_id,
      email, role, invited_by, created_at, ends_at)
    values (${invitation.id}, ${invitation.tokenHash}, ${invitation.workspaceId}, ${invitation.email},
      ${invitation.role}, ${invitation.invitedById}, ${invitation.createdAt}, ${invitation.endsAt})`;
}

/** Open ones, newest first. */
export function listInvitations(
  db: Db,
  query: { workspaceId: string; now: Date },
): Promise<Invitation[]> {
  return queryRows(db, "listInvitations")`select ${invitationColumns} from ${invitationSource}
    where i.workspace_id = ${query.workspaceId} and i.ends_at > ${query.now} order by i.id desc`;
}

/** An open one, by its link. */
export function findInvitation(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<(Invitation & { workspaceName: string }) | null> {
  return queryFirstRow(db, "findInvitation")`select ${invitationColumns}, w.name as "workspaceName"
    from ${invitationSource} join workspaces w on w.id = i.workspace_id
    where i.token_hash = ${query.tokenHash} and i.ends_at > ${query.now}`;
}

/** True for one caller: a link works once. */
export function deleteInvitation(
  db: Db,
  deleted: { id: string; workspaceId: string },
): Promise<boolean> {
  return changesRow(db, "deleteInvitation")`delete from invitations where id = ${deleted.id}
      and workspace_id = ${deleted.workspaceId}`;
}

export async function insertSetupLink(
  db: Db,
  link: { tokenHash: Buffer; endsAt: Date },
): Promise<void> {
  await queryRows(db, "insertSetupLink")`insert into setup_links (token_hash, ends_at)
    values (${link.tokenHash}, ${link.endsAt})`;
}

export async function isSetupLinkOpen(
  db: Db,
  query: { tokenHash: Buffer; now: Date },
): Promise<boolean> {
  const found = await queryFirstRow(db, "isSetupLinkOpen")`select 1 as one from setup_links
      where token_hash = ${query.tokenHash} and ends_at > ${query.now}`;
  return found !== null;
}

/** Until the transaction ends, no other process can create the first user. */
export async function lockSetup(db: Db): Promise<void> {
  await queryRows(db, "lockSetup")`lock table setup_links in exclusive mode`;
}

export async function deleteSetupLinks(db: Db): Promise<void> {
  await queryRows(db, "deleteSetupLinks")`delete from setup_links`;
}
