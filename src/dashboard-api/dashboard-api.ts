// The dashboard as one Hono app, to be mounted at the root: its JSON below /console/api and its pages.
import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { AppError } from "../domain/error.ts";
import { isUuid } from "../lib/uuid.ts";
import { clientInfo, requireSameSite } from "./client-info.ts";
import { createSessionCookie, type SessionCookie } from "./session/session-cookie.ts";
import type { AnyRouteContext, DashboardRoute } from "./dashboard-route.ts";
import type { DashboardDeps } from "./deps.ts";
import { type IconProxy, createIconProxy } from "./apps/icon-proxy.ts";
import { toProblem } from "./problem.ts";
import { readBody, readQuery } from "./request.ts";
import { routes } from "./routes.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { createSessions, type Sessions, sessionMs } from "./session/sessions.ts";
import { type PageFiles, servePages } from "../http/static-files.ts";

const basePath = "/console/api";

export type DashboardApi = Hono & {
  /** The page for a path that nothing else answers, when a browser asks for one; else null. */
  servePage(context: Context): Promise<Response> | null;
};

type Serving = {
  deps: DashboardDeps;
  sessions: Sessions;
  icons: IconProxy;
  cookie: SessionCookie;
  headers: Readonly<Record<string, string>>;
  find(method: string, path: string): Found;
};

export function createDashboardApi(open: { deps: DashboardDeps; files: PageFiles }): DashboardApi {
  const { deps, files } = open;
  const { publicUrl } = deps.settings;
  const serving: Serving = {
    deps,
    sessions: createSessions(deps),
    icons: createIconProxy(deps),
    cookie: createSessionCookie(publicUrl),
    headers: securityHeaders(publicUrl),
    find: indexRoutes(routes),
  };
  const app = new Hono();
  app.all(`${basePath}/*`, (context) => serveRoute(serving, context));
  const pages = servePages(files, serving.headers);
  for (const path of pages.paths) app.get(path, (context) => pages.answerFile(context, path));
  return Object.assign(app, { servePage: pages.answerPage });
}

async function serveRoute(serving: Serving, context: Context): Promise<Response> {
  const requestId = randomUUID();
  const headers = new Headers({ ...serving.headers, "X-Request-Id": requestId });
  headers.set("Cache-Control", "no-store");
  try {
    requireSameSite(context, serving.deps.settings.publicUrl);
    const answer = await answerRoute(serving, { context, headers });
    if (!(answer instanceof Response)) {
      headers.set("Content-Type", "application/json");
      return new Response(JSON.stringify(answer), { headers });
    }
    for (const [name, value] of answer.headers) headers.set(name, value);
    return new Response(answer.body, { status: answer.status, headers });
  } catch (error) {
    return answerProblem(serving, { error, requestId, headers });
  }
}

async function answerRoute(
  serving: Serving,
  asked: { context: Context; headers: Headers },
): Promise<unknown> {
  const { context, headers } = asked;
  const { deps, sessions, icons, cookie } = serving;
  const { route, params } = requireRoute(serving, context);
  const caller = clientInfo(context);
  const token = cookie.read(context);
  const me = token === null ? null : await sessions.find(token, caller);
  if (route.admits !== "anyone" && !me) throw new AppError("unauthorized", "sign in first");
  const workspace =
    me && params["workspace"] !== undefined
      ? await deps.database.findMembership({ userId: me.user.id, workspaceId: params["workspace"] })
      : null;
  if (params["workspace"] !== undefined && !workspace) throw nothingThere();
  if (route.admits === "owner" && workspace?.role !== "owner") {
    throw new AppError("forbidden", "only an owner of the workspace may do this");
  }
  const given: AnyRouteContext = {
    deps,
    sessions,
    icons,
    caller,
    params,
    query: readQuery(route.query, context),
    body: await readBody(route.body, context),
    signIn: (token) => headers.set("Set-Cookie", cookie.write(token, sessionMs)),
    me,
    workspace,
    acting: { ...deps, actor: me?.user.id ?? "nobody" },
  };
  return route.answer(given);
}

type Found = { route: DashboardRoute; params: Record<string, string> } | { methods: string[] };

function requireRoute(
  serving: Serving,
  context: Context,
): { route: DashboardRoute; params: Record<string, string> } {
  const { method, path } = context.req;
  const found = serving.find(method === "HEAD" ? "GET" : method, path.slice(basePath.length));
  if ("route" in found) return found;
  if (found.methods.length === 0) throw nothingThere();
  throw new AppError("method_not_allowed", `only ${found.methods.join(", ")} is answered here`);
}

/** An unknown path, a malformed id and somebody else's thing look the same. */
function nothingThere(): AppError {
  return new AppError("not_found", "there is nothing here, or not for you");
}

function indexRoutes(table: readonly DashboardRoute[]): Serving["find"] {
  const lines = table.map((route) => {
    const [method = "", path = ""] = route.name.split(" ");
    return { route, method, parts: path.split("/") };
  });
  return (method, path) => {
    const parts = path.split("/");
    // Fixed words before parameters: the table names `…/channels/preview` before `…/channels/:channel`.
    const fitting = lines.flatMap((line) => {
      const params = matchParts(line.parts, parts);
      return params ? [{ ...line, params }] : [];
    });
    const found = fitting.find((line) => line.method === method);
    return found ?? { methods: [...new Set(fitting.map((line) => line.method))] };
  };
}

/** Every parameter is an id. */
function matchParts(
  parts: readonly string[],
  stated: readonly string[],
): Record<string, string> | null {
  if (parts.length !== stated.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const text = stated[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== text) return null;
    } else if (isUuid(text)) params[part.slice(1)] = text.toLowerCase();
    else return null;
  }
  return params;
}

function answerProblem(
  serving: Serving,
  failed: { error: unknown; requestId: string; headers: Headers },
): Response {
  const { error, requestId, headers } = failed;
  const problem = toProblem(error, requestId);
  const { log } = serving.deps;
  if (problem.code === "internal") log.error({ err: error, requestId }, "a request failed");
  if (problem.code === "unavailable") {
    log.warn({ reason: String(error), requestId }, "a request was turned away");
  }
  headers.set("Content-Type", "application/problem+json");
  if (problem.retryAfter !== undefined) headers.set("Retry-After", String(problem.retryAfter));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
