// The promises of the table of operations at every door: role, scope, limit, audit entry, dry run, conflict, unknown fields
// and foreign workspaces. A new operation is tested as soon as it has a case.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { manageRoutes } from "../src/api/manage/routes.ts";
import { routes } from "../src/dashboard-api/routes.ts";
import { hasRole, memberRoles } from "../src/domain/people/user.ts";
import { pick } from "../src/lib/pick.ts";
import { type DoorsWorld, openDoorsWorld } from "./support/doors-world.ts";
import { aKey, aWorkspace } from "./support/factories.ts";
import { operationCases } from "./support/operation-cases.ts";
import { type AtDoors, caseOf, nameOf, openDoors, operations } from "./support/operation-doors.ts";

let world: DoorsWorld;
let at: AtDoors;
beforeAll(async () => {
  world = await openDoorsWorld();
  at = openDoors(world);
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const named = operations.map((operation) => [nameOf(operation), operation] as const);

/** All but those that the operator carries out at the command line alone. */
const ofMembers = named.filter(([, { role }]) => role !== null);
const atApiToo = named.filter(([, { scope }]) => scope !== undefined);
const ofResources = ofMembers.filter(([, { target }]) => target === "one");
const limited = named.filter(([, { limits = [] }]) => limits.length > 0);
const withBody = ofMembers.filter(([, operation]) => caseOf(operation).body !== undefined);
const changing = withBody.filter(
  ([, { target, keepsVersion }]) => target === "one" && !keepsVersion,
);
const readable = changing.filter(([, { scope, verb }]) => scope !== undefined && verb === "change");
const tagged = atApiToo.filter(
  ([, { target, output, keepsVersion }]) => target === "one" && !output && !keepsVersion,
);

test("every operation of the table has a case here, a route of the dashboard, and one of the API if keys may", () => {
  expect(Object.keys(operationCases).sort()).toEqual(named.map(([name]) => name).sort());
  for (const operation of operations) {
    const atDashboard = routes.filter((route) => route.operation === operation);
    const routeCount = operation.role === null ? 0 : 1;
    expect([nameOf(operation), atDashboard.length]).toEqual([nameOf(operation), routeCount]);
    const inApi = manageRoutes().filter((route) => route.operation === operation);
    expect(inApi).toHaveLength(operation.scope === undefined ? 0 : 1);
  }
});

test("the tests below cover every verb at every door", () => {
  const countOf = (chosen: readonly unknown[]) => chosen.length;
  const atCommandLine = named.filter(
    ([, operation]) => caseOf(operation).argv("", "", "").length > 0,
  );
  const doors = {
    dashboard: countOf(ofMembers),
    api: countOf(atApiToo),
    cli: countOf(atCommandLine),
  };
  const noDoor = named.filter((one) => ![ofMembers, atApiToo, atCommandLine].flat().includes(one));
  const promises = {
    role: doors.dashboard,
    scope: doors.api * 2,
    audit: doors.dashboard + doors.api + doors.cli,
    limit: limited.length,
    dryRun: doors.api,
    conflict: changing.length,
    etag: tagged.length,
    masks: readable.length * 2,
    input: withBody.length * 2,
    foreign: ofResources.length,
  };
  const counts = JSON.stringify({ verbs: named.length, doors, promises });
  process.stdout.write(`verbs × doors × promises: ${counts}\n`);
  expect(noDoor.map(([name]) => name)).toEqual([]);
  const silent = named.filter(([, { audit }]) => !/^[a-z_]+\.[a-z_]+$/.test(audit));
  expect(silent).toEqual([]);
});

describe("role and scope", () => {
  test.each(ofMembers)(
    "%s is refused to lower roles and to keys that only read",
    async (_, operation) => {
      const id = await at.prepare(operation);
      const { database, workspaceId } = world;
      const scopes = ["read", "mcp"] as const;
      const keys = await Promise.all(
        scopes.map((scope) => aKey(database, { id: workspaceId }, scope)),
      );
      const before = await world.readAll();
      const body = at.bodyOf(operation);
      const { role: least } = operation;
      for (const role of memberRoles.filter((one) => least !== null && !hasRole(one, least))) {
        const { status } = await at.asMember(role, operation, { id, body });
        expect([role, status]).toEqual([role, 403]);
      }
      for (const { key } of operation.scope === undefined ? [] : keys) {
        expect((await at.atApi(operation, id, { key })).status).toBe(403);
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
        const id = await at.prepare(operation);
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
          expect((await at.atDashboard(operation, id)).status).toBe(200);
        });
        expect(byUser).toEqual([audit, owner]);
      }
      if (operation.scope !== undefined) {
        const byKey = await written(async (id) => {
          expect((await at.atApi(operation, id)).status).toBeLessThan(300);
        });
        expect(byKey).toEqual([audit, "API key Test key"]);
      }
      if (caseOf(operation).argv("", "", "").length === 0) return;
      const byOperator = await written(async (id) => {
        const { exitCode, value } = await world.cli(
          ...caseOf(operation).argv(id, world.workspaceId, at.reviewId()),
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
  test.each(limited)("%s counts at the dashboard and at the API together", async (_, operation) => {
    const id = await at.prepare(operation);
    const max = operation.limits?.[0]?.perMinute ?? 0;
    const invalid = { ...at.bodyOf(operation), colour: "red" };
    for (let count = 0; count < max - 1; count += 1) await at.atDashboard(operation, id, invalid);
    const last = operation.scope === undefined ? at.atDashboard : at.atApi;
    expect((await last(operation, id)).status).toBeLessThan(300);
    expect((await at.atDashboard(operation, id, invalid)).status).toBe(429);
    if (operation.scope !== undefined) expect((await at.atApi(operation, id)).status).toBe(429);
  });
});

describe("a dry run", () => {
  test.each(atApiToo)("%s changes nothing and is not recorded", async (_, operation) => {
    const id = await at.prepare(operation);
    const before = [await world.readAll(), (await world.audit())[0]];
    const answer = await at.atApi(operation, id, { query: "?dryRun=true" });
    expect(answer).toMatchObject({ status: 200, json: { isDryRun: true } });
    expect([await world.readAll(), (await world.audit())[0]]).toEqual(before);
  });
});

describe("versions", () => {
  test.each(changing)(
    "%s: the second of two forms is refused, and says who changed what",
    async (_, operation) => {
      const id = await at.prepare(operation);
      const { noun } = operation;
      const place = { id, workspaceId: world.workspaceId };
      const version = (await noun.find(world.database, place))?.version;
      const { body, another } = caseOf(operation);
      expect((await at.atDashboard(operation, id, { ...body, version })).status).toBe(200);
      const raised = (await noun.find(world.database, place))?.version ?? 0;
      expect(raised).toBeGreaterThan(version ?? 0);
      const before = await world.readAll();
      const stale = await at.atDashboard(operation, id, { ...another, version });
      expect([stale.status, stale.json.code]).toEqual([409, "conflict"]);
      expect(stale.json.detail).toContain("owner");
      for (const field of Object.keys(body ?? {})) expect(stale.json.detail).toContain(field);
      expect(await world.readAll()).toBe(before);
    },
  );

  test.each(tagged)(
    "%s: the tag of a creation, of a read and of a change is the version",
    async (_, operation) => {
      const { noun } = operation.noun;
      const create = operations.find((one) => one.noun === operation.noun && one.target === "new");
      const made = create && (await at.atApi(create, await at.prepare(create)));
      const id = made ? Object(made.json[noun]).id : await at.prepare(operation);
      const route = manageRoutes().find(
        ({ method, resource }) => method === "get" && resource === operation.noun,
      );
      const path = at.toPath(route?.path ?? "", id);
      const read = await world.api("GET", path);
      expect(read.etag).toMatch(/^"\d+"$/);
      if (made) expect(made.etag).toBe(read.etag);
      const headers = { "if-match": `"1", ${read.etag}` };
      const done = await at.atApi(operation, id, { headers });
      expect(done.status).toBeLessThan(300);
      if (operation.verb === "delete") return;
      const again = await world.api("GET", path);
      expect([again.etag, again.etag === read.etag]).toEqual([done.etag, false]);
      const stale = await at.atApi(operation, id, { headers });
      expect(stale).toMatchObject({ status: 412, json: { code: "precondition_failed" } });
    },
  );
});

test("a version rises with a rotated secret, and not with a test, a redelivery or the health of the endpoint", async () => {
  const id = await at.make("channel");
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

describe("masks", () => {
  test.each(readable)("%s: sending back what was read keeps every secret", async (_, operation) => {
    const { noun } = operation;
    const id = await at.prepare(operation);
    const secretsOf = async () => {
      const row = await noun.find(world.database, { id, workspaceId: world.workspaceId });
      return Object.entries(row ?? {}).filter(([key]) => /encrypted|secret|hash|url/i.test(key));
    };
    const before = await secretsOf();
    const row = await noun.find(world.database, { id, workspaceId: world.workspaceId });
    const view = row && noun.toView(row);
    if (!view) throw new Error(`no ${noun.noun} ${id}`);
    for (const [, secret] of before.filter(([key]) => /encrypted|hash/i.test(key)))
      expect(JSON.stringify(view)).not.toContain(JSON.stringify(secret));
    const fields = manageRoutes().find((one) => one.operation === operation)?.body;
    if (!(fields instanceof z.ZodObject)) throw new Error(`${nameOf(operation)} has no fields`);
    const body = pick(view, Object.keys(fields.shape));
    expect(Object.keys(body)).not.toEqual([]);
    const doors = [
      () => at.atDashboard(operation, id, body),
      () => at.atApi(operation, id, { body }),
    ];
    for (const send of doors) {
      const { status } = await send();
      expect([200, 400]).toContain(status);
      expect(await secretsOf()).toEqual(before);
    }
  });
});

describe("input", () => {
  test.each(withBody)("%s: an unknown field is refused at every door", async (_, operation) => {
    const id = await at.prepare(operation);
    const before = await world.readAll();
    const body = { ...at.bodyOf(operation), colour: "red" };
    const page = await at.atDashboard(operation, id, body);
    expect([page.status, page.json.fields]).toEqual([
      400,
      [{ field: "colour", message: "is not known here" }],
    ]);
    if (operation.scope !== undefined)
      expect((await at.atApi(operation, id, { body })).status).toBe(400);
    expect(await world.readAll()).toBe(before);
  });
});

describe("another workspace", () => {
  const naming = ofMembers.filter(([, operation]) => caseOf(operation).reviewIn);
  test.each(naming)("%s does not find a review of another workspace", async (_, operation) => {
    await at.prepare(operation);
    const body = at.bodyOf(operation);
    await world.renew();
    const id = operation.target === "one" ? await at.make(operation.noun.noun) : "";
    const before = await world.readAll();
    expect((await at.atDashboard(operation, id, body)).status).toBe(404);
    if (operation.scope !== undefined) {
      const options = body === undefined ? {} : { body };
      expect((await at.atApi(operation, id, options)).status).toBe(404);
    }
    expect(await world.readAll()).toBe(before);
  });

  test.each(ofResources)(
    "%s does not find a resource of another workspace",
    async (_, operation) => {
      const id = await at.prepare(operation);
      const before = await world.readAll();
      const { id: foreignId } = await aWorkspace(world.database);
      // A member of the other workspace finds only its resources, and a stranger nothing.
      if (operation.noun.noun !== "workspace") {
        await world.database.insertMember({
          workspaceId: foreignId,
          userId: (await ownerId()) ?? "",
          role: "owner",
          joinedAt: world.clock.now(),
        });
      }
      const sent = { id, body: at.bodyOf(operation), workspaceId: foreignId };
      const page = await at.asMember("owner", operation, sent);
      expect([page.status, page.json.code]).toEqual([404, "not_found"]);
      if (operation.scope !== undefined) {
        const { key } = await aKey(world.database, { id: foreignId }, "manage");
        expect((await at.atApi(operation, id, { key })).status).toBe(404);
      }
      expect(await world.readAll()).toBe(before);
    },
  );
});
