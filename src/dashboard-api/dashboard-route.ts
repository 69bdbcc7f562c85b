// What a route of the dashboard's API is: who may ask, what may be asked, and what comes of it. The types
// hold each route to the contract's table.
import type { z } from "zod";
import type { Membership } from "../domain/user.ts";
import type { ClientInfo } from "./client-info.ts";
import type { RouteName, Routes } from "./contract/routes.ts";
import type { DashboardDeps } from "./deps.ts";
import type { IconProxy } from "./apps/icon-proxy.ts";
import type { SignedInUser, Sessions } from "./session/sessions.ts";

/** `owner` and `member` of the workspace in the path; `person`: whoever is signed in. */
export type Access = "anyone" | "person" | "member" | "owner";

type ParamOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Param}/${infer Tail}`
    ? Param | ParamOf<`/${Tail}`>
    : Rest
  : never;

type Common<Name extends RouteName> = {
  deps: DashboardDeps;
  sessions: Sessions;
  icons: IconProxy;
  client: ClientInfo;
  /** UUIDs in lower case. */
  params: Record<ParamOf<Name>, string>;
  query: Routes[Name]["query"];
  body: Routes[Name]["body"];
  /** Sets the session's cookie; null takes it away. */
  signIn(token: string | null): void;
};

export type RouteContext<Name extends RouteName, Who extends Access> = Common<Name> &
  (Who extends "anyone" ? { currentUser: SignedInUser | null } : { me: SignedInUser }) &
  (Who extends "member" | "owner" ? { workspace: Membership; actorContext: ActorContext } : unknown);

/** The rooms of a use case, with who acts. */
export type ActorContext = DashboardDeps & { actor: string };

type Schema<T> = [T] extends [never] ? null : z.ZodType<T>;

export type RouteDefinition<Name extends RouteName, Who extends Access> = {
  access: Who;
  answer(asked: RouteContext<Name, Who>): Promise<Routes[Name]["answer"] | Response>;
} & ([Routes[Name]["query"]] extends [never] ? unknown : { query: Schema<Routes[Name]["query"]> }) &
  ([Routes[Name]["body"]] extends [never] ? unknown : { body: Schema<Routes[Name]["body"]> });

/** A line of the server's table. */
export type DashboardRoute = {
  name: RouteName;
  admits: Access;
  query: z.ZodType | null;
  body: z.ZodType | null;
  answer(asked: AnyRouteContext): Promise<unknown>;
};

/** What is handed to a route at run time: `me` and `workspace` are there where it admits nobody else. */
export type AnyRouteContext = {
  deps: DashboardDeps;
  sessions: Sessions;
  icons: IconProxy;
  caller: ClientInfo;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  signIn(token: string | null): void;
  me: SignedInUser | null;
  workspace: Membership | null;
  acting: ActorContext;
};

export function route<Name extends RouteName, Who extends Access>(
  name: Name,
  choice: RouteDefinition<Name, Who>,
): DashboardRoute {
  const { access: admits, answer } = choice;
  const schemas = choice as { query?: z.ZodType; body?: z.ZodType };
  return {
    name,
    admits,
    query: schemas.query ?? null,
    body: schemas.body ?? null,
    answer: (asked) => answer(asAsked<Name, Who>(asked)),
  };
}

// The server parsed query and body with the very schemas that the types are held to, and let nobody by
// whom the route does not admit.
function asAsked<Name extends RouteName, Who extends Access>(asked: AnyRouteContext): RouteContext<Name, Who> {
  return asked as unknown as RouteContext<Name, Who>;
}
