// The script of examples/release-verdict, and the GitHub action and the fastlane lane around it: their requests, and what
// each answer leads to. Anything but an answer of Starpost about this app and version must not let a release go on.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { openApiTestContext } from "../support/api-test-context.ts";
import { aKey, anApp, aReview, saveReviews } from "../support/factories.ts";
import { root } from "../support/source-tree.ts";

let answer: { status: number; body: object | string };
let requests: { url: string | undefined; authorization: string | undefined }[];
const server = http.createServer((request, response) => {
  requests.push({ url: request.url, authorization: request.headers.authorization });
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
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

const run = (variables: Record<string, string> = {}) =>
  runBash([path.join(folder, "verdict.sh")], {
    ...{ STARPOST_URL: url, STARPOST_KEY: "sp_abc" },
    ...{ STARPOST_APP: "app-1", STARPOST_VERSION: "4.13.0", ...variables },
  });

const app = { id: "app-1", name: "Driftnote", store: "appstore" };
const verdictOf = (result: string) => ({
  status: 200,
  body: { app, version: "4.13.0", result, words: "After 23 reviews.", worseBy: 0.2 },
});

/** Runs the step of action.yml as GitHub does: its environment from the inputs, and bash with these options. */
async function runAction(inputs: Record<string, string>) {
  const action = parse(await fs.readFile(path.join(folder, "action.yml"), "utf8"));
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
  answer = verdictOf(result);
  expect(await run()).toEqual({ code, output: `${result}: After 23 reviews.\n` });
  expect(requests).toEqual([
    {
      url: "/api/v1/releases/4.13.0/verdict?app=app-1&worseBy=0.2",
      authorization: "Bearer sp_abc",
    },
  ]);
});

const noAnswers: [string, typeof answer][] = [
  ["another app's verdict", { ...verdictOf("fine"), body: { app: { ...app, id: "app-2" } } }],
  ["a verdict on another version", { status: 200, body: { app, version: "4.13", result: "fine" } }],
  ["a result that does not exist", verdictOf("splendid")],
  ["a page of another server", { status: 200, body: "<!doctype html><title>Sign in</title>" }],
  ["an empty page", { status: 200, body: "" }],
  ["the end of another server", { status: 404, body: "<h1>Not Found</h1>" }],
  ["another path", { status: 404, body: { detail: "Nothing here.", code: "not_found" } }],
  ["an app that is unknown", { status: 404, body: { detail: "x", code: "app_not_found" } }],
  ["a wrong key", { status: 401, body: { code: "unauthorized" } }],
  ["an address that moved", { status: 302, body: "" }],
  ["a limit", { status: 429, body: { code: "rate_limited" } }],
  ["a service that starts", { status: 503, body: { code: "unavailable" } }],
];

test.each(noAnswers)("%s ends with 3, in the script and in the action", async (_, served) => {
  answer = served;
  expect((await run()).code).toBe(3);
  const inputs = { url, key: "sp_abc", app: "app-1", version: "4.13.0" };
  expect((await runAction(inputs)).code).toBe(3);
});

test.each([
  [{ STARPOST_VERSION: "1/../../apps?x=" }],
  [{ STARPOST_APP: "app-1&version=1" }],
  [{ STARPOST_APP: "" }],
  [{ WAIT_MINUTES: "soon" }],
  [{ UNKNOWN_VERSION: "fine" }],
])("settings that can't be right end with 3 before any request: %o", async (variables) => {
  expect((await run(variables)).code).toBe(3);
  expect(requests).toEqual([]);
});

test("a closed port ends with 3", async () => {
  expect((await run({ STARPOST_URL: "http://127.0.0.1:9" })).code).toBe(3);
});

test("the real read API is understood: with its base URL, its unknown apps, paths and versions", async () => {
  const context = await openApiTestContext();
  const bridge = http.createServer(async (request, response) => {
    const key = (request.headers.authorization ?? "").replace("Bearer ", "");
    const { status, text } = await context.request(request.url ?? "", { key });
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => bridge.listen(0, "127.0.0.1", resolve));
  try {
    const { workspace } = await context.addWorkspace();
    const { key } = await aKey(context.database, workspace);
    const saved = await anApp(context.database, { workspaceId: workspace.id });
    await saveReviews(context.database, saved, [aReview({ version: "4.13.0" })]);
    const base = `http://127.0.0.1:${(bridge.address() as { port: number }).port}`;
    const runFor = async (more: Record<string, string>) => {
      const variables = { STARPOST_KEY: key, STARPOST_APP: saved.id, STARPOST_URL: base, ...more };
      return (await run(variables)).code;
    };
    // One review decides nothing, and no review names the other version.
    expect(await runFor({})).toBe(2);
    expect(await runFor({ STARPOST_URL: `${base}/api/v1/` })).toBe(2);
    const unknown = { STARPOST_VERSION: "v4.13.0" };
    expect(await runFor(unknown)).toBe(3);
    expect(await runFor({ ...unknown, UNKNOWN_VERSION: "undecided" })).toBe(2);
    const variables = { STARPOST_KEY: key, STARPOST_APP: saved.id, STARPOST_URL: base, ...unknown };
    expect((await run(variables)).output).toContain("Reviews name: 4.13.0");
    expect(await runFor({ STARPOST_URL: `${base}/reviews` })).toBe(3);
    expect(await runFor({ STARPOST_APP: workspace.id })).toBe(3);
    expect(await runFor({ STARPOST_KEY: "sp_abc" })).toBe(3);
    expect(await runFor({ WORSE_BY: "much" })).toBe(3);
  } finally {
    bridge.close();
    await context.close();
  }
});

test.each([
  ["fine", {}, 0],
  ["worse", {}, 1],
  ["undecided", {}, 2],
  ["undecided", { undecided: "pass" }, 0],
] as const)("the action ends a job with %s and %o by %d", async (result, more, code) => {
  answer = verdictOf(result);
  const inputs = { url, key: "sp_abc", app: "app-1", version: "4.13.0", ...more };
  expect(await runAction(inputs)).toEqual({ code, output: `${result}: After 23 reviews.\n` });
  expect(requests.map((one) => one.url)).toEqual([
    "/api/v1/releases/4.13.0/verdict?app=app-1&worseBy=0.2",
  ]);
});

const hasRuby = spawnSync("ruby", ["-v"]).status === 0;

/** Runs the lane of the Fastfile with fastlane's words defined, and prints the call of supply and the error, if any. */
const laneRunner = `
require "json"
class UserError < StandardError; end
module UI; def self.user_error!(text) = raise(UserError, text); end
def lane(_, &block) = $lane = block
def sh(*command, error_callback:) = (system(*command, out: File::NULL, err: File::NULL); yield $?)
def upload_to_play_store(**options) = $call = options
eval File.read("Fastfile")
begin
  options = { version: "4.13.0", version_code: "413", from: "0.1", to: "0.5" }
  $lane.call(options.merge(JSON.parse(ARGV[0], symbolize_names: true)))
rescue UserError => error
end
puts({ call: $call, error: error&.message }.to_json)
`;

test.skipIf(!hasRuby)(
  "the lane raises, halts or leaves a rollout by what the service says",
  async () => {
    const copy = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-lane-"));
    try {
      await fs.cp(folder, copy, { recursive: true });
      const env = { ...process.env, STARPOST_URL: url, STARPOST_KEY: "k", STARPOST_APP: "app-1" };
      const runLane = async (options = {}) => {
        const argv = ["-e", laneRunner, JSON.stringify(options)];
        const child = spawn("ruby", argv, { cwd: copy, env });
        return JSON.parse(await text(child.stdout));
      };
      // Supply finds the release by its code, and changes one without an upload only where there is a rollout.
      const release = { track: "production", version_code: 413, skip_upload_changelogs: true };
      const raised = { call: { ...release, rollout: "0.5" }, error: null };
      answer = verdictOf("fine");
      expect(await runLane()).toMatchObject(raised);
      answer = verdictOf("undecided");
      expect(await runLane()).toEqual({
        call: null,
        error: "There is no verdict on 4.13.0 yet: its rollout stays at 0.1.",
      });
      expect(await runLane({ undecided: "pass" })).toMatchObject(raised);
      answer = verdictOf("worse");
      expect(await runLane()).toMatchObject({
        call: { ...release, release_status: "halted", rollout: "0.1" },
        error: "The reviews of 4.13.0 are worse: its rollout was halted at 0.1.",
      });
      answer = { status: 404, body: "<h1>Not Found</h1>" };
      expect(await runLane()).toEqual({
        call: null,
        error: "Starpost gave no answer about 4.13.0: its rollout stays at 0.1.",
      });
    } finally {
      await fs.rm(copy, { recursive: true });
    }
  },
);

/**
 * Fastlane's own uploader (supply), with a double of Google's API that has the release in a staged rollout: prints the
 * releases of each update of the track.
 */
const uploaderRunner = `
require "json"
module Fastlane; VERSION = "x"; end
module FastlaneCore; class PrintTable; def self.print_values(**); end; end; class QueueWorker; def initialize(*); end; end; end
module UI
  def self.method_missing(name, *arguments) = (raise arguments.first.to_s if name.to_s.end_with?("error!"))
end
$LOADED_FEATURES << "fastlane_core.rb"
def require(name) = name == "fastlane_core" ? true : super
module Supply
  module ReleaseStatus; COMPLETED = "completed"; IN_PROGRESS = "inProgress"; DRAFT = "draft"; HALTED = "halted"; end
  class << self; attr_accessor :config; end
end
eval File.read(ARGV[0]), TOPLEVEL_BINDING, ARGV[0]
Release = Struct.new(:status, :version_codes, :user_fraction, :name)
Track = Struct.new(:releases)
class Client
  attr_reader :updates
  def initialize
    @updates = []
    @track = Track.new([Release.new("inProgress", [413], 0.1, "4.13.0"), Release.new("completed", [412], nil, "4.12.0")])
  end
  def begin_edit(**) = nil
  def tracks(*) = [@track]
  def update_track(_, track) = @updates << track.releases.map(&:to_a)
  def commit_current_edit! = nil
end
call = JSON.parse(ARGV[1], symbolize_names: true)
Supply.config = { package_name: "a.b", release_status: "completed" }.merge(call)
client = Client.new
uploader = Supply::Uploader.new
uploader.define_singleton_method(:client) { client }
uploader.define_singleton_method(:upload_mapping) { |*| }
uploader.perform_upload
puts client.updates.to_json
`;

const uploader = process.env["SUPPLY_UPLOADER"];

// Where it is named (npm run real-parts).
test.skipIf(!hasRuby || uploader === undefined)(
  "fastlane's uploader halts and raises the release by the calls of the lane",
  async () => {
    const common = {
      ...{ track: "production", version_code: 413, skip_upload_apk: true, skip_upload_aab: true },
      ...{ skip_upload_metadata: true, skip_upload_changelogs: true, skip_upload_images: true },
      skip_upload_screenshots: true,
    };
    const upload = async (call: object) => {
      const argv = ["-e", uploaderRunner, String(uploader), JSON.stringify({ ...common, ...call })];
      const child = spawn("ruby", argv);
      return JSON.parse(await text(child.stdout));
    };
    const halted = await upload({ release_status: "halted", rollout: "0.1" });
    expect(halted).toEqual([[["halted", [413], "0.1", "4.13.0"]]]);
    const raised = await upload({ rollout: "0.5" });
    expect(raised).toEqual([[["inProgress", [413], "0.5", "4.13.0"]]]);
  },
);
