// starpost apply and export config, on the database.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { openCliHarness } from "../../../test/support/cli-harness.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";

let world: TestContext;
let folder: string;
const { run } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
});
afterAll(() => world.close());
let count = 0;
let workspace: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-apply-"));
  vi.stubEnv("SLACK_URL", "https://hooks.slack.com/services/T0/B0/abcdefgh");
  count += 1;
  workspace = `Harbour ${count}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true });
});

function write(text: string, name = "starpost.yaml"): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text.replaceAll("Harbour", workspace));
  return file;
}

const setup = `
workspace: Harbour
apps:
  - { store: appstore, externalAppId: "4242", name: Tide, isCollected: false }
topics:
  - { name: opening_hours, phrases: [opening hours] }
views:
  - { name: Bad, query: "app=appstore%2F4242&rating=1" }
channels:
  - name: Desk
    url: https://hooks.example.com/starpost
    apps: [appstore/4242]
    topics: [opening_hours]
    stars: [2, 1]
  - { name: Team, type: slack, url: "env:SLACK_URL", view: Bad }
`;

const names = "SLACK_URL,STARPOST_TEAM_URL,NOT_SET_ANYWHERE,ENCRYPTION_KEY";
const apply = (file: string, ...more: string[]) =>
  run(["apply", "--file", file, "--allow-env", names, ...more]);
type Step = { action: string; kind: string; name: string; fields: string[] };
const planOf = async (file: string, ...more: string[]): Promise<Step[]> => {
  const { stdout } = await apply(file, "--json", ...more);
  return JSON.parse(stdout);
};

async function exportConfig(): Promise<{ text: string; parsed: ReturnType<typeof Object> }> {
  const { exitCode, stdout } = await run(["export", "config", "--workspace", workspace]);
  expect(exitCode).toBe(0);
  return { text: stdout, parsed: parse(stdout) };
}

describe("apply", () => {
  test("creates everything once; the second time there is nothing to do", async () => {
    const file = write(setup);
    const steps = await planOf(file);
    expect(steps.map(({ action, kind, name }) => `${action} ${kind} ${name}`)).toEqual([
      `create workspace ${workspace}`,
      "create topic opening_hours",
      "create app appstore/4242",
      "create view Bad",
      "create channel Desk",
      "create channel Team",
    ]);
    expect(await planOf(file)).toEqual([]);
    const again = await apply(file, "--detailed-exit-code");
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining("Nothing to do.")]);
  });

  test("what export writes is what was applied, without a secret, and applying it changes nothing", async () => {
    await planOf(write(setup));
    const { text, parsed } = await exportConfig();
    expect(text).not.toMatch(/abcdefgh|whsec_/);
    expect(parsed.channels[1]).toMatchObject({ name: "Team", url: "env:STARPOST_TEAM_URL" });
    vi.stubEnv("STARPOST_TEAM_URL", "https://hooks.slack.com/services/T0/B0/abcdefgh");
    const exported = path.join(folder, "exported.yaml");
    fs.writeFileSync(exported, text);
    expect(await planOf(exported, "--prune")).toEqual([]);
    // The same set-up elsewhere has other ids, and the same file.
    const elsewhere = text.replace(workspace, `${workspace} again`);
    fs.writeFileSync(exported, elsewhere);
    expect(await planOf(exported)).toHaveLength(6);
    workspace = `${workspace} again`;
    expect((await exportConfig()).text).toBe(elsewhere);
  });

  test("a dry run prints the same plan and does nothing, and the exit code says whether there is one", async () => {
    const file = write(setup);
    const rehearsal = await apply(file, "--dry-run", "--detailed-exit-code", "--json");
    expect(rehearsal.exitCode).toBe(3);
    expect(await world.database.listWorkspaces()).not.toContainEqual(
      expect.objectContaining({ name: workspace }),
    );
    expect(await planOf(file)).toEqual(JSON.parse(rehearsal.stdout));
  });

  test("changes what differs, with the names of the fields and no value", async () => {
    await planOf(write(setup));
    vi.stubEnv("SLACK_URL", "https://hooks.slack.com/services/T0/B0/zzzzefgh");
    const changed = setup
      .replace("stars: [2, 1]", "isPaused: true")
      .replace("hours]", "hours, open]");
    const { stdout } = await apply(write(changed), "--json");
    expect(stdout).not.toContain("zzzz");
    expect(JSON.parse(stdout)).toEqual([
      { action: "change", kind: "topic", name: "opening_hours", fields: ["phrases"] },
      { action: "change", kind: "channel", name: "Desk", fields: ["stars", "isPaused"] },
      { action: "change", kind: "channel", name: "Team", fields: ["url"] },
    ]);
    expect(await planOf(write(changed))).toEqual([]);
  });

  test("removes on request alone, and only in sections that the file has", async () => {
    await planOf(write(setup));
    const file = write("workspace: Harbour\nchannels: []\nviews: []\n");
    expect(await planOf(file)).toEqual([]);
    const steps = await planOf(file, "--prune");
    expect(steps.map(({ action, name }) => `${action} ${name}`)).toEqual([
      "remove Desk",
      "remove Team",
      "remove Bad",
    ]);
    const { parsed } = await exportConfig();
    expect([parsed.apps.length, parsed.topics.length, parsed.views]).toEqual([1, 1, []]);
  });

  test.each([
    [
      "a channel whose topic does not exist",
      setup.replace("topics: [opening_hours]", "topics: [nothing]"),
    ],
    ["an app that is not followed", setup.replace("apps: [appstore/4242]", "apps: [appstore/1]")],
    ["a name that is there twice", setup.replace("name: Team", "name: Desk")],
    ["an unknown field", `${setup}    colour: red\n`],
    ["a variable that is not set", setup.replace("env:SLACK_URL", "env:NOT_SET_ANYWHERE")],
    ["a setting of Starpost", setup.replace("env:SLACK_URL", "env:ENCRYPTION_KEY")],
    ["a variable that was not allowed", setup.replace("env:SLACK_URL", "env:HOME")],
    ["no YAML", "workspace: [\n"],
  ])("%s is refused, and nothing is done", async (_, text) => {
    const { exitCode } = await apply(write(text));
    expect([1, 2]).toContain(exitCode);
    expect(await world.database.listWorkspaces()).not.toContainEqual(
      expect.objectContaining({ name: workspace }),
    );
  });

  test("a secret comes from a file below the folder, and from no other", async () => {
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-outside-"));
    const url = "https://hooks.slack.com/services/T0/B0/abcdefgh";
    for (const file of [path.join(outside, "url"), path.join(folder, "..url")]) {
      fs.writeFileSync(file, `${url}\n`);
    }
    fs.symlinkSync(path.join(outside, "url"), path.join(folder, "link"));
    const applyFrom = (source: string) =>
      apply(write(setup.replace("env:SLACK_URL", `file:${source}`)), "--dry-run");
    for (const source of [path.join(outside, "url"), "../url", "link", "..", "/etc/hostname"]) {
      expect([source, (await applyFrom(source)).exitCode]).toEqual([source, 2]);
    }
    expect((await applyFrom("..url")).exitCode).toBe(0);
    fs.rmSync(outside, { recursive: true });
  });
});
