// The import of a workspace whose lines have ids of another one: they are made up or taken from its export. Nothing of the
// other workspace changes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportWorkspace } from "../src/features/exports/export-workspace.ts";
import { importWorkspace } from "../src/features/imports/import-workspace.ts";
import { ownTopicLimits } from "../src/features/own-topics/own-topic.ts";
import * as topicStatements from "../src/features/own-topics/sql.ts";
import { templatesMax } from "../src/features/replies/reply.ts";
import * as replyStatements from "../src/features/replies/sql.ts";
import * as triage from "../src/features/triage/sql.ts";
import { createRatingsIngest } from "../src/ingest/ingest-ratings.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { uuidV7 } from "../src/lib/uuid.ts";
import { portableKinds } from "../src/use-cases/portable-kinds.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "./support/factories.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

type Line = { kind: string } & Record<string, unknown>;

async function linesOf(id: string): Promise<Line[]> {
  const lines: object[] = [];
  for await (const batch of exportWorkspace(context, { id })) lines.push(...batch);
  // As they are in the file.
  return JSON.parse(JSON.stringify(lines));
}

function importLines(lines: readonly object[]) {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  const ingests = {
    ingestReviews: createIngest(context),
    ingestRatings: createRatingsIngest(context),
  };
  const source = { name: "export.jsonl", chunks: chunks() };
  return importWorkspace({ ...context, ...ingests }, { source });
}

const newId = (): string => uuidV7(context.clock.now());
const workspaceLine = (id: string) => ({
  ...{ kind: "workspace", id, name: `Other ${id}`, plan: "starter" },
  createdAt: "2026-11-01T00:00:00Z",
});

async function aWorkspaceWithEachKind(): Promise<string> {
  const { database, clock } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const now = clock.now();
  const mine = { workspaceId, createdAt: now };
  const app = await anApp(database, { workspaceId });
  const [review] = await saveReviews(database, app, [aReview()]);
  const reviewId = review?.id ?? "";
  await database
    .with(topicStatements)
    .insertOwnTopic({ ...mine, id: newId(), name: "tides", phrases: ["whirlpool"] });
  await database
    .with(replyStatements)
    .saveTemplate({ id: newId(), workspaceId, name: "Sorry", text: "Mine", isTone: false, now });
  await database.saveView({ ...mine, id: newId(), name: "Bad", query: "rating=1" });
  const work = { tags: ["refund"], assigneeId: null, isDone: true, now };
  await database.with(triage).saveReviewWork({ workspaceId, reviewId, ...work });
  const author = { authorId: null, authorName: null };
  const note = { ...mine, id: newId(), reviewId, ...author, text: "Mine", countMax: 10 };
  await database.with(triage).insertReviewNote(note);
  return workspaceId;
}

test("lines of every kind with the ids of another workspace leave it as it is", async () => {
  const owner = await aWorkspaceWithEachKind();
  const before = await linesOf(owner);
  const kinds = new Set(before.map(({ kind }) => kind));
  const portable = portableKinds.map(({ kind }) => kind).filter((kind) => kind !== "reply");
  for (const kind of ["app", "view", "note", "reviewWork", ...portable])
    expect(kinds).toContain(kind);
  const texts = { name: "evil", text: "Overwritten", query: "rating=5", phrases: ["overwritten"] };
  const changed = before.slice(1).map((line) => {
    const known = Object.entries(texts).filter(([name]) => name in line);
    return { ...line, ...Object.fromEntries(known) };
  });
  const result = await importLines([workspaceLine(newId()), ...changed]);
  expect(await linesOf(owner)).toEqual(before);
  const { reviewWork, ...others } = result.imported;
  expect([reviewWork, others]).toEqual([1, {}]);
});

test("an import takes as many topics and templates as a workspace can have", async () => {
  const createdAt = "2026-11-01T00:00:00Z";
  const lines = Array.from({ length: templatesMax + 3 }, (_, index) => [
    { kind: "topic", id: newId(), name: `topic_${index}`, phrases: [`words ${index}`], createdAt },
    { kind: "reply_template", id: newId(), name: `Name ${index}`, text: "Hello", isTone: false },
  ]).flat();
  const result = await importLines([workspaceLine(newId()), ...lines]);
  expect(result.imported).toEqual({
    topic: ownTopicLimits.topicsMax,
    reply_template: templatesMax,
  });
});
