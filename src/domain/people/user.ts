// Users, their membership in workspaces, their sessions, and invitations.
import type { Plan } from "./workspace.ts";

/**
 * Each may do what the next one may: a viewer reads pages, a member also works with reviews, apps and channels, and an
 * owner deletes things, sees secrets and manages people. `docs/roles.md` lists every route.
 */
export const memberRoles = ["owner", "member", "viewer"] as const;
export type MemberRole = (typeof memberRoles)[number];

export function hasRole(role: MemberRole, needed: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(needed);
}

export type User = {
  id: string;
  /** Lower case. */
  email: string;
  name: string;
  createdAt: Date;
  /** When a link sent to the address was used, or when the operator made the account; null: neither. */
  emailConfirmedAt: Date | null;
  /** The workspace that was selected last. */
  workspaceId: string | null;
};

export type NewUser = Pick<User, "id" | "email" | "name" | "createdAt"> &
  Partial<Pick<User, "emailConfirmedAt">> & {
    passwordHash: string;
  };

export type Member = {
  userId: string;
  name: string;
  email: string;
  role: MemberRole;
  hasSecondFactor: boolean;
  joinedAt: Date;
  /** Rises with each change of the role. */
  version: number;
};

/** A workspace as one of its members sees it. */
export type Membership = {
  id: string;
  name: string;
  plan: Plan;
  role: MemberRole;
  /** The workspace requires a second factor, and the user has none: nothing of it is answered. */
  mustSetUpSecondFactor: boolean;
};

export type Session = {
  id: string;
  userId: string;
  startedAt: Date;
  seenAt: Date;
  endsAt: Date;
  /** When the user last entered their password, and code, in it. */
  provedAt: Date;
  address: string;
  browser: string;
};

export type Invitation = {
  id: string;
  workspaceId: string;
  /** null: anyone who has the link. */
  email: string | null;
  role: MemberRole;
  invitedById: string;
  invitedBy: string;
  createdAt: Date;
  endsAt: Date;
};

export type SecondFactor = {
  /** The user's id. */
  id: string;
  encryptedSecret: Buffer;
  /** null until a first code showed that the app has the secret. */
  confirmedAt: Date | null;
  /** The step of the code that was used last. */
  lastStep: number;
};
