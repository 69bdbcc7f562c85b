// A secret that was shown in part is never taken for the secret, whichever way it comes back.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type ChannelType,
  channelTypeIds,
  channelTypes,
  type DestinationField,
} from "../src/domain/channel/channel-types.ts";
import { type DoorsWorld, openDoorsWorld } from "./support/doors-world.ts";
import { saveChannel } from "./support/factories.ts";

let world: DoorsWorld;
beforeAll(async () => {
  world = await openDoorsWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

/** Types with a URL that is a secret. */
const masked = channelTypeIds.filter((type) =>
  Object.values<DestinationField>(channelTypes[type].fields).some(
    ({ kind }) => kind === "secretUrl",
  ),
);
const request = { method: "POST", body: '{ "text": "{{heading}}" }' };
const masks = [
  "https://hooks.example.com/…Z9x1",
  "https://hooks.example.com/%E2%80%A6Z9x1",
  "https://hooks.example.com/%e2%80%a6Z9x1",
  "https://hooks.example.com/...Z9x1",
  "https://hooks.example.com/services/…Z9x1",
  " https://hooks.example.com/…Z9x1 ",
];

/** Each door: whether the change or creation was refused. */
const doors: Record<
  string,
  (channel: { id: string; type: ChannelType; url: string }) => Promise<boolean>
> = {
  "the dashboard": async ({ id, url }) => {
    const at = `/workspaces/${world.workspaceId}/channels/${id}`;
    return (await world.member("owner").patch(at, { url })).status === 400;
  },
  "the dashboard, for a new one": async ({ type, url }) => {
    const at = `/workspaces/${world.workspaceId}/channels`;
    const body = { name: "New", type, url, ...(type === "http" && { request }) };
    return (await world.member("owner").post(at, body)).status === 400;
  },
  "the API": async ({ id, url }) =>
    (await world.api("PATCH", `/channels/${id}`, { body: { url } })).status === 400,
  "a set-up over the API": async ({ type, url }) => {
    const channel = { name: "Desk", type, url, ...(type === "http" && { request }) };
    return (await world.api("POST", "/setup", { body: { channels: [channel] } })).status === 400;
  },
  "the command line": async ({ id, url }) =>
    (await world.cli("channel", "update", id, "--url", url)).exitCode === 2,
  "a file that is applied": async ({ type, url }) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-masks-"));
    const file = path.join(folder, "setup.yaml");
    const channel = { name: "Desk", type, url, ...(type === "http" && { request }) };
    const workspace = (await world.database.findWorkspace(world.workspaceId))?.name;
    fs.writeFileSync(file, JSON.stringify({ workspace, channels: [channel] }));
    try {
      return (await world.cli("apply", "-f", file)).exitCode === 2;
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  },
};

test.each(masked.flatMap((type) => Object.keys(doors).map((door) => ({ type, door }))))(
  "a mask of $type is refused by $door",
  async ({ type, door }) => {
    const { database, workspaceId } = world;
    const url = "https://hooks.example.com/…Z9x1";
    const { id } = await saveChannel(database, { workspaceId, name: "Desk", type, url });
    const sealed = await database.findChannelSecret(id);
    for (const mask of masks) {
      expect([mask, await doors[door]?.({ id, type, url: mask })]).toEqual([mask, true]);
    }
    expect(await database.findChannelSecret(id)).toEqual(sealed);
    const channels = await database.listChannels({ workspaceId });
    expect(channels.map((channel) => channel.url)).toEqual([url]);
  },
);
