// Who is signed in, and how users get in: set-up link, invitation, e-mail and password. A sign-in sets a cookie
// that scripts can't read.

import type {
  Invitation,
  MemberRole,
  Membership,
  Session as SessionRow,
  User as UserRow,
} from "../../domain/people/user.ts";
import type * as requests from "./requests.ts";
import type { Moment, Nothing, Route, Shown } from "./route.ts";

/** The least role of each route is in the server's table: `docs/roles.md`. */
export type Role = MemberRole;

export type User = Pick<UserRow, "id" | "email" | "name">;

/** A workspace as one of its members sees it. */
export type MyWorkspace = Membership;

export type SignedIn = {
  state: "signed_in";
  user: User;
  /** By name; empty when the user was removed from the last one. */
  workspaces: MyWorkspace[];
  /** The one that was opened last; null without any. All other routes name theirs in the path. */
  workspaceId: string | null;
  /** Whether the user owns a workspace, and fewer than one person may. */
  mayCreateWorkspace: boolean;
  /**
   * For the curl lines: where the read API is, e.g. `https://reviews.example.com/api/v1`; without
   * PUBLIC_URL it is `/api/v1`, below the origin of the page.
   */
  apiUrl: string;
  version: string;
};

export type Session =
  /** Nobody has an account yet: the one-time set-up link is in the service's log. */
  { state: "unclaimed" } | { state: "signed_out" } | SignedIn;

/** How people can sign in here. */
export type SignInWays = { hasPasswords: boolean; hasProvider: boolean };

/** Codes of an authenticator app at every sign-in. */
export type SecondFactorState = {
  /** false for users who only sign in through the provider. */
  hasPassword: boolean;
  isOn: boolean;
  since: Moment | null;
  /** How many recovery codes are left. */
  recoveryCodeCount: number;
};

export type OpenSession = Shown<SessionRow, ["id", "startedAt", "endsAt", "address"]> & {
  /** In words, like `Firefox on Linux`. */
  browser: string;
  lastSeenAt: Moment;
  isCurrent: boolean;
};

/** What the holder of an invitation link may know. */
export type InvitationOffer = Shown<Invitation, ["role", "invitedBy", "email", "endsAt"]> & {
  workspaceName: string;
};

export type SessionRoutes = {
  "GET /session": Route<Session>;
  /** Without `code` for a user with a second factor: `code_required`; send all three then. */
  "POST /session/sign-in": Route<SignedIn | { state: "code_required" }, typeof requests.signIn>;
  "GET /session/ways": Route<SignInWays>;
  /** The link is `/sign-in-link#<token>`; `code_required` as above. 404 when it was used or has ended. */
  "POST /session/sign-in-link": Route<
    SignedIn | { state: "code_required" },
    typeof requests.signInLink
  >;
  /** For 15 minutes from now the session may do what answers `reauthentication_required` otherwise. */
  "POST /session/reauthenticate": Route<Nothing, typeof requests.proof>;
  "POST /session/sign-out": Route<Nothing>;
  /**
   * Sends a link to the address if it has an account; the response is the same if not. `isMailSet` is false where the
   * service has no mail server: the operator sets a new password then.
   */
  "POST /session/forgotten-password": Route<
    { isMailSet: boolean },
    typeof requests.forgottenPassword
  >;
  /**
   * The link is `/reset#<token>`; 404 when it was used or has ended. Ends every session of the user and signs nobody in.
   */
  "POST /session/reset-password": Route<{ email: string }, typeof requests.newPassword>;
  /**
   * With the same link and the password as it is: this browser's tries to sign in count on their own, as if it had
   * signed in before. 404 as above.
   */
  "POST /session/known-browser": Route<{ email: string }, typeof requests.linkToken>;
  /** Remembers the workspace for the next visit. */
  "POST /session/workspace": Route<SignedIn, typeof requests.chosenWorkspace>;
  "PATCH /session/user": Route<SignedIn, typeof requests.userChange>;
  /** Ends every other session of the user. */
  "POST /session/password": Route<Nothing, typeof requests.passwordChange>;
  "GET /session/sessions": Route<{ sessions: OpenSession[] }>;
  "DELETE /session/sessions/:session": Route<Nothing>;
  /** All but this one. */
  "POST /session/sessions/end-others": Route<{ endedCount: number }>;

  "GET /session/second-factor": Route<SecondFactorState>;
  /** Asks for the password again. Counts once it is confirmed. 409 when there is one. */
  "POST /session/second-factor": Route<{ secret: string; uri: string }>;
  /** Ends every other session. The recovery codes are shown only here. */
  "POST /session/second-factor/confirm": Route<
    { recoveryCodes: string[] },
    typeof requests.confirmation
  >;
  /** Asks for password and code again. The codes before are void. */
  "POST /session/second-factor/recovery-codes": Route<{ recoveryCodes: string[] }>;
  /** Asks for password and code again. */
  "DELETE /session/second-factor": Route<Nothing>;

  /** The link is `/setup#<token>`: the token stays in the browser until it is sent here. */
  "POST /setup/look": Route<
    /** The first user becomes owner of workspaces without members; without any, they name a new one. */
    { isOpen: boolean; workspaceNames: string[] },
    typeof requests.linkToken
  >;
  /** Works once: creates the first user, and a workspace unless there is one, and signs in. */
  "POST /setup": Route<SignedIn, typeof requests.firstAccount>;

  /** The link is `/join#<token>`. 404 when it expired, was used or was withdrawn. */
  "POST /join/look": Route<InvitationOffer, typeof requests.linkToken>;
  /** With a new account. */
  "POST /join/sign-up": Route<SignedIn, typeof requests.newAccount>;
  /** With the account that is signed in. */
  "POST /join/accept": Route<SignedIn, typeof requests.linkToken>;
};
