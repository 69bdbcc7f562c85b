// Clients that are generated from the OpenAPI document: each is compiled, and asks for a list.
import fs from "node:fs/promises";
import path from "node:path";
import { go, machine, npm, openFolder, python, run } from "./tools.mjs";

/** One and two stars: 16 of the 40 reviews. */
const expected = 16;

async function saveDocument({ url }, folder, query = "") {
  const file = path.join(folder, "openapi.json");
  await fs.writeFile(file, await (await fetch(`${url}/api/v1/openapi.json${query}`)).text());
  return file;
}

/** Without the types of the checkout around it. */
async function compile(tools) {
  const compilerOptions = {
    ...{
      strict: true,
      target: "es2023",
      module: "nodenext",
      lib: ["es2023", "dom", "dom.iterable"],
    },
    ...{ types: [], skipLibCheck: true, rewriteRelativeImportExtensions: true },
  };
  await tools.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["call.ts"] }));
  await tools.run("npx", ["tsc"]);
}

let generator = null;
function loadGenerator() {
  generator ??= (async () => {
    await machine("java", ["-version"], "Debian: default-jre-headless");
    const tools = await python("openapi-generator", ["openapi-generator-cli"]);
    const jar = (
      await tools.run("python", ["-c", "import openapi_generator_cli as c; print(c.__path__[0])"])
    ).trim();
    const file = path.join(jar, "openapi-generator.jar");
    return { tools, file, version: await tools.version("openapi-generator-cli") };
  })();
  return generator;
}

async function generate(world, language, query = "") {
  const { file, version } = await loadGenerator();
  const folder = await openFolder(`openapi-generator-${language}`);
  const document = await saveDocument(world, folder, query);
  const target = path.join(folder, "client");
  const names = "--additional-properties=packageName=starpost,npmName=starpost";
  await run("java", [
    "-jar",
    file,
    "generate",
    "-g",
    language,
    "-i",
    document,
    "-o",
    target,
    names,
  ]);
  return { target, version };
}

