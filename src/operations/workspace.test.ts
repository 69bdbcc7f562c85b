// A workspace is exported without secrets, and deleted without touching what others follow.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey, deleteWorkspace } from "../../test/support/acts.ts";
import {
  anApp,
  aReview,
  aWorkspace,
  saveChannel,
  saveReviews,
  saveSnapshots,
} from "../../test/support/factories.ts";
import { listAuditEntries } from "../../test/support/list-audit-entries.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { exportWorkspace } from "../features/exports/export-workspace.ts";
import * as triage from "../features/triage/sql.ts";
import { uuidV7 } from "../lib/uuid.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

async function fill(externalAppId: string) {
  const { database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const deps = { clock: context.clock, database, actor: "test" };
  const app = await anApp(database, { workspaceId, externalAppId });
  const [review] = await saveReviews(database, app, [
    aReview({ text: `Text of ${workspaceId}` }),
    aReview({ text: "Not followed", country: "jp" }),
  ]);
  await saveSnapshots(database, app, [{ region: "us" }, { region: "gb" }, { region: "jp" }]);
  const reviewId = review?.id ?? "";
  const now = context.clock.now();
  const user = { id: uuidV7(now), email: `${workspaceId}@example.com`, name: "Ida" };
  await database.insertUser({ ...user, passwordHash: "", createdAt: now });
  const member = { workspaceId, userId: user.id, role: "owner" as const };
  await database.insertMember({ ...member, joinedAt: now });
  await database.with(triage).insertReviewNote({
    id: uuidV7(now),
    workspaceId,
    reviewId,
    authorId: user.id,
    authorName: null,
    countMax: 9,
    text: `Note of ${workspaceId}`,
    createdAt: now,
  });
  await database.with(triage).saveReviewWork({
    workspaceId,
    reviewId,
    tags: ["sync"],
    assigneeId: null,
    isDone: false,
    now,
  });
  const channel = await saveChannel(database, { workspaceId });
  const { key } = await createKey(deps, { workspaceId, name: "Report" });
  return { workspaceId, app, channel, key };
}

test("an export has everything of the workspace, nothing of others, and no secret", async () => {
  const mine = await fill("101");
  const other = await fill("102");
  const lines: string[] = [];
  const deps = { ...context, actor: "cli" };
  for await (const batch of exportWorkspace(deps, { id: mine.workspaceId })) {
    lines.push(...batch.map((line) => JSON.stringify(line)));
  }
  const kinds = lines.map((line) => JSON.parse(line).kind);
  expect([...new Set(kinds)]).toEqual([
    ...["workspace", "member", "key", "channel", "audit", "app", "review", "rating"],
    ...["reviewWork", "note"],
  ]);
  const ratings = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "rating");
  expect(ratings.map(({ region }) => region)).toEqual(["gb", "us"]);
  const text = lines.join("\n");
  expect(text).toContain(`Text of ${mine.workspaceId}`);
  expect(text).toContain(`Note of ${mine.workspaceId}`);
  // Another workspace follows the other storefront of the listing.
  for (const foreign of [
    "Not followed",
    other.workspaceId,
    other.app.id,
    other.channel.id,
    mine.key,
  ]) {
    expect(text).not.toContain(foreign);
  }
  expect(text).not.toMatch(/secret|hash/i);
});

test("deleting takes what is its own; a shared listing stays for the others", async () => {
  const { database, clock } = context;
  const mine = await fill("201");
  const alone = await anApp(database, { workspaceId: mine.workspaceId, externalAppId: "202" });
  const other = await fill("201");
  expect(other.app.listingId).toBe(mine.app.listingId);
  const deps = { clock, database, actor: "cli" };
  const deleted = await deleteWorkspace(deps, { id: mine.workspaceId });
  expect(deleted).toMatchObject({ channelCount: 1, appCount: 2 });
  expect(await database.findWorkspace(mine.workspaceId)).toBeNull();
  expect(await database.findListing(alone.listingId)).toBeNull();
  const scope = { workspaceId: mine.workspaceId };
  expect(await database.listChannels(scope)).toEqual([]);
  expect(await database.listApiKeys(scope)).toEqual([]);
  expect(await database.findListing(other.app.listingId)).not.toBeNull();
  expect(
    await database.findApp({ id: other.app.id, workspaceId: other.workspaceId }),
  ).not.toBeNull();
  const entries = await listAuditEntries(database, mine.workspaceId);
  expect(entries.at(-1)).toMatchObject({ action: "workspace.deleted", actor: "cli" });
  await expect(deleteWorkspace(deps, { id: mine.workspaceId })).rejects.toThrow("workspace");
});
