// starpost analyse, verdict and digest, as a user at a terminal sees them.
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anApp, aReview, aWorkspace, saveReviews } from "../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { analysisVersion } from "../analysis/analyze.ts";
import { readConfig } from "../config/config.ts";
import type { CliContainer, CliContext } from "./context.ts";
import { runCli } from "./run.ts";

let context: TestContext;
beforeEach(async () => {
  context = await openTestContext();
  const app = await anApp(context.database, {
    workspaceId: (await aWorkspace(context.database)).id,
  });
  const words = ["tides", "charts", "harbours", "alarms", "colours", "maps", "sounds"];
  const reviews = Array.from({ length: 630 }, (_, at) =>
    aReview({
      text: `${words[at % 7]} ${at}: ${words[(at >> 3) % 7]} fail ${words[(at >> 6) % 7]}`,
    }),
  );
  await saveReviews(context.database, app, reviews);
});
afterEach(() => context.close());

async function run(...argv: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const parts = {
    ...context,
    config: readConfig({ env: {}, envFile: "no such file" }),
    loadContainer: async () => context as unknown as CliContainer,
    async close() {},
  };
  const exitCode = await runCli(argv, {
    openContext: async () => asContext(parts),
    startService: unused,
    untilStopped: unused,
    loadConfig: unused,
    migrate: unused,
    stdin: new PassThrough(),
    stdout,
    stderr,
  });
  stdout.end();
  stderr.end();
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) };
}

const unused = (): never => {
  throw new Error("no command asks for this");
};

// These commands use no other parts.
function asContext(parts: Pick<CliContext, "clock" | "database" | "loadContainer">): CliContext {
  return parts as CliContext;
}

test("analyse --all shows its progress and its result", async () => {
  const first = await run("analyse", "--all", "--json");
  expect(first.exitCode).toBe(0);
  expect(first.stderr).toContain("500 of 630 reviews\n630 of 630 reviews\n");
  expect(JSON.parse(first.stdout)).toMatchObject({ version: analysisVersion, reviewCount: 630 });
  expect(JSON.parse((await run("analyse", "--all", "--json")).stdout)).toMatchObject({
    reviewCount: 0,
  });
  expect((await run("analyse")).exitCode).not.toBe(0);
  expect((await run("analyse", "--all", "--workspace", "nobody")).exitCode).not.toBe(0);
});

test("verdict has an exit code for each result, and needs a version that a review names", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId });
  await saveReviews(context.database, app, [aReview({ version: "4.2.1" })]);
  const { id } = app;
  const { exitCode, stdout } = await run("verdict", "--app", id, "--version", "4.2.1");
  expect([exitCode, stdout]).toEqual([
    2,
    "undecided\n\nNo verdict: there are no earlier reviews to compare with.\n",
  ]);
  const asJson = await run("verdict", "--app", id, "--version", "4.2.1", "--json");
  expect([asJson.exitCode, JSON.parse(asJson.stdout).result]).toEqual([2, "undecided"]);
  const backtest = await run("verdict", "--app", id, "--backtest", "--json");
  expect([backtest.exitCode, JSON.parse(backtest.stdout)]).toMatchObject([
    0,
    [{ version: "4.2.1" }],
  ]);
  for (const wrong of [[], ["--version", "9"], ["--version", "4.2.1", "--worse-by", "3"]])
    expect((await run("verdict", "--app", id, ...wrong)).exitCode).toBe(3);
  const wait = await run("verdict", "--app", id, "--version", "4.2.1", "--wait", "1y");
  expect(wait.stderr).toContain("must be like 90m, 24h or 3d");
});

test("digest says what changed in sentences, and with --json as data", async () => {
  const app = (await context.database.listApps({ workspaceId: null }))[0]?.id ?? "";
  const { exitCode, stdout } = await run("digest", "--app", app, "--to", "2026-11-21");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("From 15 Nov to 21 Nov there were 630 reviews");
  expect(stdout).toMatch(/^ {2}[1-5]★ 2026-11-21/m);
  const asJson = await run("digest", "--app", app, "--since", "4.2.1", "--json");
  expect(JSON.parse(asJson.stdout)).toMatchObject({ kind: "release", version: "4.2.1" });
  expect((await run("digest", "--app", app, "--to", "21 November")).exitCode).toBe(2);
});
