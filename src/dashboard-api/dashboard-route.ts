// What a route of the dashboard's API is: who may ask, what may be asked, and what comes of it. The types
// hold each route to the contract's table.
import type { z } from "zod";
import type { Membership } from "../domain/user.ts";
import type { Caller } from "./client-info.ts";
import type { RouteName, Routes } from "./contract/routes.ts";
import type { ConsoleRooms } from "./deps.ts";
import type { IconBox } from "./apps/icon-proxy.ts";
import type { Person, Sessions } from "./session/sessions.ts";

/** `owner` and `member` of the workspace in the path; `person`: whoever is signed in. */
export type Admits = "anyone" | "person" | "member" | "owner";

type ParamOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Param}/${infer Tail}`
    ? Param | ParamOf<`/${Tail}`>
    : Rest
  : never;

type Common<Name extends RouteName> = {
  deps: ConsoleRooms;
  sessions: Sessions;
  icons: IconBox;
  caller: Caller;
  /** UUIDs in lower case. */
  params: Record<ParamOf<Name>, string>;
  query: Routes[Name]["query"];
  body: Routes[Name]["body"];
  /** Sets the session's cookie; null takes it away. */
  signIn(token: string | null): void;
};

export type Asked<Name extends RouteName, Who extends Admits> = Common<Name> &
  (Who extends "anyone" ? { me: Person | null } : { me: Person }) &
  (Who extends "member" | "owner" ? { workspace: Membership; acting: Acting } : unknown);

/** The rooms of a use case, with who acts. */
export type Acting = ConsoleRooms & { actor: string };

type Schema<T> = [T] extends [never] ? null : z.ZodType<T>;

export type RouteChoice<Name extends RouteName, Who extends Admits> = {
  admits: Who;
  answer(asked: Asked<Name, Who>): Promise<Routes[Name]["answer"] | Response>;
} & ([Routes[Name]["query"]] extends [never] ? unknown : { query: Schema<Routes[Name]["query"]> }) &
  ([Routes[Name]["body"]] extends [never] ? unknown : { body: Schema<Routes[Name]["body"]> });

/** A line of the server's table. */
export type ConsoleRoute = {
  name: RouteName;
  admits: Admits;
  query: z.ZodType | null;
  body: z.ZodType | null;
  answer(asked: AnyAsked): Promise<unknown>;
};

/** What is handed to a route at run time: `me` and `workspace` are there where it admits nobody else. */
export type AnyAsked = {
  deps: ConsoleRooms;
  sessions: Sessions;
  icons: IconBox;
  caller: Caller;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  signIn(token: string | null): void;
  me: Person | null;
  workspace: Membership | null;
  acting: Acting;
};

export function route<Name extends RouteName, Who extends Admits>(
  name: Name,
  choice: RouteChoice<Name, Who>,
): ConsoleRoute {
  const { admits, answer } = choice;
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
function asAsked<Name extends RouteName, Who extends Admits>(asked: AnyAsked): Asked<Name, Who> {
  return asked as unknown as Asked<Name, Who>;
}
