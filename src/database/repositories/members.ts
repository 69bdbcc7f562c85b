// Who belongs to which workspace, and as what.
import type { Member, MemberRole, Membership } from "../../domain/user.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

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

/** Workspaces of a user, by name. */
export function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  return queryRows(
    db,
    "listMemberships",
    `select w.id, w.name, w.plan, m.role from members m join workspaces w on w.id = m.workspace_id
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
    `select w.id, w.name, w.plan, m.role from members m join workspaces w on w.id = m.workspace_id
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
