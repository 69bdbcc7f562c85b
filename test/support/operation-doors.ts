// An operation of the table at each of its doors: the resource that it is done to, its body, and the request.
import { manageRoutes } from "../../src/api/manage/routes.ts";
import { routes } from "../../src/dashboard-api/routes.ts";
import type { MemberRole } from "../../src/domain/people/user.ts";
import { createSqlUser } from "../../src/features/sql-users/operations.ts";
import { rotateSecret, testChannel } from "../../src/operations/channel-actions.ts";
import { listResources, type Operation } from "../../src/operations/operation.ts";
import { nouns } from "../../src/operations/operations.ts";
import type { DoorsWorld } from "./doors-world.ts";
import { anAnsweredReview } from "./factories.ts";
import { type OperationCase, operationCases, withFields } from "./operation-cases.ts";
import { act } from "./operations.ts";

export const operations = nouns.flatMap((one) => one.operations);
export const nameOf = ({ noun, verb }: Operation): string => `${noun.noun} ${verb}`;

export function caseOf(operation: Operation): OperationCase {
  const found = operationCases[nameOf(operation)];
  if (!found) throw new Error(`${nameOf(operation)} has no case`);
  return found;
}

export type AtDoors = ReturnType<typeof openDoors>;

export function openDoors(world: DoorsWorld) {
  /** The review that a body names. */
  let reviewId = "";

  /** The id of a resource for the operation; "" for one that makes a resource, or names several. */
  async function prepare(operation: Operation): Promise<string> {
    const { noun } = operation.noun;
    if (caseOf(operation).reviewIn) reviewId = await world.addReview();
    if (operation.target !== "one") return "";
    if (noun === "review") return world.addReview();
    if (noun === "reply") return anAnsweredReview(world.database, world.workspaceId);
    if (noun === "notice") return world.addNotice();
    if (noun === "incident") return world.addIncident();
    if (operation.verb === "erase-review") return appOfReview();
    if (operation.verb === "import-reviews" && noun === "workspace") await make("app");
    if (operation.verb === "collect") return world.addCollectedApp();
    const { workspaceId } = world;
    if (noun === "workspace") return workspaceId;
    if (noun === "member") return world.addMember();
    if (noun === "delivery") {
      const channel = await make("channel");
      await act(deps(), testChannel, { id: channel });
      const page = { channelId: channel, workspaceId, status: null, beforeId: null, limit: 1 };
      const [delivery] = await world.database.listDeliveries(page);
      return delivery?.id ?? "";
    }
    if (noun === "SQL user")
      return (await act(deps(), createSqlUser, { workspaceId, name: "bi" })).id;
    const id = await make(noun);
    if (operation.verb === "end-old-secret") await act(deps(), rotateSecret, { id });
    return id;
  }

  /** The one that `addReview` made. */
  async function appOfReview(): Promise<string> {
    const [app] = await world.database.listApps({ workspaceId: world.workspaceId });
    return app?.id ?? "";
  }

  const deps = () => ({ ...world.deps, actor: "test" });

  async function make(noun: string): Promise<string> {
    const create = operations.find((one) => one.noun.noun === noun && one.target === "new");
    if (!create) throw new Error(`nothing makes a ${noun}`);
    const list = async () =>
      (await listResources(create.noun, world.database, world.workspaceId)).map(({ id }) => id);
    const before = await list();
    const { status, json } = await atDashboard(create, await prepare(create));
    if (status !== 200) throw new Error(JSON.stringify(json));
    return (await list()).find((id) => !before.includes(id)) ?? String(json["id"]);
  }

  /** The body with the review that `prepare` has made. */
  function bodyOf(operation: Operation): object | undefined {
    const { body, reviewIn } = caseOf(operation);
    if (!reviewIn) return body;
    return { ...body, [reviewIn]: reviewIn === "reviews" ? [reviewId] : reviewId };
  }

  function dashboardRouteOf(operation: Operation): { method: string; path: string } {
    const route = routes.find((one) => one.operation === operation);
    if (!route) throw new Error(`the dashboard has no route for ${nameOf(operation)}`);
    const [method = "", path = ""] = route.name.split(" ");
    return { method, path };
  }

  function toPath(path: string, id: string, workspaceId = world.workspaceId): string {
    return path.replace(":workspace", workspaceId).replace(/[:{]\w+\}?/, id);
  }

  function atDashboard(operation: Operation, id: string, body = bodyOf(operation)) {
    return asMember("owner", operation, { id, body });
  }

  /** A read has its fields in the query. */
  function asMember(
    role: MemberRole,
    operation: Operation,
    sent: { id: string; body?: object | undefined; workspaceId?: string },
  ) {
    const { id, body, workspaceId } = sent;
    const { method, path } = dashboardRouteOf(operation);
    const target = toPath(path, id, workspaceId);
    const client = world.member(role);
    const file = caseOf(operation).file?.();
    if (file) return client.request(withFields(target, body), { method, file });
    if (method !== "GET") return client.request(target, { method, ...(body && { body }) });
    return client.request(withFields(target, body));
  }

  function atApi(
    operation: Operation,
    id: string,
    options: Parameters<DoorsWorld["api"]>[2] & { query?: string } = {},
  ) {
    const route = manageRoutes().find((one) => one.operation === operation);
    if (!route) throw new Error(`the API has no route for ${nameOf(operation)}`);
    const body = bodyOf(operation);
    const path = `${toPath(route.path, id)}${options.query ?? ""}`;
    const file = caseOf(operation).file?.();
    const fields = options.body ?? body ?? {};
    if (file)
      return world.api("POST", withFields(path, fields), { ...options, body: undefined, file });
    return world.api(route.method.toUpperCase(), path, { ...(body && { body }), ...options });
  }

  return {
    prepare,
    make,
    bodyOf,
    toPath,
    asMember,
    atDashboard,
    atApi,
    /** The review that the body of the operation names, once it is prepared. */
    reviewId: () => reviewId,
  };
}
