// Two people work on one review, or save a view, at the same moment: neither loses what the other did.

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { volume } from "../../../test/support/volume.ts";

let world: DashboardFixture;
let lea: DashboardClient;
let ben: DashboardClient;
let workspacePath: string;
let workPath: string;
let leaId: string;

beforeAll(async () => {
  world = await openDashboardFixture();
  lea = await world.signIn({ email: "lea@example.com" });
  ben = await world.signIn({ email: "ben@example.com", role: "member" });
  leaId = (await lea.get("/session")).json.user.id;
  const { workspaceId, deps } = world.service;
  const app = await anApp(deps.database, { workspaceId });
  const [review] = await saveReviews(deps.database, app, [aReview()]);
  workspacePath = `/workspaces/${workspaceId}`;
  workPath = `${workspacePath}/reviews/${review?.id}/work`;
});
afterAll(() => world.close());

test("pairs of changes at once lose neither tags nor the assignee", async () => {
  for (let round = 0; round < volume(20); round += 1) {
    const assignee = round % 2 === 0 ? leaId : null;
    const tag = `round-${round}`;
    await Promise.all([ben.patch(workPath, { tags: [tag] }), lea.patch(workPath, { assignee })]);
    expect((await lea.get(workPath)).json).toMatchObject({
      tags: [tag],
      assignee: assignee && { userId: assignee },
    });
    await Promise.all([
      ben.patch(workPath, { addedTags: ["crash"], removedTags: [tag] }),
      lea.patch(workPath, { addedTags: ["login"] }),
    ]);
    expect((await lea.get(workPath)).json.tags.toSorted()).toEqual(["crash", "login"]);
  }
});

test("added tags count towards the limit of a review", async () => {
  const tags = Array.from({ length: 20 }, (_, index) => `t${index}`);
  await lea.patch(workPath, { tags });
  const refused = await lea.patch(workPath, { addedTags: ["one-more"] });
  expect([refused.status, refused.json.fields[0].field]).toEqual([400, "addedTags"]);
  const replaced = await lea.patch(workPath, { addedTags: ["one-more"], removedTags: ["t0"] });
  expect(replaced.json.tags).toHaveLength(20);
});

test("of eight views saved at once, one is kept when there is room for one", async () => {
  for (let number = 0; number < 49; number += 1) {
    await lea.post(`${workspacePath}/views`, { name: `View ${number}`, query: "" });
  }
  const saved = await Promise.all(
    [..."abcdefgh"].map((name) => ben.post(`${workspacePath}/views`, { name, query: "" })),
  );
  expect(saved.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await lea.get(`${workspacePath}/views`)).json.views).toHaveLength(50);
});
