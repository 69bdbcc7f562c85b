// The promises of the table of operations at every door: role, scope, limit, audit entry, dry run, conflict, unknown fields
// and foreign workspaces. A new operation is tested as soon as it has a case.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { manageRoutes } from "../src/api/manage/routes.ts";
import { routes } from "../src/dashboard-api/routes.ts";
import { hasRole, memberRoles } from "../src/domain/user.ts";
import { rotateSecret, testChannel } from "../src/operations/channel-actions.ts";
import type { Operation } from "../src/operations/operation.ts";
import { nouns } from "../src/operations/operations.ts";
import { type DoorsWorld, openDoorsWorld } from "./support/doors-world.ts";
import { aKey, aWorkspace } from "./support/factories.ts";
import { type OperationCase, operationCases } from "./support/operation-cases.ts";
import { act } from "./support/operations.ts";

let world: DoorsWorld;
beforeAll(async () => {
  world = await openDoorsWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const operations = nouns.flatMap((one) => one.operations);
const nameOf = ({ noun, verb }: Operation): string => `${noun.noun} ${verb}`;
const named = operations.map((operation) => [nameOf(operation), operation] as const);

function caseOf(operation: Operation): OperationCase {
  const found = operationCases[nameOf(operation)];
  if (!found) throw new Error(`${nameOf(operation)} has no case`);
  return found;
}

/** The id of a thing for the operation; "" for one that makes it. */
async function prepare(operation: Operation): Promise<string> {
  const { noun } = operation.noun;
  if (operation.isCreation) return "";
  const { workspaceId } = world;
  if (noun === "workspace") return workspaceId;
  if (noun === "member") return world.addMember();
  if (noun === "delivery") {
    const channel = await make("channel");
    await act(deps(), testChannel, { id: channel });
    const [delivery] = await world.database.listDeliveries({
      channelId: channel,
      workspaceId,
      status: null,
      beforeId: null,
      limit: 1,
    });
    return delivery?.id ?? "";
  }
  const id = await make(noun);
  if (operation.verb === "end-old-secret") await act(deps(), rotateSecret, { id });
  return id;
}

const deps = () => ({ ...world.deps, actor: "test" });

async function make(noun: string): Promise<string> {
  const create = operations.find((one) => one.noun.noun === noun && one.isCreation);
  if (!create) throw new Error(`nothing makes a ${noun}`);
  const list = async () =>
    (await create.noun.list(world.database, world.workspaceId)).map(({ id }) => id);
  const before = await list();
  const { status, json } = await atDashboard(create, "");
  if (status !== 200) throw new Error(JSON.stringify(json));
  return (await list()).find((id) => !before.includes(id)) ?? "";
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

function atDashboard(operation: Operation, id: string, body = caseOf(operation).body) {
  const { method, path } = dashboardRouteOf(operation);
  return world
    .member("owner")
    .request(toPath(path, id), { method, ...(body !== undefined && { body }) });
}

function atApi(
  operation: Operation,
  id: string,
  options: Parameters<DoorsWorld["api"]>[2] & { query?: string } = {},
) {
  const route = manageRoutes.find((one) => one.operation === operation);
  if (!route) throw new Error(`the API has no route for ${nameOf(operation)}`);
  const { body } = caseOf(operation);
  const path = `${toPath(route.path, id)}${options.query ?? ""}`;
  return world.api(route.method.toUpperCase(), path, { ...(body && { body }), ...options });
}

/** All but those that the operator carries out at the command line alone. */
const ofMembers = named.filter(([, { role }]) => role !== null);
const atApiToo = named.filter(([, { scope }]) => scope !== undefined);
const ofThings = ofMembers.filter(([, { isCreation }]) => !isCreation);

test("every operation of the table has a case here, a route of the dashboard, and one of the API if keys may", () => {
  expect(Object.keys(operationCases).sort()).toEqual(named.map(([name]) => name).sort());
  for (const operation of operations) {
    const atDashboard = routes.filter((route) => route.operation === operation);
    const routeCount = operation.role === null ? 0 : 1;
    expect([nameOf(operation), atDashboard.length]).toEqual([nameOf(operation), routeCount]);
    const inApi = manageRoutes.filter((route) => route.operation === operation);
    expect(inApi).toHaveLength(operation.scope === undefined ? 0 : 1);
  }
});

describe("role and scope", () => {
  test.each(ofMembers)(
    "%s is refused to lower roles and to keys that only read",
    async (_, operation) => {
      const id = await prepare(operation);
      const keys = await Promise.all(
        (["read", "mcp"] as const).map((scope) =>
          aKey(world.database, { id: world.workspaceId }, scope),
        ),
      );
      const before = await world.readAll();
      const { method, path } = dashboardRouteOf(operation);
      const { body } = caseOf(operation);
      const lower = memberRoles.filter(
        (role) => operation.role !== null && !hasRole(role, operation.role),
      );
      for (const role of lower) {
        const options = { method, ...(body && { body }) };
        const { status } = await world.member(role).request(toPath(path, id), options);
        expect([role, status]).toEqual([role, 403]);
      }
      for (const { key } of operation.scope === undefined ? [] : keys) {
        expect((await atApi(operation, id, { key })).status).toBe(403);
      }
      expect(await world.readAll()).toBe(before);
    },
  );
});

describe("the audit log", () => {
  test.each(named)(
    "%s has one entry at every door, which names the actor",
    async (_, operation) => {
      const written = async (act: (id: string) => Promise<unknown>) => {
        await world.renew();
        const id = await prepare(operation);
        const known = new Set((await world.audit()).map((entry) => entry.id));
        await act(id);
        const entries = (await world.audit()).filter((entry) => !known.has(entry.id));
        expect(entries).toHaveLength(1);
        return [entries[0]?.action, entries[0]?.actor];
      };
      const { audit } = operation;
      if (operation.role !== null) {
        const owner = await ownerId();
        const byUser = await written(async (id) => {
          expect((await atDashboard(operation, id)).status).toBe(200);
        });
        expect(byUser).toEqual([audit, owner]);
      }
      if (operation.scope !== undefined) {
        const byKey = await written(async (id) => {
          expect((await atApi(operation, id)).status).toBeLessThan(300);
        });
        expect(byKey).toEqual([audit, "API key Test key"]);
      }
      if (caseOf(operation).argv("", "").length === 0) return;
      const byOperator = await written(async (id) => {
        const { exitCode, value } = await world.cli(
          ...caseOf(operation).argv(id, world.workspaceId),
        );
        expect([exitCode, value["error"]]).toEqual([0, undefined]);
      });
      expect(byOperator).toEqual([audit, "cli"]);
    },
  );
});

async function ownerId(): Promise<string | undefined> {
  const members = await world.database.listMembers(world.workspaceId);
  return members.find(({ role }) => role === "owner")?.userId;
}

describe("limits", () => {
  const limited = named.filter(([, { limits = [] }]) => limits.length > 0);
  test.each(limited)("%s counts at the dashboard and at the API together", async (_, operation) => {
    const id = await prepare(operation);
    const max = operation.limits?.[0]?.perMinute ?? 0;
    const invalid = { ...caseOf(operation).body, colour: "red" };
    for (let count = 0; count < max - 1; count += 1) await atDashboard(operation, id, invalid);
    const last = operation.scope === undefined ? atDashboard : atApi;
    expect((await last(operation, id)).status).toBeLessThan(300);
    expect((await atDashboard(operation, id, invalid)).status).toBe(429);
    if (operation.scope !== undefined) expect((await atApi(operation, id)).status).toBe(429);
  });
});

describe("a dry run", () => {
  test.each(atApiToo)("%s changes nothing and is not recorded", async (_, operation) => {
    const id = await prepare(operation);
    const before = [await world.readAll(), (await world.audit())[0]];
    const answer = await atApi(operation, id, { query: "?dryRun=true" });
    expect(answer).toMatchObject({ status: 200, json: { isDryRun: true } });
    expect([await world.readAll(), (await world.audit())[0]]).toEqual(before);
  });
});

describe("versions", () => {
  const changing = ofThings.filter(([, operation]) => caseOf(operation).body !== undefined);
  test.each(changing)(
    "%s: the second of two forms is refused, and says who changed what",
    async (_, operation) => {
      const id = await prepare(operation);
      const { noun } = operation;
      const place = { id, workspaceId: world.workspaceId };
      const version = (await noun.find(world.database, place))?.version;
      const { body, another } = caseOf(operation);
      expect((await atDashboard(operation, id, { ...body, version })).status).toBe(200);
      const raised = (await noun.find(world.database, place))?.version ?? 0;
      expect(raised).toBeGreaterThan(version ?? 0);
      const before = await world.readAll();
      const stale = await atDashboard(operation, id, { ...another, version });
      expect([stale.status, stale.json.code]).toEqual([409, "conflict"]);
      expect(stale.json.detail).toContain("owner");
      for (const field of Object.keys(body ?? {})) expect(stale.json.detail).toContain(field);
      expect(await world.readAll()).toBe(before);
    },
  );

  const tagged = atApiToo.filter(([, { isCreation, output }]) => !isCreation && !output);
  test.each(tagged)(
    "%s: the tag of a creation, of a read and of a change is the version",
    async (_, operation) => {
      const { path, noun } = operation.noun;
      const create = operations.find((one) => one.noun === operation.noun && one.isCreation);
      const created = await world.api("POST", `/${path}`, { body: create && caseOf(create).body });
      const { id } = created.json[noun] as { id: string };
      const read = await world.api("GET", `/${path}/${id}`);
      expect(created.etag).toMatch(/^"\d+"$/);
      expect(read.etag).toBe(created.etag);
      const headers = { "if-match": `"1", ${read.etag}` };
      const done = await atApi(operation, id, { headers });
      expect(done.status).toBeLessThan(300);
      if (operation.verb === "delete") return;
      const again = await world.api("GET", `/${path}/${id}`);
      expect([again.etag, again.etag === read.etag]).toEqual([done.etag, false]);
      const stale = await atApi(operation, id, { headers });
      expect(stale).toMatchObject({ status: 412, json: { code: "precondition_failed" } });
    },
  );
});

test("a version rises with a rotated secret, and not with a test, a redelivery or the health of the endpoint", async () => {
  const id = await make("channel");
  const tagOf = async () => (await world.api("GET", `/channels/${id}`)).etag;
  const first = await tagOf();
  await world.api("POST", `/channels/${id}/test`);
  await world.api("POST", `/channels/${id}/redeliver-expired`);
  expect(await tagOf()).toBe(first);
  const headers = { "if-match": first ?? "" };
  const rotate = () => world.api("POST", `/channels/${id}/rotate-secret`, { headers });
  expect([(await rotate()).status, (await rotate()).status]).toEqual([200, 412]);
  expect(await tagOf()).not.toBe(first);
});

describe("input", () => {
  const withBody = ofMembers.filter(([, operation]) => caseOf(operation).body !== undefined);
  test.each(withBody)("%s: an unknown field is refused at every door", async (_, operation) => {
    const id = await prepare(operation);
    const before = await world.readAll();
    const body = { ...caseOf(operation).body, colour: "red" };
    const page = await atDashboard(operation, id, body);
    expect([page.status, page.json.fields]).toEqual([
      400,
      [{ field: "colour", message: "is not known here" }],
    ]);
    if (operation.scope !== undefined)
      expect((await atApi(operation, id, { body })).status).toBe(400);
    expect(await world.readAll()).toBe(before);
  });
});

describe("another workspace", () => {
  test.each(ofThings)("%s does not find a thing of another workspace", async (_, operation) => {
    const id = await prepare(operation);
    const before = await world.readAll();
    const { id: foreignId } = await aWorkspace(world.database);
    // A member of the other workspace finds only its things, and a stranger nothing.
    if (operation.noun.noun !== "workspace") {
      await world.database.insertMember({
        workspaceId: foreignId,
        userId: (await ownerId()) ?? "",
        role: "owner",
        joinedAt: world.clock.now(),
      });
    }
    const { method, path } = dashboardRouteOf(operation);
    const { body } = caseOf(operation);
    const target = toPath(path, id, foreignId);
    const page = await world.member("owner").request(target, { method, ...(body && { body }) });
    expect([page.status, page.json.code]).toEqual([404, "not_found"]);
    if (operation.scope !== undefined) {
      const { key } = await aKey(world.database, { id: foreignId }, "manage");
      expect((await atApi(operation, id, { key })).status).toBe(404);
    }
    expect(await world.readAll()).toBe(before);
  });
});
