// An owner who leaves takes along the keys that change things, and answers for what these keys have made.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";

let world: DashboardFixture;
let lea: DashboardClient;
let base: string;
const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));

beforeAll(async () => {
  world = await openDashboardFixture({ clock });
  lea = await world.signIn({ email: "lea@example.com" });
  base = `/workspaces/${world.service.workspaceId}`;
});
afterAll(() => world.close());

test("a key that changes things stops with its maker, who also made what the key makes", async () => {
  const former = await world.signIn({ email: "leaving@example.com" });
  const body = { name: "Gone script", scope: "manage" };
  const { key, apiKey } = (await former.post(`${base}/keys`, body)).json;
  const send = (method: string, hook?: object) =>
    fetch(`${world.service.url}/api/v1/channels`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(hook && { body: JSON.stringify(hook) }),
    });
  const hook = { name: "Gone hook", url: "http://127.0.0.1:9/gone" };
  expect((await send("POST", hook)).status).toBe(201);
  const flags = async () =>
    (await lea.get(`${base}/outgoing`)).json.items
      .filter(({ name }: { name: string }) => name.startsWith("Gone"))
      .map((item: Record<string, unknown>) => [item["madeBy"], item["hasMakerLeft"]]);
  expect(await flags()).toEqual([
    ["leaving", false],
    ["leaving", false],
  ]);
  const { members } = (await lea.get(`${base}/members`)).json;
  const { userId } = members.find(({ name }: { name: string }) => name === "leaving");
  await lea.patch(`${base}/members/${userId}`, { role: "member" });
  clock.advance(2_000);
  expect((await send("GET")).status).toBe(401);
  await lea.delete(`${base}/members/${userId}`);
  expect((await send("POST", { ...hook, name: "Gone too" })).status).toBe(401);
  expect(await flags()).toEqual([
    ["leaving", true],
    ["leaving", true],
  ]);
  await lea.post(`${base}/keys/${apiKey.id}/keep`);
  clock.advance(2_000);
  expect((await send("GET")).status).toBe(200);
  expect(await flags()).toEqual([
    ["lea", false],
    ["lea", false],
  ]);
});
