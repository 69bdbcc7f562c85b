// The code that guides show without a file of its own: it runs as it is printed. Commands, receivers, SQL and
// workflows have tests of their own; a new kind of snippet fails here until its test is chosen.
import { createHmac, timingSafeEqual } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createNodeHandler } from "../sdk/src/handlers/node.ts";
import { createClient } from "../sdk/src/index.ts";
import { readConfig } from "../src/config/config.ts";
import { createFieldReader } from "../src/features/imports/files/field-reader.ts";
import { reviewNames } from "../src/features/imports/files/import-names.ts";
import { readImportFile } from "../src/features/imports/files/import-rows.ts";
import { createReviewReader } from "../src/features/imports/files/parse-review.ts";
import { root } from "./support/source-tree.ts";
import { fixtures, secret, sendNow } from "./support/webhook-fixtures.ts";

const docs = fs
  .readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && !name.startsWith("adr/"));
const files = ["README.md", "sdk/README.md", ...docs.map((name) => `docs/${name}`)];

/** Blocks of code with a language; of commands and output without one, other tests take care. */
const snippets = files.flatMap((file) =>
  [
    ...fs
      .readFileSync(path.join(root, file), "utf8")
      .matchAll(/^( *)```([a-z]+)\n([\s\S]*?)^ *```$/gm),
  ].map(([, indent = "", language = "", code = ""]) => ({
    file,
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  })),
);

function find(file: string, language: string): string[] {
  return snippets
    .filter((one) => one.file === file && one.language === language)
    .map(({ code }) => code);
}

/** Runs a snippet with these names in the place of its imports. */
async function run(code: string, scope: Record<string, unknown>): Promise<unknown> {
  const body = code.replaceAll(/^import .*$/gm, "");
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<unknown>;
  return new AsyncFunction(...Object.keys(scope), body)(...Object.values(scope));
}

test("every snippet is of a kind that some test runs", () => {
  const elsewhere = [
    // test/product/receivers.test.ts compares them with the programs that it runs.
    ...["go", "php", "python", "ruby"].map((language) => `docs/receivers.md ${language}`),
    "docs/receivers.md js",
    // Generated from the fixtures' bodies, which test/product/receivers.test.ts signs and verifies.
    "docs/receivers.md json",
    // test/product/user-docs.test.ts
    ...["sql", "sh"].map((language) => `docs/pull-recipes.md ${language}`),
    // real-parts/copies.mjs
    ...["python", "json", "yaml"].map((language) => `docs/pull-recipes.md ${language}`),
    // test/product/user-docs.test.ts compares them with packaging/, whose files real-parts/proxies.mjs runs.
    "docs/reverse-proxy.md yaml",
    // test/sql-views.test.ts
    "docs/sql.md sql",
    // test/guide-setup.test.ts and test/product/manage-docs.test.ts
    ...["docs/apply.md yaml", "docs/manage.md bash"],
    // src/features/mcp/mcp-server.test.ts
    "docs/mcp.md json",
    // test/database-settings.test.ts makes its databases by these statements.
    "docs/postgresql.md sql",
    // test/product/monitoring.test.ts has the rules and the name of the job.
    "docs/configuration.md yaml",
    // A picture.
    "docs/development/adding-a-store.md mermaid",
  ];
  const here = [
    ...[
      "README.md js",
      "sdk/README.md ts",
      "docs/import-format.md json",
      "docs/import-format.md csv",
    ],
    ...files.map((file) => `${file} ini`),
  ];
  const kinds = new Set(snippets.map(({ file, language }) => `${file} ${language}`));
  expect([...kinds].filter((kind) => !elsewhere.includes(kind) && !here.includes(kind))).toEqual(
    [],
  );
});

describe("README.md", () => {
  type Verify = (body: Buffer, header: string | undefined, secret: string) => boolean;

  test.each(fixtures)("the verification: $name is $isValid", async ({ isValid, body, headers }) => {
    const [code = ""] = find("README.md", "js");
    const verify = await run(`${code}\nreturn isFromStarpost;`, { createHmac, timingSafeEqual });
    const header = headers["X-Service-Signature"];
    expect((verify as Verify)(Buffer.from(body), header, secret)).toBe(isValid);
  });
});

test("docs/receivers.md: the library of Standard Webhooks takes the channel's secret", async () => {
  const code =
    find("docs/receivers.md", "js").find((text) => text.includes("standardwebhooks")) ?? "";
  const body = '{"event":"review.created"}';
  const at = new Date();
  const headers = {
    "webhook-id": "d-1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("d-1", at, body),
  };
  const scope = { Webhook, secret, body, headers };
  expect(await run(`${code}\nreturn event;`, scope)).toEqual({ event: "review.created" });
});

