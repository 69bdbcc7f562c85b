// Calls the service's routes by the names of the contract's table, so that a path, a query, a body or an
// answer that does not fit does not compile.
import type { BasePath } from "../../../src/dashboard-api/contract/route.ts";
import type { RouteName, Routes } from "../../../src/dashboard-api/contract/routes.ts";
import { request, withQuery } from "./http-request.ts";

const basePath: BasePath = "/console/api";

/** The `:names` of a path. */
type PathNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Answer<Name extends RouteName> = Routes[Name]["answer"];

export type Ask<Name extends RouteName, Filled extends string = never> = ([
  Exclude<PathNames<Name>, Filled>,
] extends [never]
  ? unknown
  : { path: Record<Exclude<PathNames<Name>, Filled>, string> }) &
  ([Routes[Name]["query"]] extends [never] ? unknown : { query?: Routes[Name]["query"] }) &
  ([Routes[Name]["body"]] extends [never] ? unknown : { body: Routes[Name]["body"] });

/** What `Ask` comes to, whatever the route. */
type Loose = { path?: Record<string, string>; query?: object; body?: unknown };

export async function call<Name extends RouteName>(
  name: Name,
  ask: Ask<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const { body } = ask as Loose;
  const [method] = name.split(" ") as ["GET" | "POST" | "PATCH" | "DELETE"];
  return request<Answer<Name>>(addressOf(name, ask), {
    method,
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
}

/** For links that the browser itself follows, such as a download. */
export function addressOf<Name extends RouteName>(name: Name, ask: Ask<Name>): string {
  const { path = {}, query = {} } = ask as Loose;
  const [, pattern = ""] = name.split(" ");
  const filled = pattern.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(path[key] ?? ""),
  );
  return withQuery(basePath + filled, query as Record<string, string>);
}
