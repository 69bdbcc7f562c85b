import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { renderReference } from "../../docs-site/reference.ts";
import { type ApiTestContext, openApiTestContext } from "../../test/support/api-test-context.ts";
import { topicNames } from "../domain/review/topics.ts";
import { endpoints } from "./endpoints.ts";
import { manageRoutes } from "./manage/routes.ts";
import { describeApi, examples, webhooks } from "./openapi.ts";
import { problemCodes } from "./problem.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext({ settings: { publicUrl: "https://reviews.example" } });
});
afterAll(() => context.close());

type Described = {
  headers?: object;
  content?: Record<string, { example?: object; examples?: Record<string, { value: object }> }>;
};

async function readDocument(): Promise<Record<string, never>> {
  return resolveResponses(await readUnresolved());
}

async function readUnresolved(query = "") {
  const response = await context.request(`/api/v1/openapi.json${query}`, { key: null });
  expect(response.status).toBe(200);
  return Object(response.json);
}

/** The document with each response in place of its reference. */
function resolveResponses(document: { components: { responses: object } }): Record<string, never> {
  return JSON.parse(JSON.stringify(document), (_, value) => {
    const [, name] = /^#\/components\/responses\/(.+)$/.exec(Object(value).$ref) ?? [];
    return name === undefined ? value : Object(document.components.responses)[name];
  });
}

