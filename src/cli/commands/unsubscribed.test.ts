// An address that unsubscribed gets nothing again, whatever the operator enters or applies; the operator is told.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCliHarness } from "../../../test/support/cli-harness.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { answerAsRecipient, readAudience } from "../../use-cases/channels/email-recipients.ts";

let world: TestContext;
let folder: string;
const { run, runJson } = openCliHarness(() => world);
beforeAll(async () => {
  world = await openTestContext();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-unsubscribed-"));
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await world.close();
});

const both = "ann@example.com,bob@example.com";
const warning = /^Nothing is sent to ann@example\.com: they unsubscribed/;
const creation = ["channel", "create", "--type", "email", "--name"];

const ways: Record<string, (workspace: string) => Promise<{ warning: unknown }>> = {
  async "channel update"(workspace) {
    const to = ["--workspace", workspace, "--to", "bob@example.com"];
    const { value } = await runJson([...creation, "Team", ...to]);
    const update = ["channel", "update", String(value["id"]), "--to", both];
    return { warning: (await runJson(update)).value["warning"] };
  },
  async "channel create"(workspace) {
    const argv = [...creation, "Team", "--workspace", workspace, "--to", both];
    return { warning: (await runJson(argv)).value["warning"] };
  },
  async apply(workspace) {
    const file = path.join(folder, "starpost.yaml");
    const channels = [{ name: "Team", type: "email", to: both }];
    fs.writeFileSync(file, JSON.stringify({ workspace, channels }));
    const { exitCode, stderr } = await run(["apply", "-f", file]);
    expect(exitCode).toBe(0);
    return { warning: stderr };
  },
};

test.each(Object.entries(ways))(
  "%s sends nothing to an address that unsubscribed",
  async (name, enter) => {
    const { value } = await runJson(["workspace", "create", "--name", `Of ${name}`]);
    const workspaceId = String(value["id"]);
    const first = [...creation, "First", "--workspace", workspaceId, "--to", both];
    expect((await runJson(first)).value["warning"]).toBeNull();
    const ann = { workspaceId, address: "ann@example.com" };
    await answerAsRecipient(world, { ...ann, purpose: "stop" });
    expect((await enter(`Of ${name}`)).warning).toMatch(warning);
    for (const { id } of await world.database.listChannels({ workspaceId })) {
      const audience = await readAudience(world.database, id);
      expect(audience?.addresses).toEqual(["bob@example.com"]);
    }
    await answerAsRecipient(world, { ...ann, purpose: "confirm" });
    const [channel] = await world.database.listChannels({ workspaceId });
    expect((await readAudience(world.database, channel?.id ?? ""))?.addresses).toHaveLength(2);
  },
);
