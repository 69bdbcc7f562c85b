// Promises that every route of the set-up keeps, tested over the router's table, so that a new route can't be forgotten.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RequestOptions } from "../../../test/support/api-test-context.ts";
import { aKey, aWorkspace } from "../../../test/support/factories.ts";
import {
  bodies,
  bodyOf,
  fill,
  fillBody,
  type ManageContext,
  nameOf,
  openManageContext,
} from "../../../test/support/manage-context.ts";
import type { ManageRoute } from "./manage-route.ts";
import { manageRoutes } from "./routes.ts";

const isWrite = ({ method }: ManageRoute): boolean => method !== "get";

let world: ManageContext;
beforeAll(async () => {
  world = await openManageContext();
});
afterAll(() => world.close());

describe("every route changes nothing", () => {
  let ids: Record<string, string>;
  let before: string;
  beforeAll(async () => {
    await world.renew();
    ids = await world.createOfEach();
    before = await world.readAll();
  });

  test("has a body in this test if it takes one", () => {
    const withBody = manageRoutes()
      .filter(({ body }) => body !== null)
      .map(nameOf);
    expect(Object.keys(bodies).sort()).toEqual(withBody.sort());
  });

  test("no two routes have one method and path", () => {
    const names = manageRoutes().map(nameOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(manageRoutes().map((route) => [nameOf(route), route] as const))(
    "%s: 401 without a key, 403 with another scope or plan",
    async (_, route) => {
      const path = fill(route.path, ids);
      const refused = (options: RequestOptions) =>
        world.send(route.method.toUpperCase(), path, { ...bodyOf(route, ids), ...options });
      expect(await refused({ key: null })).toMatchObject({ status: 401 });
      for (const scope of ["read", "mcp"] as const) {
        const { key: other } = await aKey(world.database, { id: world.workspaceId }, scope);
        const answer = await refused({ key: other });
        expect(answer).toMatchObject({ status: 403, json: { code: "scope_required" } });
        expect(Object(answer.json).detail).toContain("`manage`");
      }
      const { id } = await aWorkspace(world.database, { plan: "starter" });
      const { key: starter } = await aKey(world.database, { id }, "manage");
      const answer = await refused({ key: starter });
      expect(answer).toMatchObject({ status: 403, json: { code: "plan_required" } });
      expect(await world.readAll()).toBe(before);
    },
  );

  test.each(
    manageRoutes()
      .filter(({ path }) => path.includes("{"))
      .map((route) => [nameOf(route), route] as const),
  )("%s: 404 for another workspace's resource, as for an unknown one", async (_, route) => {
    const { id } = await aWorkspace(world.database);
    const { key: foreign } = await aKey(world.database, { id }, "manage");
    const answers = [];
    for (const target of [fill(route.path, ids), fill(route.path)]) {
      const options = { ...bodyOf(route, ids), key: foreign };
      const { status, json } = await world.send(route.method.toUpperCase(), target, options);
      const { requestId: _requestId, detail, ...problem } = Object(json);
      const named = /[0-9a-f-]{36}/.exec(detail)?.[0] ?? "";
      expect(target).toContain(named);
      answers.push({ status, problem, detail: detail.replace(named, "") });
    }
    expect(answers[0]).toMatchObject({ status: 404 });
    expect(answers[0]).toEqual(answers[1]);
    expect(await world.readAll()).toBe(before);
    const malformed = await world.send(
      route.method.toUpperCase(),
      route.path.replace(/\{\w+\}/, "x"),
    );
    expect(malformed.status).toBe(404);
  });

  test.each(
    manageRoutes()
      .filter(({ body }) => body)
      .map((route) => [nameOf(route), route] as const),
  )(
    "%s: 400 for a body that is no JSON, has unknown fields or a wrong type; 413 for a large one",
    async (_, route) => {
      const call = (options: RequestOptions) =>
        world.send(route.method.toUpperCase(), fill(route.path, ids), options);
      for (const body of [
        "{",
        "[]",
        "null",
        "7",
        { ...fillBody(bodies[nameOf(route)], ids), colour: "red" },
      ]) {
        const answer = await call({ body });
        expect(answer, JSON.stringify(body)).toMatchObject({
          status: 400,
          json: { code: "invalid_parameter" },
        });
      }
      const unknown = await call({
        body: { ...fillBody(bodies[nameOf(route)], ids), colour: "red" },
      });
      expect(Object(unknown.json).errors).toEqual([
        { parameter: "colour", message: "is not known here" },
      ]);
      const form = { headers: { "content-type": "text/plain" }, body: "{}" };
      expect((await call(form)).status).toBe(400);
      expect((await call({ body: { name: "x".repeat(1_100_000) } })).status).toBe(413);
      expect(
        (
          await world.send(
            route.method.toUpperCase(),
            `${fill(route.path, ids)}?x=1`,
            bodyOf(route, ids),
          )
        ).status,
      ).toBe(400);
      expect(await world.readAll()).toBe(before);
    },
  );
});

describe("every route that changes something", () => {
  beforeEach(() => world.renew());

  test.each(
    manageRoutes()
      .filter(isWrite)
      .map((route) => [nameOf(route), route] as const),
  )(
    "%s: with dryRun nothing is done, and without it an entry of the audit log names the key",
    async (_, route) => {
      const ids = await world.createOfEach();
      await world.clearFor(route, ids);
      const path = fill(route.path, ids);
      const before = await world.readAll();
      const audited = async () =>
        (
          await world.database.listRecentAuditEntries({
            workspaceId: world.workspaceId,
            limit: 500,
          })
        ).length;
      const count = await audited();
      const rehearsal = await world.send(
        route.method.toUpperCase(),
        `${path}?dryRun=true`,
        bodyOf(route, ids),
      );
      expect(rehearsal, rehearsal.text).toMatchObject({ status: 200, json: { isDryRun: true } });
      expect(Object(rehearsal.json)).not.toHaveProperty("secret");
      expect([await world.readAll(), await audited()]).toEqual([before, count]);
      const done = await world.send(route.method.toUpperCase(), path, bodyOf(route, ids));
      expect(done.status, done.text).toBe(route.status);
      const [entry] = await world.database.listRecentAuditEntries({
        workspaceId: world.workspaceId,
        limit: 1,
      });
      expect(entry?.actor).toBe("API key Test key");
    },
  );

  test.each(
    manageRoutes()
      .filter(isWrite)
      // The same file changes nothing twice, whatever a key says.
      .filter(({ operation }) => !operation?.file)
      .map((route) => [nameOf(route), route] as const),
  )(
    "%s: with an Idempotency-Key it is done once, whatever comes at the same moment",
    async (_, route) => {
      const ids = await world.createOfEach();
      await world.clearFor(route, ids);
      const path = fill(route.path, ids);
      const named = { ...bodyOf(route, ids), headers: { "idempotency-key": "one" } };
      const audited = async () =>
        (
          await world.database.listRecentAuditEntries({
            workspaceId: world.workspaceId,
            limit: 500,
          })
        ).filter(({ action }) => action !== "channel.secret_viewed").length;
      const count = await audited();
      const together = await Promise.all(
        Array.from({ length: 4 }, () => world.send(route.method.toUpperCase(), path, named)),
      );
      const statuses = together.map(({ status }) => status);
      for (const status of statuses) expect([route.status, 409]).toContain(status);
      const first = together.find(({ status }) => status === route.status);
      const again = await world.send(route.method.toUpperCase(), path, named);
      expect([again.status, again.json]).toEqual([route.status, first?.json]);
      // Programs write the keys of an object in any order.
      const body = Object.fromEntries(Object.entries(Object(named.body)).reverse());
      const reordered = named.body === undefined ? named : { ...named, body };
      const other = await world.send(route.method.toUpperCase(), path, reordered);
      expect([other.status, other.json]).toEqual([route.status, first?.json]);
      expect(await audited()).toBe(count + 1);
      const elsewhere = await world.send("POST", "/views", {
        ...named,
        body: { name: "Another", query: "" },
      });
      expect(elsewhere).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } });
    },
  );
});
