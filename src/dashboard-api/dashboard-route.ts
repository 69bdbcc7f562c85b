// The parts of a route of the dashboard's API: who may call it, its query and body, and its handler. The types
// tie each route to the contract's table, which the pages share.
import { z } from "zod";
import type { MemberRole, Membership } from "../domain/user.ts";
import { sendingLimit as sendingBounds } from "../http/rate-limit.ts";
import { carryOut, type Outcome } from "../operations/frame.ts";
import { bodyBytesMaxDefault, limitNameOf, type Operation } from "../operations/operation.ts";
import type { NewLink } from "./contract/requests.ts";
import type { Nothing } from "./contract/route.ts";
import type { RouteName, Routes } from "./contract/routes.ts";
import type { SharedPage } from "./contract/sharing.ts";
import type { DashboardDeps } from "./deps.ts";
import type { IconProxy } from "./icon-proxy.ts";
import type { Notices } from "./notices.ts";
import type { Cookies } from "./session/cookies.ts";
import { assertRecentProof } from "./session/identity.ts";
import type { ClientInfo, Sessions, SignedInUser } from "./session/sessions.ts";

/** The least role in the workspace of the path; `user`: any signed-in user. `docs/roles.md` is made from it. */
type Access = "anyone" | "user" | MemberRole;

/** For bodies with a long list. */
export const largeBodyBytesMax = bodyBytesMaxDefault;
export const smallBodyBytesMax = 8 * 1024;

type ParamOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Param}/${infer Tail}`
    ? Param | ParamOf<`/${Tail}`>
    : Rest
  : never;

/** The pages of links; `sharing/` makes them of other pages. */
type SharedPages = {
  prepare(made: { workspaceId: string; input: NewLink }): Promise<{
    name: string;
    viewId: string | null;
    query: string;
    frozen: { page: string; reviewIds: string[] } | null;
  }>;
  open(token: string): Promise<SharedPage>;
};

/** The dependencies of handlers, which they hand to use cases. */
export type RouteDeps = DashboardDeps & {
  sessions: Sessions;
  icons: IconProxy;
  sharedPages: SharedPages;
  /** The id of the user who acts; `nobody` without a session. */
  actor: string;
};

type BaseContext = {
  deps: RouteDeps;
  client: ClientInfo;
  notices: Notices;
  cookies: Cookies;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
};

type RouteContext<Name extends RouteName, Who extends Access> = BaseContext & {
  /** UUIDs in lower case. */
  params: Record<ParamOf<Name>, string>;
  query: Routes[Name]["query"];
  body: Routes[Name]["body"];
} & (Who extends "anyone" ? { me: SignedInUser | null } : { me: SignedInUser }) &
  (Who extends MemberRole
    ? {
        workspace: Membership;
        workspaceId: string;
        /** By the last id of the path. */
        subject: { id: string; workspaceId: string };
      }
    : unknown);

/** The context at run time: `me` and `workspace` are null only where the route's access allows it. */
export type AnyRouteContext = BaseContext & {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  me: SignedInUser | null;
  workspace: Membership | null;
  workspaceId: string | null;
  subject: { id: string; workspaceId: string | null };
};

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

type RouteOptions<Param extends string = string> = {
  /** Larger bodies are refused before they are parsed; by default a few kB. */
  bodyBytesMax?: number;
  limits?: readonly RouteLimit<Param>[];
  /** The action for the audit log, where the use case records none; its subject is the last id of the path. */
  recordedAs?: string;
  /** Needs a password that was entered a short while ago: secrets, members, deletion. */
  isSensitive?: boolean;
  /** Refused where people don't sign in with passwords. */
  needsPasswords?: boolean;
};

type RouteDefinition<Name extends RouteName, Who extends Access> = {
  access: Who;
  handle(context: RouteContext<Name, Who>): Answer<Routes[Name]["response"]>;
} & RouteOptions<ParamOf<Name>> &
  ([Routes[Name]["query"]] extends [never]
    ? unknown
    : { query: z.ZodType<Routes[Name]["query"]> }) &
  ([Routes[Name]["body"]] extends [never] ? unknown : { body: z.ZodType<Routes[Name]["body"]> });

/** A line of the server's table. */
export type DashboardRoute = RouteOptions & {
  name: RouteName;
  /** The operation of the table that it carries out. */
  operation?: Operation;
  access: Access;
  query?: z.ZodType;
  body?: z.ZodType;
  handle(context: AnyRouteContext): Promise<unknown>;
};

export function route<Name extends RouteName, Who extends Access>(
  name: Name,
  definition: RouteDefinition<Name, Who>,
): DashboardRoute {
  return {
    ...definition,
    name,
    handle: (context) => definition.handle(narrow<Name, Who>(context)),
  };
}

/** With all other operations of the workspace that send something to others. */
export const sendingLimit = {
  perMinute: sendingBounds.perMinute,
  by: "workspace",
  group: sendingBounds.name,
} as const;

const noAnswer = async () => ({});

/**
 * A route that carries out an operation of the table. Its body has the fields of the operation and, of a thing that
 * exists, the version that the page was opened with: without it any version is changed.
 *
 * @throws for an operation of the operator alone, which is a bug
 */
export function operate<Name extends RouteName, Input, Result>(
  name: Name,
  operation: Operation<Input, Result>,
  answer: (
    outcome: Outcome<Result>,
    context: RouteContext<Name, MemberRole>,
  ) => Promise<unknown> = noAnswer,
  /** Where the page sends something else than the operation takes. */
  door: {
    body?: z.ZodType;
    toInput?(context: RouteContext<Name, MemberRole>): Promise<Input>;
    /** It makes another workspace than that of the path. */
    isBeside?: true;
  } = {},
): DashboardRoute {
  const { role, isSensitive, schema, limits = [], isSending, isCreation } = operation;
  if (role === null) throw new Error(`${name} is for the operator alone`);
  const fields = door.body ?? schema;
  const isChange = fields instanceof z.ZodObject && !isCreation;
  const body = isChange ? fields.extend({ version: z.int().nullish() }) : fields;
  return {
    name,
    operation,
    access: role,
    limits: [
      ...limits.map(({ perMinute, by }) => ({
        perMinute,
        by:
          by === "thing"
            ? (/:(\w+)/.exec(name.slice(name.indexOf("/:workspace/") + 12))?.[1] ?? "")
            : by,
        group: limitNameOf(operation, by),
      })),
      ...(isSending ? [sendingLimit] : []),
    ],
    ...(isSensitive && { isSensitive }),
    ...(!(schema instanceof z.ZodUndefined) && {
      body,
      bodyBytesMax: operation.bodyBytesMax ?? bodyBytesMaxDefault,
    }),
    async handle(context) {
      const { deps, body, subject, me, workspace, client } = context;
      if (!me || !workspace) throw new Error(`${name} needs a member`);
      const { version = null, ...entered } = Object(body);
      const input = (await door.toInput?.(narrow<Name, MemberRole>(context))) ?? entered;
      const outcome = await carryOut({ ...deps, loadStores: async () => deps.stores }, operation, {
        actor: {
          kind: "user",
          user: me.user,
          role: workspace.role,
          client,
          assertRecentProof: () => assertRecentProof(deps, me),
        },
        workspaceId: door.isBeside ? null : workspace.id,
        id: subject.id,
        input,
        expected: version === null ? null : { versions: [version], code: "conflict" },
      });
      return answer(outcome, narrow<Name, MemberRole>(context));
    },
  };
}

/** Actions by the last part of their paths, each of which answers with its result. */
export function operateAll<Path extends string, Actions extends Record<string, Operation>>(
  path: Path,
  actions: Actions,
): DashboardRoute[] {
  return Object.entries(actions).map(([name, action]) =>
    operate(`POST ${path}/${name}` as RouteName, action, async ({ result }) => result),
  );
}

// The server parsed query and body with the schemas that the types are tied to, and refused whom the route's
// access excludes.
function narrow<Name extends RouteName, Who extends Access>(
  context: AnyRouteContext,
): RouteContext<Name, Who> {
  return context as unknown as RouteContext<Name, Who>;
}
