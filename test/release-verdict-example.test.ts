// The script of examples/release-verdict, and the GitHub action around it: their requests, and their exit code for each
// answer.
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./support/source-tree.ts";

let answer: { status: number; body: object };
let requests: { url: string | undefined; authorization: string | undefined }[];
const server = http.createServer((request, response) => {
  requests.push({ url: request.url, authorization: request.headers.authorization });
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(JSON.stringify(answer.body));
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  requests = [];
});

const folder = path.join(root, "examples/release-verdict");

async function runBash(args: string[], variables: Record<string, string>) {
  const child = spawn("bash", args, { env: { PATH: process.env["PATH"], ...variables } });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exit, output: stdout + stderr };
}

const run = (version = "4.13.0") =>
  runBash([path.join(folder, "verdict.sh")], {
    ...{ STARPOST_URL: url, STARPOST_KEY: "sp_abc" },
    ...{ STARPOST_APP: "app-1", STARPOST_VERSION: version },
  });

/** Runs the step of action.yml as GitHub does: its environment from the inputs, and bash with these options. */
async function runAction(inputs: Record<string, string>) {
  const action = parse(fs.readFileSync(path.join(folder, "action.yml"), "utf8"));
  const [step] = action.runs.steps;
  const valueFor = (name: string): string => {
    if (name === "github.action_path") return folder;
    const input = name.replace("inputs.", "");
    return inputs[input] ?? action.inputs[input].default;
  };
  const env = Object.entries<string>(step.env).map(([name, value]) => [
    name,
    value.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => valueFor(expression)),
  ]);
  const options = ["--noprofile", "--norc", "-e", "-o", "pipefail"];
  return runBash([...options, "-c", step.run], Object.fromEntries(env));
}

test.each([
  ["fine", 0],
  ["worse", 1],
  ["undecided", 2],
] as const)("%s ends with %d and says why", async (result, code) => {
  const app = { id: "app-1", name: "Driftnote", store: "appstore" };
  answer = {
    status: 200,
    body: { app, version: "4.13.0", result, words: "After 23 reviews.", worseBy: 0.2 },
  };
  expect(await run()).toEqual({ code, output: `${result}: After 23 reviews.\n` });
  expect(requests).toEqual([
    {
      url: "/api/v1/releases/4.13.0/verdict?app=app-1&worseBy=0.2",
      authorization: "Bearer sp_abc",
    },
  ]);
});

test.each([
  [404, 2, "undecided: No review of this app names version 4.13.0"],
  [401, 3, "refused the request (HTTP 401)"],
  [503, 3, "did not answer (HTTP 503)"],
])("HTTP %d ends with %d", async (status, code, words) => {
  answer = { status, body: { code: "x" } };
  const ended = await run();
  expect([ended.code, ended.output]).toEqual([code, expect.stringContaining(words)]);
});

test("a version that could change the address is refused before any request", async () => {
  expect((await run("1/../../apps?x=")).code).toBe(3);
  expect(requests).toEqual([]);
});

test.each([
  ["fine", {}, 0],
  ["worse", {}, 1],
  ["undecided", {}, 0],
  ["undecided", { undecided: "fail" }, 2],
] as const)("the action ends a job with %s and %o by %d", async (result, more, code) => {
  answer = { status: 200, body: { version: "4.13.0", result, words: "After 23 reviews." } };
  const inputs = { url, key: "sp_abc", app: "app-1", version: "4.13.0", ...more };
  expect(await runAction(inputs)).toEqual({ code, output: `${result}: After 23 reviews.\n` });
  expect(requests.map((one) => one.url)).toEqual([
    "/api/v1/releases/4.13.0/verdict?app=app-1&worseBy=0.2",
  ]);
});

test("the action fails without an answer, also where undecided passes", async () => {
  answer = { status: 503, body: {} };
  const inputs = { url, key: "sp_abc", app: "app-1", version: "4.13.0" };
  expect((await runAction(inputs)).code).toBe(3);
});
