// Work on reviews by several people and programs at once, and who may do what with a note.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aKey, anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { act, operationDeps } from "../../../test/support/operations.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { MemberRole } from "../../domain/people/user.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { carryOut } from "../../operations/frame.ts";
import type { Actor } from "../../operations/operation.ts";
import { addNote, removeNote } from "./notes.ts";
import { changeReview, changeReviews } from "./operations.ts";
import { readReviewWork } from "./read-work.ts";

let context: TestContext;
let workspaceId: string;
let reviewIds: string[];
beforeAll(async () => {
  context = await openTestContext();
});
beforeEach(async () => {
  workspaceId = (await aWorkspace(context.database)).id;
  reviewIds = await addReviews(2);
});
afterAll(() => context.close());

async function addReviews(count: number): Promise<string[]> {
  const app = await anApp(context.database, { workspaceId });
  const reviews = Array.from({ length: count }, () => aReview());
  return (await saveReviews(context.database, app, reviews)).map(({ id }) => id);
}

async function addUser(role: MemberRole): Promise<Extract<Actor, { kind: "user" }>> {
  const createdAt = context.clock.now();
  const user = { id: uuidV7(createdAt), name: "Ada", email: `${uuidV7(createdAt)}@example.com` };
  await context.database.insertUser({ ...user, passwordHash: "none", createdAt });
  const member = { workspaceId, userId: user.id, role, joinedAt: createdAt };
  await context.database.insertMember(member);
  const client = { address: "", browser: "" };
  return { kind: "user", user, role, client, assertRecentProof() {} };
}

const oneId = () => reviewIds[0] ?? "";
const read = (reviewId: string) => readReviewWork(context.database, { workspaceId, reviewId });

test("a tag and an assignee set at once are both kept, 40 times", async () => {
  const { user } = await addUser("member");
  for (const id of await addReviews(40)) {
    await Promise.all([
      act(context, changeReview, { workspaceId, id, tags: ["urgent"] }),
      act(context, changeReview, { workspaceId, id, assignee: user.email }),
    ]);
    const { tags, assignee, trail } = await read(id);
    expect({ tags, assignee: assignee?.userId, changes: trail.length }).toEqual({
      tags: ["urgent"],
      assignee: user.id,
      changes: 2,
    });
  }
});

test("a viewer can't be assigned, because viewers see no work on reviews", async () => {
  const [member, viewer] = [await addUser("member"), await addUser("viewer")];
  const assign = (userId: string) =>
    act(context, changeReview, { workspaceId, id: oneId(), assignee: userId });
  await assign(member.user.id);
  await expect(assign(viewer.user.id)).rejects.toThrow(/not a viewer/);
  expect((await read(oneId())).assignee?.userId).toBe(member.user.id);
});

test("a change that changes nothing leaves the version and the audit log as they are", async () => {
  const change = { workspaceId, id: oneId(), addedTags: ["crash"], isDone: true };
  const { version } = await act(context, changeReview, change);
  expect((await act(context, changeReview, change)).version).toBe(version);
  const again = { workspaceId, reviews: reviewIds, addedTags: ["crash"], isDone: true };
  expect((await act(context, changeReviews, again)).changedCount).toBe(1);
  const trails = await Promise.all(reviewIds.map(read));
  expect(trails.map(({ trail }) => trail.map(({ action }) => action))).toEqual([
    ["review.changed"],
    ["review.changed"],
  ]);
});

test("each of several reviews has its own entry, and a review that is missing stops all", async () => {
  const change = { workspaceId, reviews: reviewIds, addedTags: ["sync"] };
  await act(context, changeReviews, change);
  for (const id of reviewIds) {
    const { trail } = await read(id);
    expect(trail).toMatchObject([{ subject: id, detail: { changes: { tags: [[], ["sync"]] } } }]);
  }
  const missing = uuidV7(context.clock.now());
  const half = { workspaceId, reviews: [oneId(), missing], addedTags: ["half"] };
  await expect(act(context, changeReviews, half)).rejects.toMatchObject({ code: "not_found" });
  expect((await read(oneId())).tags).toEqual(["sync"]);
});

test("a note raises the version of its review, so that a stale change is refused", async () => {
  const input = { tags: ["late"] };
  const ref = { workspaceId, id: oneId() };
  const { version } = await act(context, changeReview, { ...ref, isDone: true });
  await act(context, addNote, { workspaceId, review: oneId(), text: "Wait for 4.2" });
  const stale = carryOut(operationDeps(context), changeReview, {
    ...ref,
    actor: { kind: "operator", name: "cli" },
    input,
    expected: { versions: [version], code: "conflict" },
  });
  await expect(stale).rejects.toThrow("cli: review.note_added");
});

test.each([
  ["member", false],
  ["owner", true],
] as const)("a %s deletes a note of others: %s", async (role, isAllowed) => {
  const author = await addUser("member");
  const input = { review: oneId(), text: "Refunded" };
  const deps = operationDeps(context);
  const write = (actor: Actor) => carryOut(deps, addNote, { workspaceId, actor, input });
  const { result: note } = await write(author);
  const removal = carryOut(deps, removeNote, {
    workspaceId,
    id: note.id,
    actor: await addUser(role),
    input: undefined,
  });
  if (isAllowed) await removal;
  else await expect(removal).rejects.toMatchObject({ code: "forbidden" });
  expect((await read(oneId())).notes).toHaveLength(isAllowed ? 0 : 1);
});

test("a note names the program or the operator that wrote it", async () => {
  const input = { review: oneId(), text: "Refunded" };
  const { id } = await aKey(context.database, { id: workspaceId }, "manage");
  await act(context, addNote, { workspaceId, ...input });
  const actor = { kind: "key", id, name: "Desk" } as const;
  await carryOut(operationDeps(context), addNote, { workspaceId, actor, input });
  const { notes } = await read(oneId());
  expect(notes.map(({ author }) => author)).toEqual(["cli", "API key Desk"]);
});
