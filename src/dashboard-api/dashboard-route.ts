// The parts of a route of the dashboard's API: who may call it, its query and body, and its handler. The types
// tie each route to the contract's table, which the pages share.
import type { z } from "zod";
import type { MemberRole, Membership } from "../domain/user.ts";
import type { IconProxy } from "./apps/icon-proxy.ts";
import type { Nothing } from "./contract/route.ts";
import type { RouteName, Routes } from "./contract/routes.ts";
import type { DashboardDeps } from "./deps.ts";
import type { Notices } from "./notices.ts";
import type { ClientInfo, Sessions, SignedInUser } from "./session/sessions.ts";
import type { SharedPages } from "./sharing/shared-pages.ts";

/** The least role in the workspace of the path; `user`: any signed-in user. `docs/roles.md` is made from it. */
export type Access = "anyone" | "user" | MemberRole;

/** For clients that are not signed in: an account with its password and a token fits. */
const anonymousBodyBytesMax = 4 * 1024;
const smallBodyBytesMax = 8 * 1024;
/** For bodies with a key file or a long list of apps. */
export const largeBodyBytesMax = 64 * 1024;

type ParamOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Param}/${infer Tail}`
    ? Param | ParamOf<`/${Tail}`>
    : Rest
  : never;

type BaseContext = {
  deps: DashboardDeps;
  sessions: Sessions;
  icons: IconProxy;
  sharedPages: SharedPages;
  client: ClientInfo;
  notices: Notices;
  /** Sets the session's cookie; null removes it. */
  setSessionCookie(token: string | null): void;
  /** The token that this browser got at an earlier sign-in: see `session/browser-token.ts`. */
  browserToken: string | null;
  setBrowserCookie(token: string): void;
  /** What the browser keeps while the user is at the sign-in provider: see `session/provider-attempt.ts`. */
  setAttemptCookie(sealed: string): void;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
};

/** The dependencies of a use case, with the id of the user who acts. */
export type ActorContext = DashboardDeps & { actor: string };

export type RouteContext<Name extends RouteName, Who extends Access> = BaseContext & {
  /** UUIDs in lower case. */
  params: Record<ParamOf<Name>, string>;
  query: Routes[Name]["query"];
  body: Routes[Name]["body"];
} & (Who extends "anyone" ? { me: SignedInUser | null } : { me: SignedInUser }) &
  (Who extends MemberRole
    ? { workspace: Membership; workspaceId: string; actorContext: ActorContext }
    : unknown);

/** The context at run time: `me` and `workspace` are null only where the route's access allows it. */
export type AnyRouteContext = BaseContext & {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  me: SignedInUser | null;
  workspace: Membership | null;
  workspaceId: string | null;
  actorContext: ActorContext;
};

type Schema<T> = [T] extends [never] ? null : z.ZodType<T>;

/** How often a route may be called in one minute for one thing that its path names. */
export type RouteLimit<Param extends string = string> = {
  perMinute: number;
  by: Param;
  /** Routes of one group count together. */
  group?: string;
};

type Answer<Body> = [Body] extends [Nothing] ? Promise<void> : Promise<Dated<Body> | Response>;

/** The values that a handler may return as JSON: where that has text, also a date, which is sent as a timestamp. */
type Dated<T> = T extends string
  ? string extends T
    ? string | Date
    : T
  : T extends readonly (infer Item)[]
    ? readonly Dated<Item>[]
    : T extends object
      ? { [Name in keyof T]: Dated<T[Name]> }
      : T;

type RouteDefinition<Name extends RouteName, Who extends Access> = {
  access: Who;
  handle(context: RouteContext<Name, Who>): Answer<Routes[Name]["response"]>;
  /** Larger bodies are refused before they are parsed; by default a few kB. */
  bodyBytesMax?: number;
  limits?: readonly RouteLimit<ParamOf<Name>>[];
  /** The action for the audit log, where the use case records none; its subject is the last id of the path. */
  recordedAs?: string;
  /** Needs a password that was entered a short while ago: secrets, members, deletion. */
  isSensitive?: boolean;
  /** Refused where people don't sign in with passwords. */
  needsPasswords?: boolean;
} & ([Routes[Name]["query"]] extends [never] ? unknown : { query: Schema<Routes[Name]["query"]> }) &
  ([Routes[Name]["body"]] extends [never] ? unknown : { body: Schema<Routes[Name]["body"]> });

/** A line of the server's table. */
export type DashboardRoute = {
  name: RouteName;
  access: Access;
  query: z.ZodType | null;
  body: z.ZodType | null;
  bodyBytesMax: number;
  limits: readonly RouteLimit[];
  recordedAs: string | null;
  isSensitive: boolean;
  needsPasswords: boolean;
  handle(context: AnyRouteContext): Promise<unknown>;
};

export function route<Name extends RouteName, Who extends Access>(
  name: Name,
  definition: RouteDefinition<Name, Who>,
): DashboardRoute {
  const { access, handle, limits = [], recordedAs = null } = definition;
  const { isSensitive = false, needsPasswords = false } = definition;
  const { bodyBytesMax = access === "anyone" ? anonymousBodyBytesMax : smallBodyBytesMax } =
    definition;
  const { query = null, body = null } = definition as { query?: z.ZodType; body?: z.ZodType };
  return {
    name,
    access,
    query,
    body,
    bodyBytesMax,
    limits,
    recordedAs,
    isSensitive,
    needsPasswords,
    handle: (context) => handle(narrow<Name, Who>(context)),
  };
}

// The server parsed query and body with the schemas that the types are tied to, and refused whom the route's
// access excludes.
function narrow<Name extends RouteName, Who extends Access>(
  context: AnyRouteContext,
): RouteContext<Name, Who> {
  return context as unknown as RouteContext<Name, Who>;
}