describe("openapi.json", () => {
  test("describes the endpoints with their parameters and every error status", async () => {
    const { openapi, servers, paths, security } = await readDocument();
    expect(openapi).toBe("3.1.0");
    expect(servers).toEqual([{ url: "https://reviews.example/api/v1" }]);
    expect(security).toEqual([{ apiKey: [] }]);
    expect(Object.keys(paths ?? {})).toEqual([
      "/apps",
      "/reviews",
      "/ratings",
      "/trends",
      "/topics",
      "/edits",
      "/reviews/{review}",
      "/ratings/history",
      "/releases",
      "/coverage",
      "/changes",
      "/reviews/export",
      "/reply-outcomes",
      "/releases/{version}/verdict",
      "/apps/{app}",
      "/apps/{app}/collect",
      "/apps/{app}/import-reviews",
      "/apps/{app}/translate",
      "/channels",
      "/channels/{channel}",
      "/channels/{channel}/rotate-secret",
      "/channels/{channel}/test",
      "/channels/{channel}/redeliver-expired",
      "/deliveries/{delivery}/redeliver",
      "/views",
      "/views/{view}",
      "/replies/{reply}",
      "/replies/{reply}/draft",
      "/replies/{reply}/send",
      "/replies/{reply}/withdraw",
      "/reply-templates",
      "/reply-templates/{template}",
      "/own-topics",
      "/own-topics/{topic}",
      "/own-topics/{topic}/tick",
      "/credentials",
      "/credentials/{credential}",
      "/reviews/{review}/work",
      "/reviews/work",
      "/notes/{note}",
      "/notes",
      "/channels/{channel}/deliveries",
      "/setup",
      "/reviews/{review}/notes",
    ]);
    for (const { path, parameters, streamTypes } of endpoints) {
      const { get } = Object(paths)[path];
      const named = get.parameters.filter((one: { in: string }) => one.in !== "header");
      expect(named.map((one: { name: string }) => one.name)).toEqual(Object.keys(parameters.shape));
      expect(Object.keys(get.responses)).toEqual(
        expect.arrayContaining(["200", "400", "401", "403", "405", "429", "500", "503"]),
      );
      expect("304" in get.responses).toBe(streamTypes === undefined);
    }
    const ratings = Object(paths)["/ratings"].get;
    expect(ratings.parameters[0]).toMatchObject({ name: "app", required: true });
    const rating = Object(paths)["/reviews"].get.parameters.find(
      (one: { name: string }) => one.name === "rating",
    );
    expect(rating).toMatchObject({
      required: false,
      style: "form",
      explode: false,
      schema: { type: "array", items: { type: "integer", maximum: 5 } },
    });
  });

  test("describes exactly the routes that are there, and every endpoint is one of them", async () => {
    const { paths } = await readDocument();
    const routes = context.api.routes
      .filter(({ path }) => path.startsWith("/api/v1/"))
      .map(({ path }) => path.slice("/api/v1".length).replace(/:(\w+)/g, "{$1}"));
    expect(new Set(routes)).toEqual(new Set([...Object.keys(paths ?? {}), "/openapi.json"]));
  });

  test("describes every route of the set-up, with its body, its headers and every error status", async () => {
    const { paths } = await readDocument();
    for (const { method, path, body, status, ...route } of manageRoutes()) {
      const resource = route.resource;
      const operation = Object(paths)[path][method];
      const name = `${method} ${path}`;
      expect(operation.tags, name).toEqual(["Set-up"]);
      const file = route.operation?.file;
      expect(operation.requestBody !== undefined, name).toBe(body !== null || file !== undefined);
      const inHeader = (operation.parameters ?? []).filter(
        (one: { in: string }) => one.in === "header",
      );
      const names = inHeader.map((one: { name: string }) => one.name);
      const isRead = method === "get";
      // The same file changes nothing twice.
      const isGuarded = !isRead && !file;
      const own = [
        ...(isGuarded ? ["Idempotency-Key"] : []),
        ...(isGuarded && resource ? ["If-Match"] : []),
      ];
      expect(names, name).toEqual(own);
      const statuses = ["400", "401", "403", "404", "405", "429", "500", "503", String(status)];
      const writes = isGuarded ? ["409", "422", ...(resource ? ["412"] : [])] : [];
      expect(Object.keys(operation.responses), name).toEqual(
        expect.arrayContaining([...statuses, ...writes]),
      );
    }
  });

  test("has a description for every field of a body that programs send", async () => {
    const document = await readDocument();
    const { paths } = document;
    for (const { method, path, body } of manageRoutes()) {
      if (!body) continue;
      const { $ref } = Object(paths)[path][method].requestBody.content["application/json"].schema;
      const { properties } = Object(document["components"]).schemas[$ref.split("/").at(-1)];
      for (const [field, { description }] of Object.entries<{ description?: string }>(properties)) {
        expect(description ?? "", `${method} ${path}: ${field}`).toMatch(/\.$/);
      }
    }
  });

  test("has an example for every status with a body, each with that status and a code of its own", async () => {
    const { paths } = await readDocument();
    for (const { path, problems: own } of endpoints) {
      const responses: Record<string, Described> = Object(paths)[path].get.responses;
      const documented = new Set<string>();
      for (const [status, { content = {}, headers = {} }] of Object.entries(responses)) {
        const [type, body] = Object.entries(content)[0] ?? [null, null];
        expect(headers, status).toHaveProperty("X-Request-Id");
        if (status === "200") expect(body?.example).toBeDefined();
        if (status === "200" || status === "304") continue;
        expect(type).toBe("application/problem+json");
        for (const [code, { value }] of Object.entries(body?.examples ?? {})) {
          expect(value).toMatchObject({ status: Number(status), code });
          documented.add(code);
        }
      }
      expect([...documented]).toEqual(
        expect.arrayContaining([...own, "unauthorized", "unavailable"]),
      );
    }
  });

  test("describes the webhook bodies", async () => {
    const document = await readDocument();
    expect(Object.keys(document["webhooks"] ?? {})).toEqual([
      "review.created",
      "review.updated",
      "review.rating_drop",
      "reviews.spike",
      "channel.failing",
    ]);
  });

  test("is there without webhooks, and otherwise the same", async () => {
    const { webhooks: left, ...others } = await readUnresolved();
    expect(Object.keys(left).length).toBeGreaterThan(0);
    expect(await readUnresolved("?webhooks=false")).toEqual(others);
  });

  test("a review may be without a sentiment", async () => {
    const { schemas } = Object((await readDocument())["components"]);
    const { anyOf } = schemas.Review.properties.sentiment;
    expect(anyOf).toContainEqual({ $ref: "#/components/schemas/Sentiment" });
    expect(anyOf).toContainEqual({ type: "null" });
  });

  test("describes every operation, and has a contact", async () => {
    const { paths, info } = await readDocument();
    const operations = Object.entries(paths ?? {}).flatMap(([path, byMethod]) =>
      Object.entries<{ description: string }>(Object(byMethod)).map(
        ([method, { description }]) => ({
          name: `${method} ${path}`,
          description,
        }),
      ),
    );
    expect(operations.length).toBeGreaterThan(40);
    for (const { name, description } of operations) expect(description, name).toMatch(/\.$/);
    expect(Object(info).contact.url).toMatch(/^https:/);
    expect(Object(info).description).not.toContain("read-only");
  });

  test("no property can only be null, and no object is described twice", async () => {
    const found = new Map<string, string[]>();
    const nulls: string[] = [];
    function visit(value: unknown, path: string): void {
      if (typeof value !== "object" || value === null) return;
      const { type, properties } = value as { type?: unknown; properties?: unknown };
      if (type === "null" && !/\/anyOf\/\d+$/.test(path)) nulls.push(path);
      if (typeof type === "string" && typeof properties === "object") {
        const shape = JSON.stringify(properties);
        found.set(shape, [...(found.get(shape) ?? []), path]);
      }
      for (const [name, part] of Object.entries(value)) {
        if (name !== "example" && name !== "examples") visit(part, `${path}/${name}`);
      }
    }
    visit(await readUnresolved(), "");
    expect(nulls).toEqual([]);
    // Two names may differ in the fields that they require: what is created, and what is changed.
    const isNamed = (path: string): boolean => /^\/components\/schemas\/\w+$/.test(path);
    const repeated = [...found.values()].filter(
      (paths) => paths.length > 1 && !paths.every(isNamed),
    );
    expect(repeated).toEqual([]);
    expect(found.size).toBeGreaterThan(50);
  });

  test("no pattern has what the engines of Go and Rust lack", async () => {
    const text = JSON.stringify(await readUnresolved());
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, one = '""']) =>
      String(JSON.parse(one)),
    );
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((one) => /\(\?<?[=!]|\\[1-9]/.test(one))).toEqual([]);
  });

  test("no schema has the name of what generators make of another one", async () => {
    const names = Object.keys((await readUnresolved()).components.schemas);
    // Go: a function that makes an App is NewApp. Several file systems and languages know no case.
    const made = names.flatMap((name) => [`New${name}`, `Nullable${name}`, `${name}ToJSON`]);
    expect(names.filter((name) => made.includes(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test("every reference leads somewhere", async () => {
    const document = await readUnresolved();
    const pattern = /"#\/components\/(schemas|responses|headers)\/([\w.-]+)"/g;
    const named = [...JSON.stringify(document).matchAll(pattern)];
    expect(new Set(named.map(([, kind]) => kind)).size).toBe(3);
    for (const [, kind = "", name = ""] of named) {
      expect(Object.keys(document.components[kind]), kind).toContain(name);
    }
  });

  test("every example is what its schema says, field by field and in order", () => {
    const shown: [z.ZodObject, object][] = [
      ...endpoints.map(({ responseSchema: body, id }): [z.ZodObject, object] => [
        body,
        Object(examples[id]),
      ]),
      ...webhooks.map(({ body, event }): [z.ZodObject, object] => [body, Object(examples[event])]),
    ];
    for (const [schema, example] of shown) {
      expect(JSON.stringify(schema.parse(example))).toBe(JSON.stringify(example));
    }
  });

  test("needs no key, may be cached for a while and is revalidated with 304", async () => {
    const { headers } = await context.request("/api/v1/openapi.json", { key: null });
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    const known = { "if-none-match": headers.get("etag") ?? "" };
    const again = await context.request("/api/v1/openapi.json", { key: null, headers: known });
    expect(again.status).toBe(304);
  });
});

describe("/docs", () => {
  const text = renderReference(
    describeApi({ serverUrl: "https://reviews.example/api/v1", version: "1" }),
  );

  test("loads its own style sheet and script, and nothing from elsewhere", async () => {
    const { status, headers } = await context.request("/docs", { key: null });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    for (const [path, type] of [
      ["/docs/style.css", "text/css; charset=utf-8"],
      ["/docs/page.js", "text/javascript; charset=utf-8"],
      ["/docs/search.json", "application/json"],
      ["/llms.txt", "text/plain; charset=utf-8"],
      ["/docs/guides/quick-start.md", "text/markdown; charset=utf-8"],
      ["/docs/guides/images/slack-message.png", "image/png"],
    ] as const) {
      const file = await context.request(path, { key: null });
      expect([path, file.status, file.headers.get("content-type")]).toEqual([path, 200, type]);
    }
    expect(text).not.toMatch(/<script>|<img|<form|<iframe|@import|url\(|\son\w+=|style="/i);
    expect(
      [...text.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)].map(([, to]) => to),
    ).toEqual(["/docs/style.css", "/docs/page.js"]);
  });

  test("nothing but the built files can be requested", async () => {
    for (const path of [
      "guides/nothing",
      "guides/glossary",
      "guides/README",
      "guides/..%2F..%2Fpackage.json",
      "%00",
      "docs-site",
    ]) {
      const { status } = await context.request(`/docs/${path}`, { key: null });
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test("has each request in four languages, every status of an endpoint, and the topics", () => {
    for (const id of ["curl", "node", "python", "go"]) {
      expect(text.match(new RegExp(`id="in-${id}"`, "g"))).toHaveLength(1);
      expect(text.match(new RegExp(`class="example in-${id}"`, "g"))).toHaveLength(
        endpoints.length,
      );
    }
    const routeCount = endpoints.length + manageRoutes().length;
    expect(text.match(/<code>431<\/code>/g)).toHaveLength(routeCount);
    for (const name of topicNames) expect(text).toContain(`<code>${name}</code>`);
  });

  test("shows every endpoint, parameter, field, event and error, and every link inside leads on", () => {
    const shown = [
      ...endpoints.flatMap(({ path, parameters, responseSchema: body }) => [
        `https://starpost.example.com/api/v1${path.replace("{review}", "$REVIEW_ID").replace("{version}", "$VERSION_ID")}`,
        ...[parameters, body].flatMap(({ shape }) =>
          Object.keys(shape).map((name) => `<code>${name}</code>`),
        ),
      ]),
      ...webhooks.map(({ event }) => `</span> ${event}</h3>`),
      ...problemCodes.map((code) => `id="error-${code}"`),
    ];
    expect(shown.filter((part) => !text.includes(part))).toEqual([]);
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(12);
    expect(links.filter((id) => !text.includes(`id="${id}"`))).toEqual([]);
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("is where a problem's type points, and where the start page leads", async () => {
    const { json } = await context.request("/api/v1/apps", { key: null });
    expect(json).toMatchObject({ type: "https://reviews.example/docs#error-unauthorized" });
    const start = await context.request("/", { key: null });
    expect(start.status).toBe(302);
    expect(start.headers.get("location")).toBe("/docs");
  });
});
