// The owners get an e-mail when a key points a channel elsewhere: once, after the change, and never for a rehearsal.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  hook,
  type ManageContext,
  openManageContext,
} from "../../../test/support/manage-context.ts";
import { createUser } from "../../use-cases/accounts/users.ts";
import type { ServiceMail } from "../../use-cases/service-mail.ts";

const mails: ServiceMail[] = [];
let world: ManageContext;
beforeAll(async () => {
  world = await openManageContext({
    settings: { publicUrl: "https://starpost.example" },
    sendMail: async (mail) => {
      mails.push(mail);
      return { isSent: true };
    },
  });
});
beforeEach(async () => {
  await world.renew();
  mails.length = 0;
  const { clock, database, workspaceId } = world;
  const deps = { clock, database, actor: "test" };
  const input = { email: "mara@example.com", name: "Mara", password: null, workspaceId };
  await createUser(deps, { ...input, role: "owner", acceptsUnconfirmed: true });
});
afterAll(() => world.close());

const elsewhere = "https://elsewhere.example.com/hook";

test("a changed URL is mailed to the owners, with the key's name", async () => {
  const { channel } = await world.call("POST", "/channels", { name: "Desk", url: hook });
  await world.call("PATCH", `/channels/${channel.id}?dryRun=true`, { url: elsewhere });
  await world.call("PATCH", `/channels/${channel.id}`, { name: "Help", url: hook });
  await world.call("PATCH", `/channels/${channel.id}`, { url: elsewhere });
  await expect.poll(() => mails.length).toBe(1);
  expect(mails[0]).toMatchObject({ to: "mara@example.com" });
  expect(mails[0]?.paragraphs[0]).toMatch(/^API key .+ changed where the channel "Help" sends/);
});

test("a file that moves a channel is mailed after it was applied, and not when it fails", async () => {
  await world.call("POST", "/channels", { name: "Desk", url: hook });
  const moved = { channels: [{ name: "Desk", url: elsewhere }] };
  await world.call("POST", "/setup?dryRun=true", moved);
  const faulty = { channels: [...moved.channels, { name: "Other", url: "http://insecure" }] };
  expect((await world.send("POST", "/setup", { body: faulty })).status).toBe(400);
  expect(mails).toEqual([]);
  await world.call("POST", "/setup", moved);
  await expect.poll(() => mails.map(({ to }) => to)).toEqual(["mara@example.com"]);
});
