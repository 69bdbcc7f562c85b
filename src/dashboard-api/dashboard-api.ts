// The dashboard as one Hono app, to be mounted at the root: its JSON below /console/api and its pages. Every
// line of the routes' table is a Hono route that runs: session, access, query, body, handler.

import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { type RequestIdVariables, requestId } from "hono/request-id";
import type { z } from "zod";
import { AppError } from "../domain/error.ts";
import { hasRole } from "../domain/people/user.ts";
import { failFields, parseInput } from "../domain/validation-errors.ts";
import { createClientIp } from "../http/client-ip.ts";
import { markAuthenticated } from "../http/document-limit.ts";
import { readJsonBody } from "../http/json-body.ts";
import { requireKnownHost } from "../http/known-host.ts";
import { MethodNotAllowedError, problemResponse } from "../http/problem.ts";
import { queryStringOf } from "../http/request.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { createStaticPages, type StaticFiles } from "../http/static-files.ts";
import { openUpload } from "../http/upload.ts";
import { type AnyRouteContext, type DashboardRoute, smallBodyBytesMax } from "./dashboard-route.ts";
import type { DashboardDeps } from "./deps.ts";
import { createIconProxy } from "./icon-proxy.ts";
import { createNotices } from "./notices.ts";
import { toProblem } from "./problem.ts";
import { publicParts } from "./public-parts.ts";
import { createRequestLimits } from "./request-limits.ts";
import { routes } from "./routes.ts";
import { createCookies } from "./session/cookies.ts";
import { assertRecentProof } from "./session/identity.ts";
import { browserOf, createSessions } from "./session/sessions.ts";
import { isBeforeSignIn } from "./session/sign-in-pages.ts";
import { toJson } from "./show.ts";

const basePath = "/console/api";

export type DashboardApi = Hono & {
  /** The page for a path that nothing else answers, when a browser asks for one; else null. */
  servePage(context: Context): Promise<Response> | null;
};

// The pages load nothing from elsewhere and can't be framed.
const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:"],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

export function createDashboardApi({
  deps,
  files,
}: {
  deps: DashboardDeps;
  files: StaticFiles;
}): DashboardApi {
  const referrerPolicy = "same-origin";
  const security = securityHeaders({ contentSecurityPolicy, referrerPolicy });
  const openCookies = createCookies(deps.settings.publicUrl);
  const pages = createStaticPages(files, {
    security,
    chooseDocument(context) {
      const hasSession = openCookies(context).read("session") !== null;
      return isBeforeSignIn(context.req.path, hasSession) ? "/sign-in.html" : "/index.html";
    },
  });
  const control = { ...deps, database: deps.database.control() };
  const app = new Hono();
  app.route(basePath, createJsonApi(deps, security));
  for (const { path, create } of publicParts) app.route(path, create(control));
  for (const path of pages.paths) app.get(path, (context) => pages.serveFile(context, path));
  return Object.assign(app, { servePage: pages.servePage });
}

type JsonApi = Hono<{ Variables: RequestIdVariables }>;

function createJsonApi(deps: DashboardDeps, security: MiddlewareHandler): JsonApi {
  const api: JsonApi = new Hono();
  // Without a header name it takes no id from the client.
  api.use(requestId({ headerName: "" }), security, setCommonHeaders);
  api.use(compressAnswers);
  api.use(requireKnownHost(deps.settings), requireSameOrigin(deps.settings.publicUrl));
  const handle = createRouteHandler(deps);
  const methodsOf = new Map<string, string[]>();
  for (const route of routes) {
    const [method = "", path = ""] = route.name.split(" ");
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
    api.on(method, toHonoPath(path), (context) => handle(route, context));
  }
  for (const [path, methods] of methodsOf) {
    api.all(toHonoPath(path), () => {
      throw new MethodNotAllowedError(`only ${methods.join(", ")} is answered here`, methods);
    });
  }
  api.all("*", () => {
    throw notFoundError();
  });
  api.onError((error, context) => {
    const problem = toProblem(error, context.get("requestId"));
    return problemResponse(problem, { log: deps.log, error });
  });
  return api;
}

const gzip = compress();

/**
 * Answers that pages read: an overview shrinks to an eighth. Answers to POST are left as they are: they may have a
 * secret beside text of others, and their length would reveal how similar the two are.
 */
const compressAnswers: MiddlewareHandler = (context, next) =>
  context.req.method === "GET" ? gzip(context, next) : next();

const setCommonHeaders: MiddlewareHandler<{ Variables: RequestIdVariables }> = async (
  context,
  next,
) => {
  await next();
  const { headers } = context.res;
  headers.set("X-Request-Id", context.get("requestId"));
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
};

const uuidPattern = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/** Every parameter is an id: `channels/preview` is never taken for `channels/:channel`. */
function toHonoPath(path: string): string {
  return path.replace(/:\w+/g, (param) => `${param}{${uuidPattern}}`);
}

