// HTTP channels as people create and change them: what is kept together, and what is never shown again.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChannel, updateChannel } from "../../../test/support/acts.ts";
import { aWorkspace } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { type ChannelInput, channelDefaults } from "../../domain/channel/channel.ts";
import { createSecretBox } from "../../lib/secret-box.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

const secretBox = createSecretBox([randomBytes(32)]);
const checkUrl = async () => ({ ok: true }) as const;
const deps = () => ({ ...context, secretBox, actor: "cli", checkUrl });

async function create(input: Partial<ChannelInput>) {
  const { id: workspaceId } = await aWorkspace(context.database);
  const url = "https://hooks.example.com/starpost";
  return createChannel(deps(), { ...channelDefaults, name: "Desk", url, ...input, workspaceId });
}

async function openStored(id: string): Promise<string> {
  const found = await context.database.findChannelSecret(id);
  return secretBox.open(found?.encryptedSecret ?? Buffer.alloc(0), id);
}

test("an HTTP channel keeps URL, headers and token together, and shows none of them", async () => {
  const request = { method: "POST", body: '{"text":"{{heading}}"}' } as const;
  const url = "https://api.example.com/hooks/secret-0123";
  const http = {
    type: "http",
    url,
    headers: "X-Key: {{token}}",
    token: "abc-123",
    request,
  } as const;
  const { channel, secret } = await create(http);
  expect(secret).toBeNull();
  expect(JSON.stringify(channel)).not.toMatch(/abc-123|secret-0123|X-Key/);
  expect(channel).toMatchObject({ url: "https://api.example.com/…0123", request });
  const update = (change: Partial<ChannelInput>) =>
    updateChannel(deps(), { id: channel.id, workspaceId: null, change });
  const refused = (field: string) => ({ fields: [{ field, message: expect.any(String) }] });
  await expect(update({ token: "other" })).rejects.toMatchObject(refused("url"));
  await expect(update({ headers: "A: b" })).rejects.toMatchObject(refused("url"));
  // The service would show it to everyone who may change the channel.
  const leaks = [
    '{"a":"{{token}}"}',
    '{"a":"{{\\u0074oken}}"}',
    '{"a":"{{#event}}{{token}}{{/event}}"}',
  ];
  for (const body of leaks)
    await expect(update({ request: { ...request, body } })).rejects.toMatchObject(refused("url"));
  for (const place of [{ errorAt: "/error" }, { idAt: "/id" }])
    await expect(update({ request: { ...request, ...place } })).rejects.toMatchObject(
      refused("url"),
    );
  await update({ request: { ...request, body: '{"text":"{{review.text}}"}' } });
  expect(JSON.parse(await openStored(channel.id))).toMatchObject({ url, token: "abc-123" });
  const moved = await update({ url: "https://api.example.com/other" });
  expect(moved.warning).toContain("Removed with the former URL: headers and token");
  expect(JSON.parse(await openStored(channel.id))).toMatchObject({ headers: [], token: "" });
  const again = await update({ url, token: "abc", headers: "A: b" });
  expect(again.warning ?? "").not.toContain("Removed");
  const half = await update({ url, token: "abc" });
  expect(half.warning).toContain("Removed with the former URL: headers.");
  await expect(create({ ...http, request: undefined })).rejects.toMatchObject(refused("request"));
  await expect(create({ request })).rejects.toMatchObject(refused("request"));
  for (const headers of ["Host: a", "no colon", "A: b\nA: c", "A: b\u0000", "A: ü"])
    await expect(create({ ...http, headers })).rejects.toMatchObject(refused("headers"));
  const path = "/../../admin";
  const outside = { ...request, update: { method: "PUT", path, body: "{}" } } as const;
  await expect(create({ ...http, request: outside })).rejects.toThrow("path");
});
