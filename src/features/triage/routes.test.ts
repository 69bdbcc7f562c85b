// The work on reviews over the real service: what a workspace notes, keeps and finds again, for itself alone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import {
  type MailServerDouble,
  openMailServer,
  readParts,
} from "../../../test/support/mail-server.ts";

let world: DashboardFixture;
let mailServer: MailServerDouble;
let lea: DashboardClient;
let ben: DashboardClient;
let stranger: DashboardClient;
let base: string;
let path: string;
let appId: string;
let leaId: string;

beforeAll(async () => {
  mailServer = await openMailServer();
  world = await openDashboardFixture({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      EMAIL_FROM: "Starpost <starpost@example.com>",
      PUBLIC_URL: "http://starpost.localhost",
    },
  });
  lea = await world.signIn({ email: "lea@example.com" });
  ben = await world.signIn({ email: "ben@example.com", role: "member" });
  const elsewhere = await world.addWorkspace("Elsewhere");
  stranger = await world.signIn({ email: "sam@example.com", workspaceId: elsewhere });
  const { workspaceId, deps } = world.service;
  base = `/workspaces/${workspaceId}`;
  const app = await anApp(deps.database, { workspaceId });
  // The same public app: what one workspace notes, the other must not see.
  await anApp(deps.database, { workspaceId: elsewhere, externalAppId: app.externalAppId });
  const [review] = await saveReviews(deps.database, app, [aReview(), aReview(), aReview()]);
  path = `/reviews/${review?.id}`;
  appId = app.id;
  strangersPath = `/workspaces/${elsewhere}/reviews/${review?.id}`;
  leaId = (await lea.get("/session")).json.user.id;
});
afterAll(async () => {
  await world.close();
  await mailServer.close();
});
let strangersPath: string;

