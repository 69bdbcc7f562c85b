// Invitations into workspaces and set-up links for the first user, both by the SHA-256 of their token.
import type { Invitation } from "../../domain/user.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

const columns = `i.id, i.workspace_id as "workspaceId", i.email, i.role,
  i.invited_by as "invitedById", u.name as "invitedBy", i.created_at as "createdAt",
  i.ends_at as "endsAt"`;
// An invitation ends when whoever gave it stops being an owner.
const source = `invitations i join users u on u.id = i.invited_by
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
    `select ${columns} from ${source}
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
    `select ${columns}, w.name as "workspaceName"
     from ${source} join workspaces w on w.id = i.workspace_id
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

/** Until the transaction ends, nobody else can create the first user. */
export async function lockSetup(db: Db): Promise<void> {
  await queryRows(db, "lockSetup", "lock table setup_links in exclusive mode");
}

export async function deleteSetupLinks(db: Db): Promise<void> {
  await queryRows(db, "deleteSetupLinks", "delete from setup_links");
}
