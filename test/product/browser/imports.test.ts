// A file of reviews on the page of an app: how it is read comes first, then the questions, and only then the import.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import type { App } from "../../../src/domain/feed/listing.ts";
import { exportReviews } from "../../../src/features/exports/export-reviews.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp } from "../../support/factories.ts";
import { choose } from "../../support/hands.ts";

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let workspaceId: string;
let app: App;
let folder: string;

async function exported() {
  const reviews = [];
  const query = { appId: app.id, workspaceId: null };
  for await (const batch of exportReviews(world.service.deps.database, query))
    reviews.push(...batch);
  return reviews.toSorted((one, other) => one.storeId.localeCompare(other.storeId));
}

const chooseFile = (name: string, text: string) =>
  page
    .getByLabel("Choose a file")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

describe.skipIf(!hasBrowser())("a file to import", () => {
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-import-"));
    world = await openBrowserFixture(new StoreState(systemClock));
    const workspace = await createWorkspace(world.service.deps, { name: "Reef", plan: "studio" });
    workspaceId = workspace.id;
    visitor = await world.signIn({ email: "mo@example.com", workspaceId, role: "member" });
    page = visitor.page;
  });
  beforeEach(async () => {
    const listing = { store: "googleplay", isPrivate: true } as const;
    app = await anApp(world.service.deps.database, { workspaceId, ...listing });
    await page.goto(`/w/${workspaceId}/sources/apps/${app.id}`);
    await page.getByRole("heading", { name: "Import a file" }).waitFor();
  });
  afterAll(async () => {
    await world?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test("with bad rows: they are named before anything is saved, and the others are imported once", async () => {
    const file = `reviewId,score,content,at,mood
a1,5,Quick,2026-10-13T08:00:00,calm
a2,9,Nine stars,2026-10-13T08:00:00,calm
a3,1,Closes at the start,2026-10-12T08:00:00,angry
a4,2,No date,yesterday,angry
`;
    await chooseFile("reviews.csv", file);
    await page.getByRole("heading", { name: "reviews.csv: how it is read" }).waitFor();
    const reading = page.getByRole("table", { name: "How the columns of the file were read" });
    await reading.getByRole("row", { name: "text content" }).waitFor();
    await page.getByText("Not read: mood (2 values)").waitFor();
    await page.getByText("2 rows rejected").waitFor();
    await page.getByText("Line 3: rating must be").waitFor();
    await page.getByText("Line 5: date must").waitFor();
    expect(await exported()).toEqual([]);
    expect(await checkPage(visitor, "import-read")).toEqual([]);
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByText("reviews.csv was imported", { exact: true }).waitFor();
    expect(await exported()).toMatchObject([
      { storeId: "a1", rating: 5, text: "Quick", date: "2026-10-13T08:00:00Z" },
      { storeId: "a3", rating: 1, text: "Closes at the start", date: "2026-10-12T08:00:00Z" },
    ]);
    expect(await checkPage(visitor, "import-done")).toEqual([]);
    await chooseFile("reviews.csv", file);
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByText("reviews.csv was imported", { exact: true }).waitFor();
    await expect.poll(() => countOf("Known before")).toBe("2");
    expect(await exported()).toHaveLength(2);
  });

  test("of several apps: the page asks for the app and for ids, and takes the rows of one", async () => {
    await chooseFile(
      "banks.csv",
      `review_id,score,at,content,bank_name
1,5,2026-10-13,Pays quickly,Tide Bank
2,1,2026-10-13,Closes at the start,Harbour Bank
3,4,2026-10-12,Fine,Tide Bank
4,3,2026-10-11,Slow,Tide Bank
`,
    );
    await page.getByText("“bank_name” divides the rows. Is it the app?").waitFor();
    expect(await page.getByRole("button", { name: "Import 4 rows" }).isDisabled()).toBe(true);
    await choose(page, "Only rows of Tide Bank");
    await choose(page, "No: make ids of author, date, words and stars");
    expect(await checkPage(visitor, "import-questions")).toEqual([]);
    await page.getByRole("button", { name: "Read it again" }).click();
    await page.getByText("3 ids made of author, date, words and stars").waitFor();
    expect(await exported()).toEqual([]);
    await page.getByRole("button", { name: "Import 3 rows" }).click();
    await page.getByText("banks.csv was imported", { exact: true }).waitFor();
    const texts = (await exported()).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(["Fine", "Pays quickly", "Slow"]);
  });

  test("with names of its own: the page asks for its columns, also for a file that is dropped", async () => {
    const script = `(() => {
      const transfer = new DataTransfer();
      const text = "Ticket,Given,Posted on,text\\nt1,4,2026-10-13,Neat\\n";
      transfer.items.add(new File([text], "tickets.csv"));
      return transfer;
    })()`;
    const dataTransfer = await page.evaluateHandle(script);
    await page.getByText("Choose a file, or drop it here").dispatchEvent("drop", { dataTransfer });
    await page.getByRole("heading", { name: "tickets.csv: columns are missing" }).waitFor();
    for (const [field, column] of [
      ["Id of the review", "Ticket"],
      ["Stars", "Given"],
      ["Date", "Posted on"],
    ] as const)
      await page.getByLabel(`Column: ${field}`).selectOption(column);
    await page.getByRole("button", { name: "Read it again" }).click();
    await page.getByRole("button", { name: "Import 1 row" }).click();
    await page.getByText("tickets.csv was imported", { exact: true }).waitFor();
    expect(await exported()).toMatchObject([{ storeId: "t1", rating: 4, text: "Neat" }]);
  });

  test("that holds an archive is refused with what to do, and another one can be chosen", async () => {
    const buffer = Buffer.concat([Buffer.from("1f8b08", "hex"), Buffer.alloc(3_000_000)]);
    const input = page.getByLabel("Choose a file");
    await input.setInputFiles({ name: "reviews.csv.gz", mimeType: "application/gzip", buffer });
    await page.getByText("unpack it first").waitFor();
    await chooseFile("reviews.csv", "id,rating,date\na1,5,2026-10-13\n");
    await page.getByRole("button", { name: "Import 1 row" }).waitFor();
    visitor.takeErrors();
  });

  test("of 50 MB is sent with its progress, and every row of it is imported", async () => {
    const rowCount = 6_000;
    const file = path.join(folder, "large.csv");
    const payload = "x".repeat(8_400);
    const out = fs.openSync(file, "w");
    fs.writeSync(out, "id,rating,date,text,payload\n");
    for (let at = 0; at < rowCount; at += 1) {
      const day = String((at % 28) + 1).padStart(2, "0");
      const rating = (at % 5) + 1;
      fs.writeSync(out, `r${at},${rating},2026-10-${day},Words of row ${at},${payload}${at}\n`);
    }
    fs.closeSync(out);
    expect(fs.statSync(file).size).toBeGreaterThan(50_000_000);
    await page.getByLabel("Choose a file").setInputFiles(file);
    await page.getByRole("progressbar").waitFor();
    await page.getByText("Not read: payload").waitFor();
    await page.getByRole("button", { name: "Import 6,000 rows" }).click();
    await page.getByText(/^Importing large.csv: [1-6],000 of 6,000 rows$/).waitFor();
    await page.getByText("large.csv was imported", { exact: true }).waitFor();
    const reviews = await exported();
    expect(reviews).toHaveLength(rowCount);
    for (const { storeId, rating, text } of reviews) {
      const at = Number(storeId.slice(1));
      expect([text, rating]).toEqual([`Words of row ${at}`, (at % 5) + 1]);
    }
  });

  test("a viewer has no place for one", async () => {
    const viewer = await world.signIn({ email: "vi@example.com", workspaceId, role: "viewer" });
    await viewer.page.goto(`/w/${workspaceId}/sources/apps/${app.id}`);
    await viewer.page.getByRole("heading", { name: "Collecting" }).waitFor();
    expect(await viewer.page.getByRole("heading", { name: "Import a file" }).count()).toBe(0);
  });
});

const countOf = (name: string) =>
  page.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd").textContent();
