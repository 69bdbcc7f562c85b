// The parts of a route of the dashboard's API: who may call it, its query and body, and its handler. The types
// tie each route to the contract's table, which the pages share.
import { z } from "zod";
import type { MemberRole, Membership } from "../domain/people/user.ts";
import { sendingLimit as sendingBounds } from "../http/rate-limit.ts";
import type { Upload } from "../http/upload.ts";
import { carryOut, type Outcome } from "../operations/frame.ts";
import { bodyBytesMaxDefault, limitNameOf, type Operation } from "../operations/operation.ts";
import type { Nothing } from "./contract/route.ts";
import type { RouteName, Routes } from "./contract/routes.ts";
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

/** The dependencies of handlers, which they hand to use cases. */
export type RouteDeps = DashboardDeps & {
  sessions: Sessions;
  icons: IconProxy;
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
  /** The body of a route that takes a file. */
  openUpload(bytesMax: number): Upload;
};

/** A contract: the query, the body and the answer of routes by their names. */
type Contract<Table> = Record<keyof Table, { query: unknown; body: unknown; response: unknown }>;

type RouteContext<
  Table extends Contract<Table>,
  Name extends keyof Table & string,
  Who extends Access,
> = BaseContext & {
  /** UUIDs in lower case. */
  params: Record<ParamOf<Name>, string>;
  query: Table[Name]["query"];
  body: Table[Name]["body"];
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

/** How often a route may be called in one minute for one resource that its path names. */
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
  /** Needs a password that was entered a short while ago: secrets, members, deletion. */
  isSensitive?: boolean;
  /** Refused where people don't sign in with passwords. */
  needsPasswords?: boolean;
};

type RouteDefinition<
  Table extends Contract<Table>,
  Name extends keyof Table & string,
  Who extends Access,
> = {
  access: Who;
  handle(context: RouteContext<Table, Name, Who>): Answer<Table[Name]["response"]>;
} & RouteOptions<ParamOf<Name>> &
  ([Table[Name]["query"]] extends [never] ? unknown : { query: z.ZodType<Table[Name]["query"]> }) &
  ([Table[Name]["body"]] extends [never] ? unknown : { body: z.ZodType<Table[Name]["body"]> });

/** A line of the server's table. */
export type DashboardRoute = RouteOptions & {
  name: string;
  /** The operation of the table that it carries out. */
  operation?: Operation;
  access: Access;
  query?: z.ZodType;
  body?: z.ZodType;
  handle(context: AnyRouteContext): Promise<unknown>;
};

/** With all other operations of the workspace that send something to others. */
export const sendingLimit = {
  perMinute: sendingBounds.perMinute,
  by: "workspace",
  group: sendingBounds.name,
} as const;

type Answering<Context, Result> = (outcome: Outcome<Result>, context: Context) => Promise<unknown>;

/** Where the page sends something else than the operation takes. */
type Door<Context, Input> = {
  body?: z.ZodType;
  /** In place of a body. */
  query?: z.ZodType;
  toInput?(context: Context): Promise<Input>;
  /** It makes another workspace than that of the path. */
  isBeside?: true;
  /** In place of `toInput`, for long work that answers while it runs. */
  answerLong?(
    context: Context,
    run: (input: Input) => Promise<Outcome<unknown>>,
  ): Promise<Response>;
};

const noAnswer = async () => ({});

/**
 * A route that carries out an operation of the table. Its body has the fields of the operation and, of a resource that
 * exists, the version that the page was opened with: without it any version is changed.
 *
 * @throws for an operation of the operator alone, which is a bug
 */
function toOperationRoute<Context, Input, Result>({
  name,
  operation,
  answer = noAnswer,
  door = {},
}: {
  name: string;
  operation: Operation<Input, Result>;
  answer: Answering<Context, Result> | undefined;
  door: Door<Context, Input> | undefined;
}): DashboardRoute {
  const { role, isSensitive, schema, limits = [], isSending, target } = operation;
  if (role === null) throw new Error(`${name} is for the operator alone`);
  const fields = door.body ?? schema;
  const isChange = fields instanceof z.ZodObject && target === "one";
  const body = isChange ? fields.extend({ version: z.int().nullish() }) : fields;
  return {
    name,
    operation,
    access: role,
    limits: [
      ...limits.map(({ perMinute, by }) => ({
        perMinute,
        by:
          by === "resource"
            ? (/:(\w+)/.exec(name.slice(name.indexOf("/:workspace/") + 12))?.[1] ?? "")
            : by,
        group: limitNameOf(operation, by),
      })),
      ...(isSending ? [sendingLimit] : []),
    ],
    ...(isSensitive && { isSensitive }),
    ...(door.query && { query: door.query }),
    ...(!door.query &&
      !(schema instanceof z.ZodUndefined) && {
        body,
        bodyBytesMax: operation.bodyBytesMax ?? bodyBytesMaxDefault,
      }),
    async handle(context) {
      const { deps, body, subject, me, workspace, client } = context;
      if (!me || !workspace) throw new Error(`${name} needs a member`);
      const { version = null, ...entered } = Object(body);
      const run = (input: Input) =>
        carryOut({ ...deps, loadStores: async () => deps.stores }, operation, {
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
      if (door.answerLong) return door.answerLong(narrow<Context>(context), run);
      const input = (await door.toInput?.(narrow<Context>(context))) ?? entered;
      return answer(await run(input), narrow<Context>(context));
    },
  };
}

/** The makers of routes whose types are tied to a contract: that of the core, or of a feature. */
export function routesOf<Table extends Contract<Table>>() {
  return {
    route<Name extends keyof Table & string, Who extends Access>(
      name: Name,
      definition: RouteDefinition<Table, Name, Who>,
    ): DashboardRoute {
      return {
        ...definition,
        name,
        handle: (context) => definition.handle(narrow<RouteContext<Table, Name, Who>>(context)),
      };
    },
    operate<Name extends keyof Table & string, Input, Result>(
      name: Name,
      operation: Operation<Input, Result>,
      answer?: Answering<RouteContext<Table, Name, MemberRole>, Result>,
      door?: Door<RouteContext<Table, Name, MemberRole>, Input>,
    ): DashboardRoute {
      return toOperationRoute({ name, operation, answer, door });
    },
  };
}

export const { route, operate } = routesOf<Routes>();

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
function narrow<Context>(context: AnyRouteContext): Context {
  return context as unknown as Context;
}