describe("the work of a team, one step after the other", { shuffle: false }, () => {
  test("tags and an assignee are kept, filtered by, and recorded in the audit log", async () => {
    const tags = ["  Battery ", "battery", "1.2"];
    const changed = await ben.patch(`${base}${path}/work`, { tags, assignee: "Lea@example.com" });
    expect(changed.json).toMatchObject({
      tags: ["battery", "1.2"],
      assignee: { userId: leaId, name: "lea" },
    });
    expect((await lea.get(`${base}${path}/work`)).json.trail).toMatchObject([
      {
        actor: "ben",
        action: "review.changed",
        detail: {
          changes: {
            tags: [[], ["battery", "1.2"]],
            assignee: [null, { userId: leaId, name: "lea" }],
          },
        },
      },
    ]);
    for (const query of ["tag=Battery", `assignee=${leaId}`]) {
      const { reviews } = (await lea.get(`${base}/reviews?${query}`)).json;
      expect(reviews).toHaveLength(1);
      expect(reviews[0].work).toMatchObject({ tags: ["battery", "1.2"], noteCount: 0 });
      expect((await lea.get(`${base}/reviews/summary?${query}`)).json.total).toBe(1);
    }
    expect((await lea.get(`${base}/reviews?tag=other`)).json.reviews).toEqual([]);
    expect((await lea.get(`${base}/tags`)).json.tags).toEqual([
      { tag: "1.2", count: 1 },
      { tag: "battery", count: 1 },
    ]);
    const cleared = await lea.patch(`${base}${path}/work`, { assignee: null });
    expect(cleared.json).toMatchObject({ tags: ["battery", "1.2"], assignee: null });
  });

  test("several reviews are assigned, tagged and done at once, and their assignee gets one e-mail", async () => {
    const { reviews } = (await ben.get(`${base}/reviews`)).json;
    const chosen = reviews.slice(0, 2).map(({ id }: { id: string }) => id);
    const change = (body: object) =>
      ben.patch(`${base}/reviews/work`, { reviews: chosen, ...body });
    expect((await change({ assignee: leaId, addedTags: ["sync"] })).json).toEqual({
      changedCount: 2,
    });
    // The first was about the one review of the test before.
    const mails = await mailServer.waitFor(2);
    expect(mails.map(({ to }) => to)).toEqual([["lea@example.com"], ["lea@example.com"]]);
    const text = mails.map(({ source }) => readParts(source).text).join();
    expect(text).toContain("ben assigned a review to you in Harbour Apps.");
    expect(text).toContain(`/reviews/${appId}/${path.split("/").at(-1)}`);
    expect(text).toContain("ben assigned 2 reviews to you in Harbour Apps.");
    // Each is quoted.
    expect(text.match(/[★☆]{5} /g)).toHaveLength(3);
    expect(text).toContain(`/reviews?assignee=${leaId}&status=open`);
    const totalOf = async (query: string) =>
      (await lea.get(`${base}/reviews/summary?${query}`)).json.total;
    const assigned = async () => (await lea.get(`${base}/alerts`)).json.assignedCount;
    expect([await totalOf("tag=sync"), await assigned()]).toEqual([2, 2]);
    await change({ reviews: chosen.slice(0, 1), isDone: true });
    expect(await assigned()).toBe(1);
    expect([await totalOf("status=done"), await totalOf("status=open")]).toEqual([1, 2]);
    // The same assignee again, and lea by herself: no event is queued.
    await change({ assignee: leaId });
    await lea.patch(`${base}/reviews/work`, { reviews: chosen, assignee: null, isDone: false });
    await lea.patch(`${base}/reviews/work`, { reviews: chosen, assignee: leaId });
    await lea.patch(`${base}/reviews/work`, { reviews: chosen, assignee: null });
    expect(mailServer.mails).toHaveLength(2);
  });

  test("a member who leaves looks after no review, and one who becomes a viewer keeps theirs", async () => {
    await world.signIn({ email: "ina@example.com", role: "member" });
    const { members } = (await lea.get(`${base}/members`)).json;
    const { userId } = members.find(({ email }: { email: string }) => email === "ina@example.com");
    await lea.patch(`${base}${path}/work`, { assignee: userId });
    const read = async () => (await lea.get(`${base}${path}/work`)).json.assignee;
    await lea.patch(`${base}/members/${userId}`, { role: "viewer" });
    expect(await read()).toMatchObject({ userId });
    expect((await lea.delete(`${base}/members/${userId}`)).status).toBe(200);
    expect(await read()).toBeNull();
  });

  test("of several reviews none is changed when one can't be", async () => {
    const { reviews } = (await ben.get(`${base}/reviews`)).json;
    const body = { reviews: [reviews[0].id, leaId], addedTags: ["half"] };
    expect((await ben.patch(`${base}/reviews/work`, body)).status).toBe(404);
    expect((await ben.get(`${base}/reviews?tag=half`)).json.reviews).toEqual([]);
    expect((await ben.patch(`${base}/reviews/work`, { reviews: [] })).status).toBe(400);
  });

  test("members delete their own notes, and owners any", async () => {
    const review = path.split("/").at(-1);
    const add = async (client: DashboardClient) =>
      (await client.post(`${base}/notes`, { review, text: " Only on tablets. " })).json.id;
    const notes = async (client: DashboardClient) =>
      (await client.get(`${base}${path}/work`)).json.notes;
    const [ofBen, ofLea] = [await add(ben), await add(lea)];
    expect(await notes(ben)).toMatchObject([
      { author: "ben", text: "Only on tablets.", canDelete: true },
      { author: "lea", canDelete: false },
    ]);
    expect((await notes(lea)).map((note: { canDelete: boolean }) => note.canDelete)).toEqual([
      true,
      true,
    ]);
    expect((await ben.delete(`${base}/notes/${ofLea}`)).status).toBe(403);
    for (const id of [ofBen, ofLea])
      expect((await lea.delete(`${base}/notes/${id}`)).status).toBe(200);
    expect(await notes(ben)).toEqual([]);
  });

  test("what can't be is refused", async () => {
    const elsewhereId = (await stranger.get("/session")).json.user.id;
    for (const [body, field] of [
      [{ assignee: elsewhereId }, "assignee"],
      [{ tags: [""] }, "tags"],
      [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, "tags"],
    ] as const) {
      const refused = await lea.patch(`${base}${path}/work`, body);
      expect([refused.status, refused.json.fields[0].field]).toEqual([400, field]);
    }
    expect(
      (await lea.post(`${base}/notes`, { review: path.split("/").at(-1), text: " " })).status,
    ).toBe(400);
  });

  test("another workspace that follows the same app sees nothing of it", async () => {
    expect((await stranger.get(`${strangersPath}/work`)).json).toEqual({
      ...{ tags: [], assignee: null, isDone: false, notes: [], trail: [] },
    });
    const elsewhere = strangersPath.split("/").slice(0, 3).join("/");
    expect((await stranger.get(`${elsewhere}/reviews?tag=battery`)).json.reviews).toEqual([]);
    expect((await stranger.get(`${elsewhere}/tags`)).json.tags).toEqual([]);
  });

  test("a view is renamed and gets other filters, and keeps its own name apart from others", async () => {
    const views = async () => (await lea.get(`${base}/views`)).json.views;
    await lea.post(`${base}/views`, { name: "Crashes", query: "topic=crash" });
    await lea.post(`${base}/views`, { name: "Lately", query: "range=7d" });
    const { id } = (await views()).find(({ name }: { name: string }) => name === "Crashes");
    const change = (body: object) => lea.patch(`${base}/views/${id}`, body);
    const query = "range=14d&topic=crash";
    expect((await change({ name: "Crashes of two weeks", query })).status).toBe(200);
    expect(await views()).toContainEqual({
      id,
      name: "Crashes of two weeks",
      query,
      hasLinks: false,
      version: expect.any(Number),
    });
    const refused = await change({ name: "Lately", query });
    expect([refused.status, refused.json.fields[0].field]).toEqual([400, "name"]);
    for (const view of await views())
      await lea.request(`${base}/views/${view.id}`, { method: "DELETE" });
  });

  test("views are shared, replaced by name, and limited", async () => {
    await lea.post(`${base}/views`, { name: "Bad news", query: "rating=1" });
    const { views } = (await ben.post(`${base}/views`, { name: "Bad news", query: "rating=1%2C2" }))
      .json;
    expect(views).toMatchObject([{ name: "Bad news", query: "rating=1%2C2" }]);
    for (let number = 1; number < 50; number += 1) {
      await lea.post(`${base}/views`, { name: `View ${number}`, query: "" });
    }
    expect((await lea.post(`${base}/views`, { name: "One more", query: "" })).status).toBe(409);
    expect((await lea.delete(`${base}/views/${views[0].id}`)).status).toBe(200);
    expect((await lea.get(`${base}/views`)).json.views).toHaveLength(49);
  });

  test("owners read the audit log page by page", async () => {
    const first = (await lea.get(`${base}/audit`)).json;
    expect(first.entries).toHaveLength(50);
    expect(first.entries[0]).toMatchObject({ actor: "lea", action: "view.removed" });
    const next = (await lea.get(`${base}/audit?before=${first.entries.at(-1).id}`)).json;
    expect(next.hasMore).toBe(false);
    const ids = [...first.entries, ...next.entries].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await ben.get(`${base}/audit`)).status).toBe(403);
  });
});

test("a removed view is had back with its id, by which pages are linked to, and only where no other has it", async () => {
  const views = async () => (await lea.get(`${base}/views`)).json.views;
  await lea.post(`${base}/views`, { name: "Taken away", query: "rating=1" });
  const before = (await views()).find(({ name }: { name: string }) => name === "Taken away");
  const { id, name, query } = before;
  const elsewhere = strangersPath.split("/").slice(0, 3).join("/");
  const stolen = await stranger.post(`${elsewhere}/views`, { id, name: "Mine", query });
  expect([stolen.status, stolen.json.fields[0].field]).toEqual([400, "id"]);
  expect((await lea.delete(`${base}/views/${id}`)).status).toBe(200);
  expect(await views()).not.toContainEqual(before);
  expect((await lea.post(`${base}/views`, { id, name, query })).status).toBe(200);
  expect(await views()).toContainEqual({ ...before, version: expect.any(Number) });
});
