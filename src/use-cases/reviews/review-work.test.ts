// Work on reviews by several people at once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { aWorkspace, startTime } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { changeReviewWork, readReviewWork } from "./review-work.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("a tag and an assignee set at once are both kept, 40 times", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const assigneeId = uuidV7(startTime);
  await context.database.transaction(async (tx) => {
    const passwordHash = "none";
    const email = "ada@example.com";
    await tx.insertUser({ id: assigneeId, email, name: "Ada", passwordHash, createdAt: startTime });
    await tx.insertMember({
      workspaceId,
      userId: assigneeId,
      role: "member",
      joinedAt: startTime,
    });
  });
  for (let round = 0; round < 40; round += 1) {
    const review = { workspaceId, reviewId: uuidV7(context.clock.now()) };
    const named = { id: review.reviewId, rating: 1, app: { id: workspaceId, name: "Tide" } };
    const reviews = { workspaceId, reviews: [named] };
    const deps = { ...context, actor: assigneeId };
    await Promise.all([
      changeReviewWork(deps, { ...reviews, tags: ["urgent"] }),
      changeReviewWork(deps, { ...reviews, assigneeId }),
    ]);
    const { tags, assignee, trail } = await readReviewWork(context.database, review);
    expect({ tags, assignee: assignee?.userId, changes: trail.length }).toEqual({
      tags: ["urgent"],
      assignee: assigneeId,
      changes: 2,
    });
  }
});