export const parts = [
  {
    name: "openapi-generator, Python",
    async run(world) {
      const { target, version } = await generate(world, "python");
      const { tools } = await loadGenerator();
      await tools.run("python", ["-m", "pip", "install", "-q", target]);
      const code = `
import starpost
config = starpost.Configuration(host="${world.url}/api/v1", access_token="${world.manageKey}")
with starpost.ApiClient(config) as client:
    assert len(starpost.AppsApi(client).list_apps().apps) == 1
    page = starpost.ReviewsApi(client).list_reviews(rating=[1, 2], limit=100)
    assert len(page.reviews) == ${expected}, len(page.reviews)
    setup = starpost.SetUpApi(client)
    made = setup.create_view(starpost.ViewInput(name="Python", query="rating=1"))
    assert setup.get_managed_view(made.view.id).view.name == "Python"
    setup.delete_view(made.view.id)
`;
      await tools.run("python", ["-c", code]);
      return version;
    },
  },
  {
    name: "openapi-generator, Go",
    async run(world) {
      await machine("go", ["version"], "https://go.dev");
      const { target, version } = await generate(world, "go");
      // Its own tests name a module that does not exist.
      await fs.rm(path.join(target, "test"), { recursive: true, force: true });
      const code = `package main

import (
	"context"
	"fmt"
	"os"

	starpost "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	config := starpost.NewConfiguration()
	config.Servers = starpost.ServerConfigurations{{URL: "${world.url}/api/v1"}}
	ctx := context.WithValue(context.Background(), starpost.ContextAccessToken, "${world.key}")
	page, _, err := starpost.NewAPIClient(config).ReviewsAPI.ListReviews(ctx).Rating([]int32{1, 2}).Limit(100).Execute()
	if err != nil || len(page.Reviews) != ${expected} {
		fmt.Println(err, page)
		os.Exit(1)
	}
}
`;
      await fs.mkdir(path.join(target, "cmd"));
      await fs.writeFile(path.join(target, "cmd/main.go"), code);
      await run("go", ["mod", "tidy"], { cwd: target });
      await run("go", ["vet", "./..."], { cwd: target });
      await run("go", ["run", "./cmd"], { cwd: target });
      return version;
    },
  },
  {
    name: "openapi-generator, TypeScript",
    async run(world) {
      // It writes no code that compiles for webhooks (docs/api.md).
      const { target, version } = await generate(world, "typescript-fetch", "?webhooks=false");
      await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: target });
      const code = `
import { Configuration, ReviewsApi } from "./dist/index.js";
const api = new ReviewsApi(new Configuration({ basePath: "${world.url}/api/v1", accessToken: "${world.key}" }));
const { reviews } = await api.listReviews({ rating: [1, 2], limit: 100 });
if (reviews.length !== ${expected}) throw new Error(String(reviews.length));
`;
      await run("npm", ["run", "build"], { cwd: target });
      await fs.writeFile(path.join(target, "call.mjs"), code);
      await run("node", ["call.mjs"], { cwd: target });
      return version;
    },
  },
  {
    name: "oapi-codegen",
    async run(world) {
      await machine("go", ["version"], "https://go.dev");
      const version = "v2.8.2";
      const module = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen";
      const generator = await go(module, version, "oapi-codegen");
      const folder = await openFolder("oapi-codegen");
      const document = await saveDocument(world, folder, "?webhooks=false");
      await fs.mkdir(path.join(folder, "starpost"));
      const code = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example/starpost"
)

func main() {
	client, err := starpost.NewClientWithResponses("${world.url}/api/v1")
	if err != nil {
		panic(err)
	}
	limit := 100
	parameters := starpost.ListReviewsParams{Rating: &[]int{1, 2}, Limit: &limit}
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer ${world.key}")
		return nil
	}
	page, err := client.ListReviewsWithResponse(context.Background(), &parameters, key)
	if err != nil || page.JSON200 == nil || len(page.JSON200.Reviews) != ${expected} {
		fmt.Println(err, page)
		os.Exit(1)
	}
}
`;
      await fs.writeFile(path.join(folder, "main.go"), code);
      await fs.writeFile(path.join(folder, "go.mod"), "module example\n\ngo 1.24\n");
      const target = ["-package", "starpost", "-o", "starpost/client.go"];
      const options = { cwd: folder };
      await run(generator, ["-generate", "types,client", ...target, document], options);
      await run("go", ["mod", "tidy"], options);
      await run("go", ["vet", "./..."], options);
      await run("go", ["run", "."], options);
      return version.slice(1);
    },
  },
  {
    name: "openapi-typescript, openapi-fetch",
    async run(world) {
      const tools = await npm("openapi-fetch", [
        "openapi-typescript",
        "openapi-fetch",
        "typescript@5",
      ]);
      await saveDocument(world, tools.folder);
      await tools.run("npx", ["openapi-typescript", "openapi.json", "-o", "api.ts"]);
      await tools.write(
        "call.ts",
        `
import createClient from "openapi-fetch";
import type { paths } from "./api.ts";
const client = createClient<paths>({ baseUrl: "${world.url}/api/v1", headers: { authorization: "Bearer ${world.key}" } });
const { data, error } = await client.GET("/reviews", { params: { query: { rating: [1, 2], limit: 100 } } });
if (data?.reviews.length !== ${expected}) throw new Error(JSON.stringify(error));
`,
      );
      await compile(tools);
      await tools.run("node", ["call.js"]);
      return tools.version("openapi-fetch");
    },
  },
  {
    name: "orval, fetch",
    async run(world) {
      const tools = await npm("orval", ["orval", "typescript@5"]);
      await saveDocument(world, tools.folder);
      const config = {
        starpost: {
          input: "openapi.json",
          output: { target: "api.ts", client: "fetch", baseUrl: `${world.url}/api/v1` },
        },
      };
      await tools.write("orval.config.cjs", `module.exports = ${JSON.stringify(config)};`);
      await tools.run("npx", ["orval", "--config", "orval.config.cjs"]);
      await tools.write(
        "call.ts",
        `
