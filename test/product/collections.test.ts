// The collections of docs/collections.md work: every request of the Postman collection against a
// service, and the code of the n8n workflow over the webhook fixtures.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manageRoutes } from "../../src/api/manage/routes.ts";
import { pick } from "../../src/lib/pick.ts";
import { aReview, saveReviews, saveSnapshots } from "../support/factories.ts";
import {
  bodies,
  bodyOf,
  fillBody,
  fill as fillPath,
  type ManageContext,
  nameOf,
  openManageContext,
} from "../support/manage-context.ts";
import { composePostmanCollection, type PostmanCollection } from "../support/postman-collection.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { root } from "../support/source-tree.ts";
import { fixtures, replay, secret, sendNow } from "../support/webhook-fixtures.ts";

const file = path.join(root, "examples/postman/starpost.postman_collection.json");

describe("the Postman collection", () => {
  let service: TestService;
  let values: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
    const app = await service.addApp({ store: "appstore", externalAppId: "42", countries: ["us"] });
    const [review] = await saveReviews(service.deps.database, app, [aReview()]);
    await saveSnapshots(service.deps.database, app, [{}]);
    const baseUrl = `${service.url}/api/v1`;
    values = {
      baseUrl,
      apiKey: service.key,
      app: app.id,
      review: review?.id ?? "",
      version: "4.2.1",
    };
  });
  afterAll(() => service.close());

  test("is made from the OpenAPI document (npm run generate writes it)", () => {
    const composed = composePostmanCollection();
    if (process.env["UPDATE_DOCS"] === "1") fs.writeFileSync(file, JSON.stringify(composed));
    expect(JSON.parse(fs.readFileSync(file, "utf8"))).toEqual(composed);
  });

  const collection: PostmanCollection = composePostmanCollection();
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? `no value for ${name}`);

  const reads = collection.item.flatMap((item) => ("request" in item ? [item] : []));

  test.each(reads)("$name is answered, and each of its filters is known", async (item) => {
    const { method, url } = item.request;
    const headers = { authorization: `Bearer ${fill("{{apiKey}}")}` };
    const response = await fetch(fill(url.raw), { method, headers });
    expect([item.name, response.status]).toEqual([item.name, 200]);
    // A key has one export at a time: the next one begins when this one ended.
    await response.text();
    const search = new URLSearchParams();
    for (const { key, value } of url.query) if (key !== "cursor") search.set(key, fill(value));
    const filtered = await fetch(`${fill(url.raw).split("?")[0]}?${search}`, { method, headers });
    expect([search.toString(), filtered.status]).toEqual([search.toString(), 200]);
    await filtered.text();
  });
});

describe("the set-up in the Postman collection", () => {
  let world: ManageContext;
  beforeAll(async () => {
    world = await openManageContext();
  });
  afterAll(() => world.close());

  const [folder] = composePostmanCollection().item.flatMap((item) =>
    "item" in item ? [item] : [],
  );
  const requests = folder?.item ?? [];

  test("has every operation on the set-up", () => {
    const names = requests.map(
      ({ request }) => `${request.method.toLowerCase()} /${request.url.path.join("/")}`,
    );
    const expected = manageRoutes().map(
      ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, "{{$1}}")}`,
    );
    expect(names.sort()).toEqual(expected.sort());
  });

  test.each(requests)("$name is answered", async ({ request }) => {
    await world.renew();
    const { method, url, body, header = [] } = request;
    const target = `/${url.path.join("/").replace(/\{\{(\w+)\}\}/g, "{$1}")}`;
    const route = manageRoutes().find(
      (one) => one.method === method.toLowerCase() && one.path === target,
    );
    if (!route) throw new Error(`no route is ${method} ${target}`);
    const ids = await world.createOfEach();
    await world.clearFor(route, ids);
    // A key that signs nothing is refused: the text of a real one takes its place.
    const sent = body?.mode === "raw" && {
      ...fillBody(JSON.parse(body.raw), ids),
      ...pick(bodies[nameOf(route)] ?? {}, ["keyFile"]),
    };
    const isFile = body?.mode === "file";
    expect(isFile).toBe(header.some(({ value }) => value === "text/csv"));
    const options = isFile ? bodyOf(route, ids) : sent ? { body: sent } : {};
    const answer = await world.send(method, fillPath(target, ids), options);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([route.status, expect.anything()]);
  });
});

describe("the n8n workflow", () => {
  const workflow = JSON.parse(
    fs.readFileSync(path.join(root, "examples/n8n/starpost.json"), "utf8"),
  ) as {
    nodes: { name: string; type: string; parameters: { jsCode?: string } }[];
    connections: Record<string, { main: { node: string }[][] }>;
  };
  const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
  const code = nodes.get("Verify")?.parameters.jsCode ?? "";

  test("leads from its webhook through the verification to the chat", () => {
    const way: string[] = [];
    for (let name = "Receive"; name; ) {
      way.push(nodes.get(name)?.type ?? "missing");
      name = workflow.connections[name]?.main[0]?.[0]?.node ?? "";
    }
    expect(way).toEqual(
      ["webhook", "code", "filter", "httpRequest"].map((type) => `n8n-nodes-base.${type}`),
    );
  });

  // As n8n does it: the code is the body of an async function with its names in scope.
  type Run = (
    this: { helpers: { getBinaryDataBuffer(): Promise<Buffer> } },
    ...scope: unknown[]
  ) => Promise<{ json: unknown }[]>;
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Run;
  const verify = new AsyncFunction("$input", "$env", "require", code);

  const [valid] = fixtures.filter(({ isValid }) => isValid);
  const old = valid ? [replay(valid), { ...valid, isValid: false }] : [];
  const sent = [...fixtures.map((fixture) => sendNow(fixture)), ...old];

  test.each(sent)("$name: valid is $isValid", async ({ isValid, body, headers }) => {
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const first = () => ({ json: { headers: Object.fromEntries(lower) } });
    const self = { helpers: { getBinaryDataBuffer: async () => Buffer.from(body) } };
    const env = { STARPOST_SECRET: secret };
    const result = verify.call(self, { first }, env, createRequire(import.meta.url));
    if (!isValid) return expect(result).rejects.toThrow("signature");
    const delivery = headers["X-Service-Delivery"];
    expect(await result).toEqual([{ json: { ...JSON.parse(body), delivery } }]);
  });
});
