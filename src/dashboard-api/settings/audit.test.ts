// The audit log answers who did what to which thing, from what to what, and by which door.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";

let world: DashboardFixture;
let owner: DashboardClient;
let base: string;

beforeAll(async () => {
  world = await openDashboardFixture();
  owner = await world.signIn({ email: "lea@example.com" });
  base = `/workspaces/${world.service.workspaceId}`;
});
afterAll(() => world.close());

const listEntries = async (query = "") => (await owner.get(`${base}/audit${query}`)).json.entries;

describe("the audit log", { shuffle: false }, () => {
  test("a change has the thing's name, and old and new of what differs alone", async () => {
    const made = await owner.post(`${base}/channels`, {
      name: "Desk",
      url: "https://example.com/one",
      stars: [1, 2],
    });
    const path = `${base}/channels/${made.json.channel.id}`;
    await owner.patch(path, { name: "Desk", url: "https://example.com/two", stars: [1, 2] });
    const [entry] = await listEntries();
    expect(entry).toMatchObject({ actor: "lea", door: "dashboard", action: "channel.updated" });
    expect(entry.detail).toEqual({
      name: "Desk",
      changes: { url: ["https://example.com/one", "https://example.com/two"] },
    });
  });

  test("a replaced secret is named, and never shown", async () => {
    const url = (name: string) => `https://hooks.slack.com/services/T000/B000/${name}`;
    const made = await owner.post(`${base}/channels`, {
      type: "slack",
      name: "Room",
      url: url("firstsecret"),
    });
    await owner.patch(`${base}/channels/${made.json.channel.id}`, { url: url("secondsecret") });
    const [entry] = await listEntries();
    expect(entry.detail).toMatchObject({ name: "Room", replaced: ["url"] });
    expect(JSON.stringify(await listEntries())).not.toMatch(/firstsecret|secondsecret/);
  });

  test("a role has its owner and the role before, and triage names the review", async () => {
    const ben = await world.signIn({ email: "ben@example.com", role: "viewer" });
    const { id } = (await ben.get("/session")).json.user;
    await owner.patch(`${base}/members/${id}`, { role: "member" });
    expect((await listEntries())[0].detail).toEqual({
      name: "ben@example.com",
      changes: { role: ["viewer", "member"] },
    });
    const { database } = world.service.deps;
    const { workspaceId } = world.service;
    const app = await anApp(database, { workspaceId, name: "Tide" });
    const [review] = await saveReviews(database, app, [aReview({ rating: 2 })]);
    await ben.patch(`${base}/reviews/${review?.id}/work`, { isDone: true });
    const [entry] = await listEntries();
    expect(entry).toMatchObject({ actor: "ben", action: "review.changed", subject: review?.id });
    expect(entry.detail).toEqual({
      name: "2 ★ of Tide",
      app: app.id,
      changes: { isDone: [false, true] },
    });
  });

  test("it is searched by person, action, name and value", async () => {
    for (const [words, action] of [
      ["BEN", "review.changed"],
      ["role changed", "member.role_changed"],
      ["room", "channel.updated"],
      ["example.com/two", "channel.updated"],
    ])
      expect((await listEntries(`?q=${encodeURIComponent(words ?? "")}`))[0].action).toBe(action);
    expect(await listEntries("?q=100%25")).toEqual([]);
  });
});
