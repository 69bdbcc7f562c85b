// Any file, in any format and order, any number of times, alone or with its neighbours, gives the same reviews, and known rows
// change nothing. Each source of the register survives the way out and back in.
import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anApp, aWorkspace, saveChannel } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { volume } from "../../../test/support/volume.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { csvHeader, formatReviewLine } from "../exports/commands.ts";
import { type ExportedReview, exportReviews } from "../exports/export-reviews.ts";
import type { ImportResult } from "./import-result.ts";
import { importReviews } from "./import-reviews.ts";

let from: TestContext;
let to: TestContext;
beforeAll(async () => {
  [from, to] = await Promise.all([openTestContext(), openTestContext()]);
});
afterAll(() => Promise.all([from.close(), to.close()]));

type File = { name: string; bytes: Buffer; makesIds?: boolean; timeZone?: string };

async function openApp(context: TestContext, listing: Pick<App, "store" | "externalAppId">) {
  const { id: workspaceId } = await aWorkspace(context.database);
  await saveChannel(context.database, { workspaceId });
  const app = await anApp(context.database, { workspaceId, ...listing, isPrivate: true });
  return {
    importFile({ name, bytes, ...options }: File): Promise<ImportResult> {
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield bytes;
      }
      const target = { appId: app.id, workspaceId: null, notify: true, ...options };
      const deps = { ...context, ingestReviews: createIngest(context) };
      return importReviews(deps, { ...target, source: { name, chunks: chunks() } });
    },
    async exported(): Promise<ExportedReview[]> {
      const found: ExportedReview[] = [];
      const query = { appId: app.id, workspaceId: null };
      for await (const batch of exportReviews(context.database, query)) found.push(...batch);
      return found.sort((one, other) => one.storeId.localeCompare(other.storeId));
    },
  };
}

/** Without the times of the imports. */
function comparable(reviews: readonly ExportedReview[]): unknown[] {
  return reviews.map(({ id: _, firstSeenAt: __, editedAt: ___, versions, ...review }) => ({
    ...review,
    versions: versions.map(({ replacedAt: ____, ...version }) => version),
  }));
}

function expectNothing({
  inserted,
  updated,
  queued,
  earlierVersions,
  rejectedCount,
}: ImportResult) {
  expect([inserted, updated, queued, earlierVersions, rejectedCount]).toEqual([
    ...[0, 0, 0, undefined, 0],
  ]);
}

type Row = Record<"id" | "rating" | "date" | "text" | "author" | "votes", string>;

const columns = ["id", "rating", "date", "text", "author", "votes"] as const;
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const toTable = (rows: readonly Row[], separator: string): string =>
  [columns.join(separator)]
    .concat(rows.map((row) => columns.map((name) => cell(row[name])).join(separator)))
    .join("\n");

const formats: Record<string, (rows: readonly Row[]) => File> = {
  "CSV with commas": (rows) => ({ name: "a.csv", bytes: Buffer.from(toTable(rows, ",")) }),
  "CSV with semicolons": (rows) => ({ name: "a.csv", bytes: Buffer.from(toTable(rows, ";")) }),
  "CSV with tabs": (rows) => ({ name: "a.tsv", bytes: Buffer.from(toTable(rows, "\t")) }),
  "CSV in UTF-16": (rows) => ({
    name: "a.csv",
    bytes: Buffer.from(`\uFEFF${toTable(rows, ",")}`, "utf16le"),
  }),
  "JSON Lines": (rows) => ({
    name: "a.jsonl",
    bytes: Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n")),
  }),
  "a list of JSON": (rows) => ({ name: "a.json", bytes: Buffer.from(JSON.stringify(rows)) }),
  "a page of JSON": (rows) => ({
    name: "a.json",
    bytes: Buffer.from(JSON.stringify({ data: { reviews: rows }, next: null }, null, 2)),
  }),
};

/** Each review has one author, whom a row may lack. */
const aRow: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom("k1", "k2", "k3"),
  rating: fc.constantFrom("1", "4", "5"),
  date: fc.constantFrom("2026-10-13", "2026-10-14", "2026-10-14T08:00:00Z"),
  text: fc.constantFrom("Quick", "Closes, always", 'So "nice"'),
  author: fc.constantFrom("", "Reader"),
  votes: fc.constantFrom("", "0", "3"),
});

type Try = { rows: Row[]; turned: Row[]; format: string; another: string; cut: number };

