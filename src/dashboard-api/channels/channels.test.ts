// Channels and keys over the real service: made, previewed, tried, their secrets, the log, and a notice
// of one whose endpoint is gone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ApiResponse,
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews, saveSnapshots } from "../../../test/support/factories.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import { type RowChanges, watchRows } from "../../../test/support/row-changes.ts";
import { channelDefaults, channelFiltersSchema } from "../../domain/channel/channel.ts";
import type { App } from "../../domain/feed/listing.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";

let world: DashboardFixture;
let browser: DashboardClient;
let base: string;
let receiver: Receiver;
let app: App;
let changes: RowChanges;

beforeAll(async () => {
  world = await openDashboardFixture({ env: { ROLES: "dashboard,api,deliver" } });
  browser = await world.signIn({ email: "owner@example.com" });
  base = `/workspaces/${world.service.workspaceId}`;
  receiver = await openReceiver();
  const { workspaceId, deps } = world.service;
  app = await anApp(deps.database, { workspaceId });
  const tables = ["pending", "channels", "audit", "key_days"];
  changes = await watchRows(deps.config.databaseUrl ?? "", tables);
});
afterAll(async () => {
  await changes.close();
  await world.close();
  await receiver.close();
});

const filterDefaults = channelFiltersSchema.parse(channelDefaults);
const newChannel = () => ({ ...channelDefaults, name: "Alarm", url: receiver.url });

async function createChannel(): Promise<{ id: string; secret: string }> {
  const response = await browser.post(`${base}/channels`, newChannel());
  expect(response.status).toBe(200);
  return { id: response.json.channel.id, secret: response.json.secret };
}

/** Reads the path again with every change of rows until it is so. */
function until(path: string, isSo: (json: ApiResponse["json"]) => boolean) {
  return changes.until(async () => (await browser.get(path)).json, isSo);
}

describe("a channel", () => {
  test("is made with a secret, changed in part, and its secret is shown again and rotated", async () => {
    const { id, secret } = await createChannel();
    expect(secret).toMatch(/^whsec_/);
    const changed = await browser.patch(`${base}/channels/${id}`, { stars: [1, 2] });
    expect(changed.json.channel).toMatchObject({ name: "Alarm", stars: [1, 2], topics: null });
    expect((await browser.post(`${base}/channels/${id}/secret`)).json).toEqual({
      secret,
      nextSecret: null,
      oldSecretEndsAt: null,
    });
    const { nextSecret } = (await browser.post(`${base}/channels/${id}/secret/next`)).json;
    expect((await browser.get(`${base}/channels/${id}`)).json.hasNextSecret).toBe(true);
    const rotated = await browser.post(`${base}/channels/${id}/secret/rotate`);
    expect(rotated.json).toMatchObject({ secret: nextSecret, nextSecret: null });
    expect(nextSecret).not.toBe(secret);
    expect((await browser.get(`${base}/channels/${id}`)).json.hasNextSecret).toBe(false);
    const acts = await listAuditEntries(world.service.deps.database, id);
    expect(acts.map(({ action }) => action)).toEqual([
      "channel.created",
      "channel.updated",
      "channel.secret_viewed",
      "channel.next_secret_created",
      "channel.secret_rotated",
    ]);
    expect(new Set(acts.map(({ actor }) => actor)).size).toBe(1);
    expect((await browser.delete(`${base}/channels/${id}`)).status).toBe(200);
    expect((await browser.get(`${base}/channels/${id}`)).status).toBe(404);
  });

  test.each([
    [{ url: "ftp://example.com" }, "url"],
    [{ url: "https://example.com/\u0000" }, "url"],
    [{ events: [] }, "events"],
    [{ stars: [6] }, "stars"],
    [{ dropThreshold: -1 }, "dropThreshold"],
    [{ apps: ["nothing"] }, "apps"],
    [{ colour: "red" }, "colour"],
  ])("is refused with %o", async (wrong, field) => {
    const response = await browser.post(`${base}/channels`, { ...newChannel(), ...wrong });
    expect(response.status).toBe(400);
    expect(response.json.fields[0].field).toBe(field);
  });

  test("is tried with a test event, which the log shows with what was sent and answered", async () => {
    const { id } = await createChannel();
    receiver.reply({ kind: "status", status: 200, body: "thanks" });
    const { deliveryId } = (await browser.post(`${base}/channels/${id}/test`)).json;
    const path = `${base}/deliveries/${deliveryId}`;
    const { delivery } = await until(path, (json) => json.delivery.status === "delivered");
    expect(delivery).toMatchObject({ isTest: true, attemptCount: 1, lastStatus: 200, dueAt: null });
    expect(delivery["attempts"]).toMatchObject([{ number: 1, status: 200, answer: "thanks" }]);
    expect(JSON.parse(String(delivery["body"]))).toMatchObject({ channelId: id });
    const log = await browser.get(`${base}/channels/${id}/deliveries?limit=1`);
    expect(log.json).toMatchObject({ deliveries: [{ id: deliveryId }], nextBefore: null });
    const { channel } = (await browser.get(`${base}/channels/${id}`)).json;
    expect(channel.counts).toMatchObject({ delivered: 1, pending: 0 });
    const before = receiver.requests.length;
    expect((await browser.post(`${path}/redeliver`)).json).toEqual({ queued: 1 });
    await receiver.waitFor(before + 1);
    const expired = await browser.post(`${base}/channels/${id}/redeliver-expired`);
    expect(expired.json).toEqual({ queued: 0 });
  });

  test("that fails says since when and why; its log is paged", async () => {
    const { id } = await createChannel();
    receiver.reply({ kind: "status", status: 503 });
    for (let count = 0; count < 3; count += 1) await browser.post(`${base}/channels/${id}/test`);
    await until(`${base}/channels/${id}`, (json) => json.channel.failingSince !== null);
    const { channel } = (await browser.get(`${base}/channels/${id}`)).json;
    expect(channel.failingReason).toContain("503");
    const first = (await browser.get(`${base}/channels/${id}/deliveries?limit=2`)).json;
    expect(first.deliveries).toHaveLength(2);
    const next = `${base}/channels/${id}/deliveries?limit=2&before=${first.nextBefore}`;
    const second = (await browser.get(next)).json;
    expect(second.deliveries).toHaveLength(1);
    expect(second.nextBefore).toBeNull();
    // Its next tries would reach the receiver while another test has it answer otherwise.
    expect((await browser.delete(`${base}/channels/${id}`)).status).toBe(200);
  });

  test("whose endpoint is gone leaves a notice that can be dismissed", async () => {
    const { id } = await createChannel();
    receiver.reply({ kind: "status", status: 410 });
    await browser.post(`${base}/channels/${id}/test`);
    const { notices } = await until(`${base}/channels`, (json) => json.notices.length > 0);
    const [notice] = notices;
    expect(notice).toMatchObject({ channelId: id, name: "Alarm", url: receiver.url });
    expect(notice?.["reason"]).toContain("410");
    const dismissed = await browser.delete(`${base}/notices/${notice?.["id"]}`);
    expect(dismissed.status).toBe(200);
    expect((await browser.get(`${base}/channels`)).json.notices).toEqual([]);
  });
});