function createRouteHandler(deps: DashboardDeps) {
  const control = { ...deps, database: deps.database.control() };
  const parts = {
    sessions: createSessions(control),
    icons: createIconProxy(deps),
  };
  const { sessionRequestsPerMinute, publicUrl, trustedProxies } = deps.settings;
  const limits = createRequestLimits(deps.openRateLimit, sessionRequestsPerMinute);
  const openCookies = createCookies(publicUrl);
  const clientIp = createClientIp(trustedProxies);
  return async (route: DashboardRoute, context: Context): Promise<Response> => {
    const params = lowerCase(context.req.param());
    const client = { address: clientIp(context), browser: browserOf(context) };
    const cookies = openCookies(context);
    if (route.access === "anyone" && context.req.method === "POST") cookies.assertKept();
    const me = await parts.sessions.find(cookies.read("session"), client);
    if (me) markAuthenticated(context);
    const workspace = await authorize(control, { route, me, workspaceId: params["workspace"] });
    if (route.isSensitive && me) assertRecentProof(deps, me);
    if (route.needsPasswords && !deps.settings.hasPasswordSignIn) {
      throw new AppError("forbidden", "passwords are switched off here: use single sign-on");
    }
    // Before the body is read: reading and checking it is work as well.
    await limits.take({ route, me, address: client.address, params });
    const workspaceId = workspace?.id ?? null;
    const database = workspace ? deps.database.forWorkspace(workspace.id) : deps.database.control();
    const { signal } = context.req.raw;
    const stores = workspaceId ? deps.storesFor({ workspaceId, signal }) : deps.stores;
    const actor = me?.user.id ?? "nobody";
    const routeContext: AnyRouteContext = {
      deps: { ...deps, ...parts, actor, database, stores },
      client,
      notices: createNotices(control, { me, client }),
      params,
      query: parseQuery(route.query, context),
      body: await parseBody(route, context),
      cookies,
      signal,
      openUpload: (bytesMax) => openUpload(context, bytesMax),
      me,
      workspace,
      workspaceId,
      subject: { id: Object.values(params).at(-1) ?? me?.user.id ?? "", workspaceId },
    };
    const response = await route.handle(routeContext);
    return response instanceof Response ? response : context.json(toJson(response ?? {}));
  };
}

const neededRole = {
  owner: "only an owner of the workspace may do this",
  member: "viewers only read: an owner can make you a member",
  viewer: "only members of the workspace may do this",
};

/** @throws AppError `unauthorized`, `not_found` for a foreign workspace, `second_factor_required` or `forbidden` */
async function authorize(
  { database, log }: Pick<DashboardDeps, "database" | "log">,
  request: {
    route: DashboardRoute;
    me: AnyRouteContext["me"];
    workspaceId: string | undefined;
  },
): Promise<AnyRouteContext["workspace"]> {
  const { route, me, workspaceId } = request;
  if (!me) {
    if (route.access === "anyone") return null;
    throw new AppError("unauthorized", "sign in first");
  }
  if (workspaceId === undefined) return null;
  const workspace = await database.findMembership({ userId: me.user.id, workspaceId });
  if (!workspace) {
    // Somebody who tries ids of others is seen here; in the log, because attackers must not be able to fill a table.
    log.info(
      { userId: me.user.id, workspaceId },
      "a workspace of others, or of nobody, was requested",
    );
    throw notFoundError();
  }
  if (workspace.mustSetUpSecondFactor) {
    const message = `${workspace.name} requires a second factor: set one up first`;
    throw new AppError("second_factor_required", message);
  }
  const { access } = route;
  if (access === "anyone" || access === "user") throw new Error(`${route.name} needs a role`);
  if (!hasRole(workspace.role, access)) throw new AppError("forbidden", neededRole[access]);
  return workspace;
}

/** Unknown paths, malformed ids and objects of other workspaces are indistinguishable. */
function notFoundError(): AppError {
  return new AppError("not_found", "not found");
}

function lowerCase(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.toLowerCase()]),
  );
}

const queryLengthMax = 4_096;
/** For clients that are not signed in: an account with its password and a token fits. */
const anonymousBodyBytesMax = 4 * 1024;

/** @throws AppError `invalid_input` that names every field that is wrong, unknown or repeated */
function parseQuery(schema: z.ZodType | undefined, context: Context): unknown {
  const text = queryStringOf(context);
  if (text.length > queryLengthMax) {
    throw new AppError("invalid_input", `the URL is longer than ${queryLengthMax} characters`);
  }
  if (!schema) return undefined;
  const parameters = new URLSearchParams(text);
  const repeated = [...new Set(parameters.keys())].filter(
    (name) => parameters.getAll(name).length > 1,
  );
  failFields(repeated.map((field) => ({ field, message: "is given more than once" })));
  return parseInput(schema, Object.fromEntries(parameters));
}

/** @throws AppError `invalid_input` or `too_large` */
async function parseBody(
  { access, body, bodyBytesMax }: DashboardRoute,
  context: Context,
): Promise<unknown> {
  const defaultMax = access === "anyone" ? anonymousBodyBytesMax : smallBodyBytesMax;
  return body
    ? parseInput(body, await readJsonBody(context, bodyBytesMax ?? defaultMax))
    : undefined;
}
