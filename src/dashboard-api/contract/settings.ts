// Settings of a workspace: its name, members, and the state of the providers.

import type { Invitation as InvitationRow, Member as MemberRow } from "../../domain/people/user.ts";
import type { Workspace as WorkspaceRow } from "../../domain/people/workspace.ts";
import type { ProviderStatus } from "../../domain/review/provider.ts";
import type { inviteMember, setMemberRole } from "../../operations/member.ts";
import type { changeWorkspace } from "../../operations/workspace.ts";
import type { newWorkspace } from "./requests.ts";
import type { Carries, Changes, Json, Nothing, Owned, Route, Shown } from "./route.ts";
import type { Role, SignedIn } from "./session.ts";

export type Workspace = Json<WorkspaceRow>;

export type Member = Json<Omit<MemberRow, "hasSecondFactor">> & {
  /** null unless an owner looks. */
  hasSecondFactor: boolean | null;
  isMe: boolean;
};

export type Invitation = Omit<Owned<InvitationRow>, "invitedById">;

export const providerFields = [
  "kind",
  "provider",
  "status",
  "goodAt",
  "restsUntil",
  "usedToday",
  "dayMax",
  "unit",
] as const;

/** A provider of the whole installation, by the operator's settings. */
export type ProviderState = Shown<ProviderStatus, typeof providerFields>;

export type SettingsRoutes = {
  "GET /workspaces/:workspace/settings": Route<{
    workspace: Workspace;
    role: Role;
    providers: ProviderState[];
  }>;
  /**
   * Owner. To change whether a second factor is required needs a recent password, and a second factor of the user's own:
   * 409 without.
   */
  "PATCH /workspaces/:workspace/settings": Changes<
    { workspace: Workspace },
    typeof changeWorkspace
  >;
  /**
   * Owner, who owns the new one as well. It has the plan of new workspaces. 409 for a user who owns as many as one person
   * may.
   */
  "POST /workspaces/:workspace/workspaces": Route<SignedIn, typeof newWorkspace>;
  /** Owner. With everything in it; accounts of people stay. */
  "DELETE /workspaces/:workspace": Route<Nothing>;
  "GET /workspaces/:workspace/members": Route<{ members: Member[] }>;
  /** Owner. 409 for the last owner. */
  "PATCH /workspaces/:workspace/members/:user": Changes<
    { members: Member[] },
    typeof setMemberRole
  >;
  /**
   * Owner, or the user themselves. 409 for the last owner. Links that the user made end; channels and API keys stay, and
   * are listed.
   */
  "DELETE /workspaces/:workspace/members/:user": Route<{
    channels: { id: string; name: string }[];
    keys: { id: string; name: string }[];
  }>;
  /** Owner. Only open ones. */
  "GET /workspaces/:workspace/invitations": Route<{
    invitations: Invitation[];
    /** Whether invitations for an address are sent to it: with a mail server and PUBLIC_URL. */
    isMailSet: boolean;
  }>;
  /**
   * Owner. `link` is shown only here, works once and for 7 days; without PUBLIC_URL it is a path. `mail` says what came of
   * the e-mail; null when none was sent.
   */
  "POST /workspaces/:workspace/invitations": Carries<
    {
      invitation: Invitation;
      link: string;
      mail: { isSent: boolean; reason: string | null } | null;
    },
    typeof inviteMember
  >;
  /** Owner. */
  "DELETE /workspaces/:workspace/invitations/:invitation": Route<Nothing>;
};