const aTry: fc.Arbitrary<Try> = fc.array(aRow, { minLength: 1, maxLength: 8 }).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    turned: fc.shuffledSubarray(rows, { minLength: rows.length }),
    format: fc.constantFrom(...Object.keys(formats)),
    another: fc.constantFrom(...Object.keys(formats)),
    cut: fc.nat({ max: rows.length }),
  }),
);

async function importAll(rows: readonly Row[][], format: string, makesIds: boolean) {
  const app = await openApp(from, { store: "googleplay", externalAppId: "com.example.notes" });
  const files = rows
    .filter((part) => part.length > 0)
    .map((part) => ({ ...(formats[format]?.(part) as File), makesIds }));
  for (const file of files) await app.importFile(file);
  return { ...app, files };
}

test("files with ids give the same reviews in any format, order and parts, and change nothing again", async () => {
  await fc.assert(
    fc.asyncProperty(aTry, async ({ rows, turned, format, another, cut }) => {
      const one = await importAll([rows], format, false);
      const reviews = comparable(await one.exported());
      const parts = [turned.slice(0, cut), turned.slice(cut)];
      const other = await importAll(parts, another, false);
      expect(comparable(await other.exported())).toEqual(reviews);
      for (const app of [one, other]) {
        for (const file of [...one.files, ...other.files.toReversed()])
          expectNothing(await app.importFile(file));
        expect(comparable(await app.exported())).toEqual(reviews);
      }
    }),
    { numRuns: volume(60) },
  );
});

test("a file whose rows lack texts changes nothing again either", async () => {
  const rows = fc.array(fc.tuple(aRow, fc.boolean()), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(...Object.keys(formats)), async (pairs, format) => {
      const lacking = pairs.map(([row, hasText]) => (hasText ? row : { ...row, text: "" }));
      const app = await importAll([lacking], format, false);
      const reviews = comparable(await app.exported());
      for (const file of app.files) expectNothing(await app.importFile(file));
      expect(comparable(await app.exported())).toEqual(reviews);
    }),
    { numRuns: volume(30) },
  );
});

test("whole files without ids give the same reviews, too, and change nothing again", async () => {
  await fc.assert(
    fc.asyncProperty(aTry, async ({ rows, turned, format, another }) => {
      const withoutIds = (list: readonly Row[]) => list.map((row) => ({ ...row, id: "" }));
      const one = await importAll([withoutIds(rows)], format, true);
      const reviews = comparable(await one.exported());
      expect(reviews).toHaveLength(rows.length);
      const other = await importAll([withoutIds(turned)], another, true);
      expect(comparable(await other.exported())).toEqual(reviews);
      for (const app of [one, other])
        for (const file of [...one.files, ...other.files])
          expectNothing(await app.importFile(file));
    }),
    { numRuns: volume(30) },
  );
});

const register = path.resolve("test/fixtures/import-sources");
const sources = fs.readdirSync(register).map((name): [string, StoreId] => {
  const text = fs.readFileSync(path.join(register, name)).toString("utf8");
  // Ids of Google Play; files in UTF-16 are the Play Console's.
  return [name, /5e0c1d52-|gp:|play/i.test(name + text) ? "googleplay" : "appstore"];
});

describe("an installation exports what an empty one takes back", () => {
  test.each(sources)("of %s (%s)", async (name, store) => {
    const externalAppId = store === "appstore" ? "1387885523" : "com.example.notes";
    const origin = await openApp(from, { store, externalAppId });
    const file = { name, bytes: fs.readFileSync(path.join(register, name)), makesIds: true };
    const { inserted } = await origin.importFile(file);
    expect(inserted).toBeGreaterThan(0);
    const rows = await origin.exported();
    expect(rows).toHaveLength(inserted);
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    const table = [csvHeader, ...rows.map((row) => formatReviewLine(row, false))].join("");
    for (const [format, text] of [
      ["export.jsonl", lines],
      ["export.csv", table],
    ] as const) {
      const copy = await openApp(to, { store, externalAppId });
      const sent = { name: format, bytes: Buffer.from(text) };
      expect(await copy.importFile(sent)).toMatchObject({ inserted, rejectedCount: 0 });
      const withoutId = (list: ExportedReview[]) => list.map(({ id: _, ...review }) => review);
      expect(withoutId(await copy.exported())).toEqual(withoutId(rows));
      expectNothing(await copy.importFile(sent));
      expectNothing(await copy.importFile(file));
      expect(withoutId(await copy.exported())).toEqual(withoutId(rows));
    }
  });
});