describe("sdk/README.md", () => {
  const [read = "", changes = "", work = "", setUp = "", receive = ""] = find(
    "sdk/README.md",
    "ts",
  );
  const lines: string[] = [];
  const console = { log: (...values: unknown[]) => void lines.push(values.join(" ")) };

  test("reads apps, all reviews and what changed", async () => {
    const paths: string[] = [];
    const fetchApi: typeof fetch = async (url) => {
      const { pathname } = new URL(String(url));
      paths.push(pathname);
      const review = { id: "r", date: "2026-11-21T08:37:00Z", rating: 1, text: "Slow" };
      return Response.json(
        pathname.endsWith("/apps")
          ? { apps: [{ id: "a", name: "Tidepool", store: "appstore" }] }
          : { reviews: [review], nextCursor: null },
        { headers: { "updated-until": "2026-11-21T09:00:00Z" } },
      );
    };
    const create = (options: Parameters<typeof createClient>[0]) =>
      createClient({ ...options, apiKey: "sp_x", fetch: fetchApi });
    const scope = { createClient: create, process, console, updatedSince: "2026-11-20T00:00:00Z" };
    const code = `${read}\n${changes}\nreturn { reviews, nextCursor, updatedUntil };`;
    expect(await run(code, scope)).toMatchObject({
      nextCursor: null,
      updatedUntil: "2026-11-21T09:00:00Z",
    });
    expect(lines).toEqual(["appstore Tidepool a", "2026-11-21T08:37:00Z 1 Slow"]);
    expect(new Set(paths)).toEqual(new Set(["/api/v1/apps", "/api/v1/reviews"]));
  });

  test("works on reviews", async () => {
    const requests: string[] = [];
    const fetchApi: typeof fetch = async (url, init) => {
      requests.push(`${init?.method} ${new URL(String(url)).pathname}`);
      const reply = { fault: null, publicText: null };
      return Response.json(
        { note: {}, work: {}, reviews: [], reply },
        { headers: { etag: '"1"' } },
      );
    };
    const starpost = createClient({ baseUrl: "http://x", apiKey: "sp_x", fetch: fetchApi });
    const id = "0192f3a8-6d51-7c1e-8f00-3a5b9c7d2e10";
    await run(work, { starpost, id, ids: [id] });
    expect(requests).toEqual([
      `PATCH /api/v1/reviews/${id}/work`,
      "POST /api/v1/notes",
      "PATCH /api/v1/reviews/work",
      `GET /api/v1/replies/${id}`,
      `POST /api/v1/replies/${id}/send`,
    ]);
  });

  test("sets up a channel", async () => {
    const requests: string[] = [];
    const fetchApi: typeof fetch = async (url, init) => {
      const { pathname, search } = new URL(String(url));
      requests.push(`${init?.method} ${pathname}${search}`);
      const body = { channel: { id: "c", name: "Desk" }, secret };
      return Response.json(body, { headers: { etag: '"1"' } });
    };
    const starpost = createClient({ baseUrl: "http://x", apiKey: "sp_x", fetch: fetchApi });
    expect(await run(`${setUp}\nreturn secret;`, { starpost })).toBe(secret);
    expect(requests).toEqual([
      "POST /api/v1/channels",
      "GET /api/v1/channels/c",
      "PATCH /api/v1/channels/c",
      "DELETE /api/v1/channels/c?dryRun=true",
    ]);
  });

  test("receives events", async () => {
    const servers: http.Server[] = [];
    const createServer = (handle: http.RequestListener) => {
      const server = http.createServer(handle);
      servers.push(server);
      return { listen: () => server.listen(0, "127.0.0.1") };
    };
    const env = { STARPOST_SECRET: secret };
    await run(receive, { createServer, createNodeHandler, process: { env }, console });
    const [server] = servers;
    if (!server) throw new Error("the snippet made no server");
    if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const fixture = fixtures.find(({ isValid }) => isValid);
    if (!fixture) throw new Error("no fixture is valid");
    const { body, headers } = sendNow(fixture);
    const url = `http://127.0.0.1:${port}/`;
    const response = await fetch(url, { method: "POST", headers, body });
    expect(response.status).toBe(204);
    expect(lines.at(-1)).toContain(headers["X-Service-Delivery"]);
    server.close();
  });
});

test.each(["json", "csv"])(
  "docs/import-format.md: the %s of reviews is accepted",
  async (language) => {
    const [code = ""] = find("docs/import-format.md", language);
    const chunks = (async function* () {
      yield Buffer.from(code);
    })();
    const file = await readImportFile({ name: `example.${language}`, chunks });
    const app = { store: "appstore", externalAppId: "42" } as const;
    const reader = createReviewReader(file, { app, now: new Date("2026-11-22T00:00:00Z") });
    const readFields = createFieldReader(reviewNames);
    const rows = [];
    for await (const row of file.rows)
      rows.push("fields" in row ? reader.parse(readFields(row.fields)) : row);
    expect(rows).toMatchObject([
      { review: expect.objectContaining({ rating: expect.any(Number) }) },
    ]);
  },
);

test.each(
  snippets.filter(({ language, file }) => language === "ini" && file !== "docs/collections.md"),
)("$file: the settings are accepted", ({ code }) => {
  const env = Object.fromEntries(
    code
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(() => readConfig({ env, envFile: "no such file" })).not.toThrow();
  const names = Object.keys(env).map((name) => name.toLowerCase().replaceAll("_", ""));
  const known = Object.keys(readConfig({ env, envFile: "no such file" })).map((name) =>
    name.toLowerCase(),
  );
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});
