// Calls the routes of the dashboard API by their names in the contract. A path, query or body that does not
// fit the contract does not compile.

import type { RouteName, Routes } from "../../../src/app/dashboard-routes.ts";
import type { BasePath } from "../../../src/dashboard-api/contract/route.ts";
import { sendRequest, takeEarly, withQuery } from "./http-request.ts";
import { withReauthentication } from "./reauthentication.ts";

const basePath: BasePath = "/console/api";

/** The `:names` of a path. */
type PathNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type RouteResponse<Name extends RouteName> = Routes[Name]["response"];

/** The input of a route: path names (all but those already `Filled`), query and body. */
export type RequestInput<Name extends RouteName, Filled extends string = never> = ([
  Exclude<PathNames<Name>, Filled>,
] extends [never]
  ? unknown
  : { path: Record<Exclude<PathNames<Name>, Filled>, string> }) &
  ([Routes[Name]["query"]] extends [never] ? unknown : { query?: Routes[Name]["query"] }) &
  ([Routes[Name]["body"]] extends [never] ? unknown : { body: Routes[Name]["body"] });

/** The type that every `RequestInput` is assignable to. */
type AnyRequestInput = { path?: Record<string, string>; query?: object; body?: unknown };

/** The requests of the questions themselves. */
const askingRoutes: readonly RouteName[] = [
  "GET /session/ways",
  "GET /session/second-factor",
  "POST /session/sign-in",
  "POST /session/reauthenticate",
];

/**
 * Where the service wants the password once more, or the session has ended, the user is asked first.
 *
 * @throws RequestError
 */
export function callApi<Name extends RouteName>(
  name: Name,
  input: RequestInput<Name>,
  signal?: AbortSignal,
): Promise<RouteResponse<Name>> {
  const { body } = input as AnyRequestInput;
  const [method] = name.split(" ") as ["GET" | "POST" | "PATCH" | "DELETE"];
  const send = () =>
    sendRequest<RouteResponse<Name>>(routeUrl(name, input), { method, body, signal });
  return askingRoutes.includes(name) ? send() : withReauthentication(send);
}

/** The initial data of a query whose request start.js began: the first rendering has it if it has arrived. */
export function beginWith<Name extends RouteName>(name: Name, input: RequestInput<Name>) {
  return {
    initialData: () => takeEarly<RouteResponse<Name>>(routeUrl(name, input)),
    initialDataUpdatedAt: performance.timeOrigin,
  };
}

/** The URL of a route, for links that the browser itself follows, such as a download. */
export function routeUrl<Name extends RouteName>(name: Name, input: RequestInput<Name>): string {
  const { path = {}, query = {} } = input as AnyRequestInput;
  const [, pattern = ""] = name.split(" ");
  const filled = pattern.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(path[key] ?? ""),
  );
  return withQuery(basePath + filled, query as Record<string, string>);
}
