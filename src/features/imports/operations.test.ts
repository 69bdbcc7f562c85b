// The audit log of imports: written with the first rows, so that an import that is killed is recorded, and nothing else is.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { operationDeps } from "../../../test/support/operations.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { IngestReviews } from "../../ingest/ingest-batch.ts";
import { createRatingsIngest } from "../../ingest/ingest-ratings.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { carryOut } from "../../operations/frame.ts";
import type { ImportOptions } from "./import-reviews.ts";
import { importReviews, importReviewsByApp } from "./operations.ts";

let context: TestContext;
let app: App;
beforeAll(async () => {
  context = await openTestContext();
});
beforeEach(async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  app = await anApp(context.database, { workspaceId, store: "googleplay" });
});
afterAll(() => context.close());

const date = "2026-11-20";
const rowsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, rating: 4, text: "Calm", date }));

type File = { rows?: readonly object[]; options?: Partial<ImportOptions>; ingest?: IngestReviews };

function requestOf({ rows = rowsOf(3), options = {} }: File) {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"));
  }
  const input = { source: { name: "reviews.jsonl", chunks: chunks() }, notify: false, ...options };
  const actor = { kind: "operator", name: "cli" } as const;
  return { actor, workspaceId: null, id: app.id, input };
}

function depsOf({ ingest = createIngest(context) }: File) {
  const ingestRatings = createRatingsIngest(context);
  return operationDeps({
    ...context,
    loadIngest: async () => ({ ingestReviews: ingest, ingestRatings }),
  });
}

const importFile = (file: File = {}) => carryOut(depsOf(file), importReviews, requestOf(file));
const entriesOf = async (id = app.id) =>
  (await listAuditEntries(context.database, id)).map(({ action, actor, detail }) => ({
    action,
    actor,
    detail,
  }));
const entry = (detail: object) => ({
  action: "reviews.imported",
  actor: "cli",
  detail: { name: app.name, ...detail },
});

test("has its counts, again and again", async () => {
  await importFile();
  await importFile();
  expect(await entriesOf()).toEqual([
    entry({ inserted: 3, updated: 0 }),
    entry({ inserted: 0, updated: 0 }),
  ]);
});

describe("nothing is recorded", () => {
  test.each<[string, File]>([
    ["of a trial", { options: { isTrial: true } }],
    ["of a file without rows", { rows: [] }],
    ["of a file without a good row", { rows: [{ id: "r1", rating: 9, date }] }],
  ])("%s", async (_, file) => {
    await importFile(file).catch(() => {});
    expect(await entriesOf()).toEqual([]);
  });
});

test("that is killed between two batches is recorded, without counts", async () => {
  const ingest = createIngest(context);
  let reachSecond = (): void => {};
  const second = new Promise<void>((resolve) => {
    reachSecond = resolve;
  });
  let batches = 0;
  const held: IngestReviews = (batch) => {
    batches += 1;
    if (batches === 1) return ingest(batch);
    reachSecond();
    // As of a process that is gone.
    return new Promise(() => {});
  };
  void importFile({ rows: rowsOf(1_500), ingest: held });
  await second;
  expect(await entriesOf()).toEqual([entry({})]);
});

test("that ends early says why, beside what it saved", async () => {
  const ingest = createIngest(context);
  let batches = 0;
  const { result } = await importFile({
    rows: rowsOf(1_500),
    ingest: async (batch) => {
      batches += 1;
      if (batches > 1) throw new Error("out of luck");
      return ingest(batch);
    },
  });
  expect(result).toMatchObject({ inserted: 1_000, stopped: { reason: expect.any(String) } });
  const stopped = expect.stringContaining("out of luck");
  expect(await entriesOf()).toEqual([entry({ inserted: 1_000, updated: 0, stopped })]);
});

test("of a file of several apps has an entry for each app that it saved something of", async () => {
  const { workspaceId, store } = app;
  const other = await anApp(context.database, { workspaceId, store, externalAppId: "com.other" });
  const unnamed = await anApp(context.database, { workspaceId, store, externalAppId: "com.none" });
  const rows = [app, other].map(({ externalAppId }, at) => ({
    ...{ id: `r${at}`, rating: 4, text: "Calm", date, externalAppId },
  }));
  const file = { rows };
  const request = { ...requestOf(file), id: workspaceId };
  await carryOut(depsOf(file), importReviewsByApp, request);
  for (const { id, name } of [app, other])
    expect(await entriesOf(id)).toMatchObject([{ detail: { name, inserted: 1 } }]);
  expect(await entriesOf(unnamed.id)).toEqual([]);
});