test("a preview shows what matches and counts what would have fired", async () => {
  const { database, clock } = world.service.deps;
  const today = dayOf(clock.now());
  const dateOf = (daysAgo: number): Date => new Date(`${addDays(today, -daysAgo)}T00:00:00Z`);
  await saveReviews(
    database,
    app,
    Array.from({ length: 120 }, (_, index) =>
      aReview({
        date: dateOf(index),
        rating: index % 2 === 0 ? 1 : 5,
        topics: index % 4 === 0 ? ["crash", "ads"] : ["ads"],
      }),
    ),
  );
  await saveSnapshots(database, app, [
    { day: addDays(today, -40), average: 4.5, total: 1_000 },
    { day: addDays(today, -20), average: 4.2, total: 1_000 },
    { day: addDays(today, -19), average: 4.1, total: 1_000 },
  ]);
  const preview = async (filters: object) =>
    (await browser.post(`${base}/channels/preview`, { ...filterDefaults, ...filters })).json;
  const all = await preview({});
  expect(all.days).toBe(90);
  expect(all.reviews).toHaveLength(5);
  expect(all.counts).toEqual({
    "review.created": 90,
    "review.updated": 0,
    "review.rating_drop": 1,
  });
  const some = await preview({ stars: [1], topics: ["crash"], events: ["review.created"] });
  expect(some.counts).toEqual({
    "review.created": 23,
    "review.updated": null,
    "review.rating_drop": null,
  });
  expect(some.reviews.every((one: { rating: number }) => one.rating === 1)).toBe(true);
  expect((await preview({ dropThreshold: 0.5 })).counts["review.rating_drop"]).toBe(0);
});

test.each([
  [{ periodDays: 999_999_999 }, "periodDays"],
  [{ stars: [1.5] }, "stars"],
  [{ stars: [70_000] }, "stars"],
  [{ minSampleSize: 0 }, "minSampleSize"],
])("a preview of %o says what can't be right", async (wrong, field) => {
  const response = await browser.post(`${base}/channels/preview`, { ...filterDefaults, ...wrong });
  expect(response.status).toBe(400);
  expect(response.json.fields[0].field).toBe(field);
});

test("a preview takes any words for topics", async () => {
  const { clock, database } = world.service.deps;
  const other = await anApp(database, { workspaceId: world.service.workspaceId });
  await saveReviews(database, other, [aReview({ date: clock.now(), topics: ["crash"] })]);
  const wish = { ...filterDefaults, topics: ["\u0000", "Crash "] };
  expect((await browser.post(`${base}/channels/preview`, wish)).status).toBe(400);
  const response = await browser.post(`${base}/channels/preview`, { ...wish, topics: ["Crash "] });
  expect(response.json.counts["review.created"]).toBeGreaterThan(0);
  await database.deleteApp(other.id);
});

test("a key is shown once, its requests are counted by day, and revoking it ends it at once", async () => {
  const made = await browser.post(`${base}/keys`, { name: "Reports" });
  const { key, apiKey } = made.json;
  expect(key).toMatch(/^sp_/);
  expect(apiKey).toMatchObject({ name: "Reports", prefix: key.slice(0, 9), lastUsedAt: null });
  expect(apiKey.requestDays).toHaveLength(14);
  const requestApps = async () =>
    (
      await fetch(`${world.service.url}/api/v1/apps`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status;
  expect([await requestApps(), await requestApps()]).toEqual([200, 200]);
  const countOf = ({ keys }: ApiResponse["json"]): number =>
    keys.find(({ id }: { id: string }) => id === apiKey.id)?.requestDays.at(-1)?.count ?? 0;
  const listed = await until(`${base}/keys`, (json) => countOf(json) === 2);
  expect(JSON.stringify(listed)).not.toContain(key);
  const revoked = await browser.post(`${base}/keys/${apiKey.id}/revoke`);
  expect(revoked.json.apiKey.revokedAt).not.toBeNull();
  expect(await requestApps()).toBe(401);
  expect((await browser.post(`${base}/keys`, { name: " " })).json.fields[0].field).toBe("name");
});