import { listReviews } from "./api.ts";
const { status, data } = await listReviews({ rating: [1, 2], limit: 100 }, { headers: { authorization: "Bearer ${world.key}" } });
if (status !== 200 || data.reviews.length !== ${expected}) throw new Error(JSON.stringify(data));
`,
      );
      await compile(tools);
      await tools.run("node", ["call.js"]);
      return tools.version("orval");
    },
  },
  {
    name: "openapi-python-client",
    async run(world) {
      const tools = await python("openapi-python-client", ["openapi-python-client"]);
      const folder = await openFolder("openapi-python-client");
      const document = await saveDocument(world, folder);
      const target = path.join(folder, "client");
      await tools.run("openapi-python-client", [
        "generate",
        "--path",
        document,
        "--output-path",
        target,
        "--meta",
        "none",
        "--overwrite",
      ]);
      const code = `
from client import AuthenticatedClient
from client.api.reviews import list_reviews
client = AuthenticatedClient(base_url="${world.url}/api/v1", token="${world.key}")
page = list_reviews.sync(client=client, rating=[1, 2], limit=100)
assert len(page.reviews) == ${expected}, page
`;
      await tools.run("python", ["-c", code], { cwd: folder });
      return tools.version("openapi-python-client");
    },
  },
  {
    name: "schemathesis, reads and writes",
    async run(world) {
      const tools = await python("schemathesis", ["schemathesis"]);
      const { url, close } = await openRotatingProxy(world);
      try {
        const folder = await openFolder("schemathesis");
        const document = await saveDocument(world, folder);
        const checks = [
          "not_a_server_error",
          "response_schema_conformance",
          "content_type_conformance",
        ];
        await tools.run(
          "schemathesis",
          [
            ...["run", document, "--url", `${url}/api/v1`, "--checks", checks.join(",")],
            ...[
              "--max-examples",
              "6",
              "--phases",
              "examples,fuzzing",
              "--workers",
              "1",
              "--no-color",
            ],
            // An app that no store can be asked about is looked up in ten storefronts, one a second.
            ...["--request-timeout", "60"],
            // Operations at another service: nothing sends there during a test.
            ...["--exclude-path-regex", "/deliveries/|/channels/.+/(test|rotate|redeliver)"],
          ],
          { cwd: folder },
        );
        return tools.version("schemathesis");
      } finally {
        await close();
      }
    },
  },
];

/** A key and a workspace are limited to 60 requests a minute: requests take turns of the keys of several workspaces. */
async function openRotatingProxy({ url, command }) {
  const keys = [];
  for (let index = 0; index < 24; index += 1) {
    const { id } = await command("workspace", "create", "--name", `Turn ${index}`);
    const made = await command(
      "key",
      "create",
      "--workspace",
      id,
      "--name",
      "Turn",
      "--scope",
      "manage",
    );
    keys.push(made.key);
  }
  let turn = 0;
  const { createServer } = await import("node:http");
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { ...request.headers, authorization: `Bearer ${keys[turn++ % keys.length]}` };
    for (const name of ["host", "connection", "content-length", "transfer-encoding"])
      delete headers[name];
    const hasBody = !["GET", "HEAD"].includes(request.method);
    try {
      const answer = await fetch(`${url}${request.url}`, {
        ...{ method: request.method, headers, redirect: "manual" },
        ...(hasBody && { body: Buffer.concat(chunks) }),
      });
      const kept = [...answer.headers].filter(
        ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection)$/.test(name),
      );
      response.writeHead(answer.status, kept).end(Buffer.from(await answer.arrayBuffer()));
    } catch (error) {
      // What `fetch` refuses to send, such as headers with odd bytes, never reaches the service.
      response
        .writeHead(400, { "content-type": "application/problem+json" })
        .end(JSON.stringify({ detail: String(error) }));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
